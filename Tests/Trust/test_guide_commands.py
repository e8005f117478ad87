"""Every command of the README and the guides does what it says, on small files, one after another as they stand there.

A fenced block of commands is run unless it begins with "sh not-run": what installs, or passes to programs that aren't
here. Of the README's table each command is run.
"""

import os
import re
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import guides
from built import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "Documentation/guides").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
CELL = re.compile(r"^\|.*\| `(timewarp [^`]+)` \|", re.M)
# What serves a page until it is ended, once it has printed its address.
SERVING = re.compile(r"timewarp (studio|play|story play)\b")

PROJECT = """{ "timewarp": "composition/1", "format": { "size": [64, 48] }, "tracks": [ { "segments": [
    { "media": "a.mp4", "range": ["0", "4"], "name": "Shot 12", "speed": 2 }, { "media": "b.mov" } ] } ] }"""
CHOICES = """{ "timewarp": "story/1", "title": "A door", "start": "door", "segments": {
    "door": { "media": "a.mp4", "then": "hall" }, "hall": { "media": "b.mov", "role": "epilogue" } } }"""


def commands(page):
    text = page.read_text()
    for block in BLOCK.findall(text):
        yield from filter(None, map(str.strip, block.splitlines()))
    if page.name == "README.md":
        yield from CELL.findall(text)


class GuideCommands(unittest.TestCase):
    """Each page has a folder of its own."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="timewarp-guides-")
        cls.addClassCleanup(scratch.cleanup)
        cls.inputs, cls.scratch = Path(scratch.name) / "inputs", Path(scratch.name)
        cls.inputs.mkdir()
        programs = cls.scratch / "programs"
        programs.mkdir()
        (programs / "timewarp").symlink_to(Path(os.environ["TIMEWARP"]).resolve())
        # A studio's workspace is here, too.
        cls.environment = {
            **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "XDG_DATA_HOME": str(cls.scratch / "data")}
        cls.write_inputs()

    @classmethod
    def write_inputs(cls):
        folder = cls.inputs
        for name, seconds in (("in.mp4", 16), ("a.mp4", 6), ("b.mov", 5)):
            guides.write_clip(folder / name, seconds)
        (folder / "holiday.mp4").symlink_to("in.mp4")
        noise = ["-f", "lavfi", "-i", "anoisesrc=d=30:c=pink:r=16000:seed=7"]
        guides.ffmpeg(*noise, folder / "zoom.wav")
        guides.ffmpeg("-i", folder / "in.mp4", *noise, "-map", "0:v", "-map", "1:a", "-c:v", "copy", folder / "camera.mp4")
        for name in ("talk.wav", "song.mp3"):
            guides.ffmpeg("-f", "lavfi", "-i", "sine=440:b=4:r=16000:d=8", folder / name)
        guides.ffmpeg("-f", "lavfi", "-i", "sine=440:r=2000:d=3600", folder / "in.wav")
        guides.ffmpeg(
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=2:duration=760", "-preset", "ultrafast", folder / "long.mp4")
        for name in ("shot", "Card", "Footage"):
            (folder / name).mkdir()
        guides.ffmpeg("-f", "lavfi", "-i", "testsrc=size=64x48:rate=24:duration=1", folder / "shot/f_%04d.exr")
        (folder / "edit.json").write_text(PROJECT)
        (folder / "story.json").write_text(CHOICES)
        (folder / "visits.jsonl").write_text("")
        (folder / "pairs.txt").write_text("0:02.000 0:02.010\n0:28.000 0:28.030\n")
        (folder / "map.json").symlink_to(ROOT / "Examples/time-maps/there-hold-back.json")
        for line in (
                "timewarp compose edit.json -o edit.fcpxml", "timewarp compose edit.json -o edit.xml",
                "timewarp warp in.mp4 -o out.mp4 --curve triangle --factor 3",
                "timewarp warp in.mp4 -o ramp.mp4 --curve ramp",
                "timewarp warp in.mp4 -o new.mp4 --curve triangle --factor 3 --print-job > job.json"):
            cls.run_line(line, folder)

    @classmethod
    def run_line(cls, line, folder):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-ec", line], cwd=folder, env=cls.environment, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")

    def serve(self, line, folder):
        """Has a page served until the address comes."""
        process = subprocess.Popen(
            ["bash", "-ec", f"exec {line}"], cwd=folder, env=self.environment, stdout=subprocess.PIPE, text=True)
        with process:
            self.assertIn("http://127.0.0.1", process.stdout.readline(), line)
            process.send_signal(signal.SIGINT)

    def test_all_run(self):
        count = 0
        for page in PAGES:
            lines = list(commands(page))
            folder = self.scratch / page.stem
            subprocess.run(["cp", "-a", self.inputs, folder], check=True)
            for line in lines:
                with self.subTest(page=page.name, line=line):
                    self.run_in(folder, line)
            count += len(lines)
        print(f"{count} commands", end=" ")
        self.assertGreater(count, 60)

    def run_in(self, folder, line):
        output = re.search(r" -o (\w+\.\w+)", line)
        # What was there before the page's first command isn't in the reader's way.
        if output and "--overwrite" not in line:
            (folder / output[1]).unlink(missing_ok=True)
        (self.serve if SERVING.match(line) else self.run_line)(line, folder)


if __name__ == "__main__":
    unittest.main()
