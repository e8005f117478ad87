"""The library reference: every public symbol documented, every example compiled, no broken link."""

import os
import subprocess
import unittest

from built import ROOT, folder


class Docs(unittest.TestCase):
    def test_the_reference_is_built_without_a_warning(self):
        environment = {**os.environ, "DOCS_MODULES": str(folder() / "Modules")}
        done = subprocess.run(
            [ROOT / "Scripts/docs"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        self.assertTrue((ROOT / ".build/docs/documentation/library/index.html").exists())


if __name__ == "__main__":
    unittest.main()
