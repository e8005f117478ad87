"""Every example of Examples renders, from a small clip, to the length that it should have."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import guides
from built import ROOT


class Examples(unittest.TestCase):
    def test_all_are_rendered(self):
        with tempfile.TemporaryDirectory(prefix="timewarp-examples-") as name:
            folder = Path(name)
            guides.write_clip(folder / "clip.mp4", 4)
            done = subprocess.run(
                [ROOT / "Examples/render-all", os.environ["TIMEWARP"], folder / "clip.mp4",
                 folder / "out"],
                capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
            self.assertGreater(len(list((folder / "out").glob("*.mp4"))), 35)


if __name__ == "__main__":
    unittest.main()
