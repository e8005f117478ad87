"""Joins that are not simply one segment after the other: a choice that is followed at once, a dissolve, and a retry."""

import json
import tempfile
import unittest
from pathlib import Path

from browser import PlayerTest
from engines import needs
from fixture import FRAME_RATE, make_clip
from server import Server
from story import BUILD, timewarp
from walk import FRAME, ROUNDING, SHARE

# Frames of the clip: the first segment, which offers the choice at 0.3 s, the one that follows, and one that is longer than
# a GOP, which is a fragment of its file.
FIRST, SECOND, LONG = range(0, 45), range(45, 75), range(375)
GOP = 250
# This many frames after the one that was reported last, the player leaves a segment at once.
SOON = 2


def part(frames):
    return {"media": "clip.mov", "range": [f"{frames.start}/{FRAME_RATE}", f"{frames.stop}/{FRAME_RATE}"]}


STORY = {
    "timewarp": "story/1", "title": "Joins", "start": "first",
    "segments": {
        "first": {
            **part(FIRST), "events": [{"at": "0.3", "do": "showControls"}], "default": "second",
            "choices": [{"label": "Now", "goto": "second", "immediately": True}, {"label": "Long", "goto": "long"}]},
        "second": {**part(SECOND), "dissolve": "0.5", "role": "epilogue"},
        "long": {**part(LONG), "role": "epilogue"},
    },
}


def setUpModule():
    folder = tempfile.TemporaryDirectory(prefix="joins-")
    unittest.addModuleCleanup(folder.cleanup)
    source = Path(folder.name)
    make_clip(source / "clip.mov", LONG.stop)
    (source / "story.json").write_text(json.dumps(STORY))
    timewarp(*BUILD, source / "story.json", "-o", source / "film")
    JoinsTest.folder, JoinsTest.server = source / "film", Server(source / "film")
    unittest.addModuleCleanup(JoinsTest.server.close)


class JoinsTest(PlayerTest):
    """A test with a page of this story."""

    def frames(self):
        """The recorded frames of a story that has been played to its end."""
        frames = self.record()["frames"]
        self.assertNotIn(None, [each["number"] for each in frames], "a frame isn't the clip's")
        return frames

    def starts(self, frames, segment):
        """Where the film would have to begin for each of these frames to be in its place, counted in frames."""
        return [each["mediaTime"] * FRAME_RATE - (each["number"] - segment.start) for each in frames]

    def assert_enough(self, frames, expected):
        self.assertGreater(len({each["number"] for each in frames} & set(expected)), SHARE * len(expected))


class Joins(JoinsTest):
    @needs("exact frames")
    def test_an_immediate_choice_is_followed_within_a_few_frames(self):
        self.begin(moves=[{"segment": "first", "phases": ["choosing"], "key": "1", "frames": [15, FIRST.stop]}])
        self.wait("second", "ended")
        frames, record = self.frames(), self.record()
        choice = next(each for each in record["events"] if each["type"] == "choice")
        numbers = [each["number"] for each in frames]
        first = [each for each in frames if each["number"] in FIRST]
        second = frames[len(first):]
        self.assertEqual(numbers, sorted(numbers), "the first segment never comes back")
        self.assert_enough(second, SECOND)
        # The film tells where the second segment begins, whichever of its frames a busy machine shows.
        start, = {round(start) for start in self.starts(first, FIRST)}
        join, = {round(start) for start in self.starts(second, SECOND)}
        chosen = round(choice["time"] * FRAME_RATE)
        print(f"\n  chosen at frame {chosen}, joined at {join - start}, the last that was seen is "
              f"{first[-1]['number']}, the next {second[0]['number']}", end=" ")
        self.assertEqual(join - start, chosen + SOON)
        # The decoders are emptied once. It passes over nothing, and then nothing of the first segment is seen.
        happened = [each for each in record["happened"] if each["now"] > choice["now"]]
        seeking, = (each for each in happened if each["type"] == "seeking")
        seeked, = (each for each in happened if each["type"] == "seeked")
        self.assertLess(seeking["at"], (join + 0.5) * FRAME)
        self.assertLessEqual(first[-1]["now"], seeked["now"])

    @needs("exact frames")
    def test_a_dissolve_is_joined_at_both_ends(self):
        self.begin()
        self.wait("second", "ended")
        # The second segment continues the first one, so both have the same frames during the dissolve: a mix of any others
        # would have no number, or a wrong one.
        frames = self.frames()
        starts = self.starts(frames, FIRST)
        for start in starts:
            self.assertAlmostEqual(start, starts[0], delta=2 * ROUNDING * FRAME_RATE)
        dissolve = range(SECOND.start, SECOND.start + FRAME_RATE // 2)
        for expected in (FIRST, dissolve, range(dissolve.stop, SECOND.stop)):
            self.assert_enough(frames, expected)


class Retry(JoinsTest):
    before_load = """
        HTMLMediaElement.prototype.canPlayType = () => "";
        const { appendBuffer } = SourceBuffer.prototype;
        globalThis.appended = [];
        SourceBuffer.prototype.appendBuffer = function (bytes) {
            appended.push(bytes.length);
            return appendBuffer.call(this, bytes);
        };
    """

    def test_a_retry_goes_on_far_into_a_long_segment(self):
        """What comes before is not appended again: a segment may be longer than what a browser keeps."""
        self.open_saved("long")
        self.begin("Resume", speed=3)
        # The player goes on at the frame that the browser reported last, which may be long before the film's clock.
        self.page.wait_for_function(
            "(first) => record.frames.at(-1)?.number > first && record.video.dispatchEvent(new Event('error'))",
            arg=GOP + 5)
        self.page.get_by_role("alert").wait_for()
        appended = self.page.evaluate("appended.splice(0)")
        self.page.get_by_role("button", name="Retry").click()
        self.wait("long", "ended")
        # The head, and the last of the fragments.
        head, *again = self.page.evaluate("appended")
        print(f"\n  {len(again)} of {len(appended) - 1} fragments appended again", end=" ")
        self.assertEqual([head, *again], [appended[0], *appended[-len(again):]])
        self.assertLess(len(again), len(appended) - 1)
        self.assert_goes_on_where_it_was()
