"""The examples of the library's guides, and the files that they work on."""

import re
import shutil
import subprocess
import sys

from built import ROOT

CATALOGUE = ROOT / "Documentation/TimeWarp.docc"


def write_examples(folder):
    """Writes the examples as a program, and returns its sources."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        [sys.executable, "-B", ROOT / "Scripts/reference.py", "examples", "--catalogue", CATALOGUE,
         "--output", folder], check=True)
    # The guide's film is large, and nothing here looks at it.
    film = folder / "Compositions.swift"
    film.write_text(film.read_text().replace("width: 1280, height: 720", "width: 128, height: 72"))
    return [*sorted(folder.glob("*.swift")), ROOT / "Examples/guides/main.swift"]


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, words)], check=True)


def write_clip(path, seconds):
    """A small clip with a picture and a tone, quick to render."""
    ffmpeg(
        "-f", "lavfi", "-i", f"testsrc=size=64x48:rate=25:duration={seconds}",
        "-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}",
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-ar", "16000", path)


def write_inputs(folder):
    """Writes the files that the guides read."""
    folder.mkdir()
    write_clip(folder / "in.mp4", 5)
    write_clip(folder / "a.mp4", 12)
    for name in ["b.mp4", "door.mp4", "hall.mp4"]:
        shutil.copy(folder / "a.mp4", folder / name)
    sound = ["-f", "lavfi", "-i", "anoisesrc=d=30:c=pink:r=16000:seed=7"]
    ffmpeg(*sound, "-ac", 1, folder / "recorder.wav")
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=30", *sound,
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", folder / "camera.mp4")
    shutil.copy(ROOT / "Examples/anchors.txt", folder)
    shutil.copy(ROOT / "Examples/time-maps/there-hold-back.json", folder / "map.json")
    guide = (CATALOGUE / "InteractiveVideo.md").read_text()
    (folder / "story.json").write_text(re.search(r"^```json\n(.*?)^```$", guide, re.M | re.S)[1])
    (folder / "visits.jsonl").write_text("")
