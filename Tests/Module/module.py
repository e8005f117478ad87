"""The Python module of this checkout, with the program that was built, and clips to try it on."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Python"
sys.path.insert(0, str(PACKAGE))

import timewarp_video as tw  # noqa: E402  it is found only now

RATE, FRAMES = 25, 50


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, words)], check=True)


def write_clip(path, *options, seconds=FRAMES / RATE):
    """A small clip with a picture that moves, and a tone."""
    ffmpeg("-f", "lavfi", "-i", f"testsrc=size=96x64:rate={RATE}:duration={seconds}",
           "-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}",
           "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", *options, path)


class ModuleTest(unittest.TestCase):
    """Works in a folder of its own with a clip of two seconds."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="module-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        write_clip("in.mp4")

    @property
    def files(self):
        return sorted(each.name for each in self.folder.iterdir())


__all__ = ["FRAMES", "PACKAGE", "RATE", "ROOT", "ModuleTest", "ffmpeg", "tw", "write_clip"]
