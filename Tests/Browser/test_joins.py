"""Joins that are not simply one segment after the other: a choice that is followed at once, and a dissolve."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from engines import needs
from fixture import FRAME_RATE, make_clip
from shared import PATIENCE, browser
from story import timewarp
from studio import CELLS, ServedPage, number_in

# Frames of the clip: the first segment, which offers the choice at 0.3 s, and the one that follows.
FIRST, SECOND = range(0, 90), range(90, 150)

# Reads the cells of every presented frame and its time on the film's clock. Both come from one copy of the frame: on a busy
# machine the next one may be shown before this callback runs, and then the callback's own `mediaTime` is that of the frame
# before. If the function has a number of seconds, it takes the choice when the first segment has shown so many.
RECORD = """(seconds) => {
    const look = %s, video = document.getElementById("video");
    globalThis.looks = [];
    let isTaken = false;
    const next = () => {
        const frame = new VideoFrame(video), mediaTime = frame.timestamp / 1e6;
        looks.push({ ...look("video", frame), mediaTime });
        frame.close();
        if (!isTaken && seconds !== null && mediaTime >= seconds) {
            isTaken = true;
            globalThis.takenAt = looks.length;
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
        }
        video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
}""" % CELLS


def part(frames):
    return [f"{frames.start}/{FRAME_RATE}", f"{frames.stop}/{FRAME_RATE}"]


class Joins(unittest.TestCase):
    def open(self, frames, segments, script=""):
        """Builds a story of segments of a clip with so many frames, and opens its page; a script may run there before."""
        folder = Path(tempfile.mkdtemp(prefix="joins-"))
        self.addCleanup(shutil.rmtree, folder)
        make_clip(folder / "clip.mov", frames)
        (folder / "story.json").write_text(json.dumps({
            "timewarp": "story/1", "title": "Joins", "start": next(iter(segments)),
            "segments": {name: {"media": "clip.mov", **each} for name, each in segments.items()}}))
        timewarp(
            "story", "build", folder / "story.json", "-o", folder / "film", "--preset", "veryfast",
            "--crf", "18")
        served = ServedPage("play", folder / "film", "--no-open")
        self.addCleanup(served.close)
        context = browser().new_context()
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(script)
        page.goto(served.url)
        return page

    def play(self, first, second, choosing_at=None):
        """
        Plays a story of two segments, with further keys, to its end.

        Returns the number and the time on the film's clock of each presented frame that has a number, and the number of
        frames that had been presented when the choice was taken.
        """
        page = self.open(SECOND.stop, {
            "first": {"range": part(FIRST), **first},
            "second": {"range": part(SECOND), "role": "epilogue", **second}})
        page.evaluate(RECORD, choosing_at)
        page.locator("#card").get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("() => document.getElementById('player').dataset.phase === 'ended'")
        looks, taken = page.evaluate("[looks, globalThis.takenAt ?? 0]")
        shown = [(number_in(look["levels"]), look["mediaTime"]) for look in looks]
        return [frame for frame in shown if frame[0] is not None], taken

    @needs("exact frames")
    def test_an_immediate_choice_is_followed_within_a_few_frames(self):
        frames, taken = self.play({
            "events": [{"at": "0.3", "do": "showControls"}], "default": "second",
            "choices": [{"label": "Now", "goto": "second", "immediately": True}]}, {}, choosing_at=1)
        shown = [number for number, _ in frames]
        first = [number for number in shown if number in FIRST]
        second = [number for number in shown if number in SECOND]
        chosen_at = max(number for number, _ in frames[:taken])
        print(f"\n  chosen at frame {chosen_at}, the last of the segment is {first[-1]}, the next is {second[0]}")
        self.assertEqual(shown, first + second, "the first segment never comes back")
        self.assertLessEqual(first[-1] - chosen_at, 4)
        # A busy machine may skip a frame.
        self.assertLessEqual(second[0] - SECOND.start, 2)
        self.assertGreater(len(set(second)), 0.8 * len(SECOND))
        # On the film's clock the two follow each other without a gap.
        join = frames[len(first)][1] - frames[len(first) - 1][1]
        self.assertLess(join, (4 + second[0] - SECOND.start) / FRAME_RATE)

    @needs("exact frames")
    def test_a_dissolve_is_joined_at_both_ends(self):
        # The second segment continues the first one, so both have the same frames during the dissolve: a mix of any others
        # would have no number, or a wrong one.
        frames, _ = self.play({"then": "second"}, {"dissolve": "0.5"})
        start = frames[0][1]
        for number, time in frames:
            self.assertAlmostEqual(time - start, (number - frames[0][0]) / FRAME_RATE, delta=2e-3)
        shown = {number for number, _ in frames}
        dissolve = range(SECOND.start, SECOND.start + FRAME_RATE // 2)
        print(f"\n  {len(shown)} of {SECOND.stop} frames shown, {len(shown & set(dissolve))} of {len(dissolve)} in the dissolve")
        # A busy machine may skip a frame.
        self.assertGreater(len(shown), 0.8 * SECOND.stop)
        self.assertGreater(len(shown & set(dissolve)), 0.8 * len(dissolve))

    def test_a_retry_goes_on_far_into_a_long_segment(self):
        """What comes before is not appended again: a segment may be longer than what a browser keeps."""
        page = self.open(400, {"only": {"range": part(range(400)), "role": "epilogue"}}, """
            HTMLMediaElement.prototype.canPlayType = () => "";
            const { appendBuffer } = SourceBuffer.prototype;
            globalThis.appended = [];
            SourceBuffer.prototype.appendBuffer = function (bytes) {
                appended.push(bytes.length);
                return appendBuffer.call(this, bytes);
            };
        """)
        page.evaluate(RECORD, None)
        page.locator("#card").get_by_role("button", name="Play", exact=True).click()
        for _ in range(3):
            page.keyboard.press(">")
        page.wait_for_function("() => document.getElementById('video').currentTime > 9.5")
        page.evaluate("() => void document.getElementById('video').dispatchEvent(new Event('error'))")
        page.get_by_role("alert").wait_for()
        appended = page.evaluate("appended.splice(0)")
        page.get_by_role("button", name="Retry").click()
        page.wait_for_function("() => document.getElementById('player').dataset.phase === 'ended'")
        # The head, and the last of the fragments.
        head, *again = page.evaluate("appended")
        self.assertEqual([head, *again], [appended[0], *appended[-len(again):]])
        self.assertLess(len(again), len(appended) - 1)
        numbers = [number for number in (number_in(look["levels"]) for look in page.evaluate("looks"))
                   if number is not None]
        back = max(last - number for last, number in zip(numbers, numbers[1:]))
        self.assertLessEqual(back, 2, "it goes on where it was")
