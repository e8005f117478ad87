"""The story that the tests walk through, and where its frames are in the clip.

    prologue ──▶ door ──(o, or by default)──▶ hall ⟲ ──▶ tower (the end)
                  └────────(w)───▶ garden ──▶ tower or door

`timewarp story build` makes the folder; TIMEWARP names the program. TIMEWARP_TEST_STORY names a folder for processes that
share the story: whichever needs it first builds it there, and nobody removes it.
"""

import fcntl
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from fixture import FRAME_RATE, make_clip

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = os.environ.get("TIMEWARP_TEST_STORY")
BUILD = ("story", "build", "--preset", "veryfast", "--crf", "18")


@dataclass(frozen=True)
class Segment:
    """Frames `first..<end` of the clip, and the rest of the segment's entry in the story file.

    This many more frames follow its decision in its range, and are never shown.
    """

    first: int
    end: int
    entry: dict = field(hash=False)
    unseen: int = 0


def choice(label, goto, **more):
    return {"label": label, "goto": goto, **more}


def event(at, do):
    """The instant that is a number of seconds after the segment's start, as the story file writes it."""
    return {"at": at, "do": do}


# They are short, because tests wait for them to play, but long enough that a busy machine shows enough of their frames, and that
# a choice at once comes before the player appends what would follow without it.
SEGMENTS = {
    "prologue": Segment(0, 45, {
        "role": "prologue", "then": "door",
        "captions": [{"file": "prologue.en.vtt", "language": "en", "label": "English"}],
    }),
    # It decides at 1.7 s, between two frames that no other segment has.
    "door": Segment(45, 96, {
        "title": "At the door",
        "events": [
            event(0.2, "showControls"), event(1.0, "knock"), event(1.7, "decide"), event(2.2, "unheard"),
        ],
        "choices": [
            choice("Open it", "hall", key="o", set={"courage": "courage + 1"}),
            choice("Walk away", "garden", key="w", when="courage < 2"),
        ],
        "default": "hall",
    }, unseen=24),
    "hall": Segment(120, 157, {
        "events": [event(0.1, "showControls"), event(0.7, "echo")],
        "choices": [choice("Climb the tower", "tower"), choice("Out to the garden", "garden")],
        "loop": True,
    }),
    "garden": Segment(157, 194, {
        "events": [event(0.1, "showControls")],
        "choices": [
            choice("The tower", "tower", area=[0.1, 0.2, 0.3, 0.5]),
            choice("The door", "door", area=[0.6, 0.3, 0.25, 0.4]),
        ],
    }),
    "tower": Segment(194, 224, {"role": "epilogue"}),
}

CAPTIONS = """WEBVTT

1
00:00.500 --> 00:01.000
<v Guide>It is <i>late</i>.

00:01.000 --> 00:01.400 align:start
Nobody is here.
"""


def timewarp(*arguments):
    """Runs the program and returns its output."""
    program = os.environ.get("TIMEWARP", ROOT / ".build/release/timewarp")
    return subprocess.run(
        [program, *arguments], check=True, capture_output=True, text=True).stdout


def entry(segment):
    """A segment as it is written in the story file. Its times are those of the clip."""
    start = segment.first / FRAME_RATE
    events = [{**each, "at": round(start + each["at"], 6)}
              for each in segment.entry.get("events", [])]
    return {
        "media": "clip.mov",
        "range": [f"{segment.first}/{FRAME_RATE}", f"{segment.end + segment.unseen}/{FRAME_RATE}"],
        **segment.entry, "events": events,
    }


def once(path, make):
    """Has `make` build what is to be at a path, unless another process has built it there or is just doing so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{path}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            return
        # What is there is whole, even if a process ends before it has built everything.
        with tempfile.TemporaryDirectory(dir=path.parent, prefix="unfinished-") as folder:
            make(Path(folder) / path.name)
            (Path(folder) / path.name).rename(path)


def built():
    """The folder with the story's source, its clip, and the built story in film/."""
    folder = Path(SHARED or Path(tempfile.mkdtemp(prefix="story-source-")) / "story")
    once(folder, make)
    return folder


def make(folder):
    folder.mkdir()
    make_clip(folder / "clip.mov", max(segment.end for segment in SEGMENTS.values()))
    (folder / "prologue.en.vtt").write_text(CAPTIONS)
    (folder / "test.json").write_text(json.dumps({
        "timewarp": "story/1", "title": "The test story", "start": "prologue",
        "controls": {"map": True},
        "variables": {"courage": 0},
        "segments": {name: entry(segment) for name, segment in SEGMENTS.items()},
    }))
    timewarp(*BUILD, folder / "test.json", "-o", folder / "film")


def one_page(folder):
    """The built story of a folder as a page that holds everything."""
    page = folder / "film.html"
    once(page, lambda path: timewarp(*BUILD, folder / "test.json", "-o", path, "--single-file"))
    return page
