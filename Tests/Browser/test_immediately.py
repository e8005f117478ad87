"""A choice that is followed at once: the segment is left within a few frames, and none of its rest is shown."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from fixture import FRAME_RATE, make_clip
from shared import PATIENCE, browser
from story import timewarp
from studio import CELLS, ServedPage, number_in

# Frames of the clip: the first segment, which offers the choice at 0.3 s, and the one that follows.
FIRST, SECOND = range(0, 90), range(90, 150)

# Reads the cells of every presented frame, and takes the choice when the first segment has shown so many seconds.
RECORD = """(seconds) => {
    const look = %s, video = document.getElementById("video");
    globalThis.looks = [];
    let isTaken = false;
    const next = (now, { mediaTime }) => {
        looks.push({ ...look("video"), mediaTime });
        if (!isTaken && mediaTime >= seconds) {
            isTaken = true;
            globalThis.takenAt = looks.length;
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
        }
        video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
}""" % CELLS


class Immediately(unittest.TestCase):
    def test_the_next_segment_follows_within_a_few_frames(self):
        folder = Path(tempfile.mkdtemp(prefix="immediately-"))
        self.addCleanup(shutil.rmtree, folder)
        make_clip(folder / "clip.mov", SECOND.stop)

        def part(frames):
            return [f"{frames.start}/{FRAME_RATE}", f"{frames.stop}/{FRAME_RATE}"]
        (folder / "story.json").write_text(json.dumps({
            "timewarp": "story/1", "title": "At once", "start": "first",
            "segments": {
                "first": {
                    "media": "clip.mov", "range": part(FIRST), "default": "second",
                    "events": [{"at": "0.3", "do": "showControls"}],
                    "choices": [{"label": "Now", "goto": "second", "immediately": True}]},
                "second": {"media": "clip.mov", "range": part(SECOND), "role": "epilogue"}}}))
        timewarp(
            "story", "build", folder / "story.json", "-o", folder / "film", "--preset", "veryfast",
            "--crf", "18")
        served = ServedPage("play", folder / "film", "--no-open")
        self.addCleanup(served.close)
        context = browser().new_context()
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(served.url)
        page.evaluate(RECORD, 1)
        page.get_by_role("button", name="Play", exact=True).first.click()
        page.wait_for_function("() => document.getElementById('player').dataset.phase === 'ended'")
        looks, taken = page.evaluate("[looks, takenAt]")
        numbers = [number_in(look["levels"]) for look in looks]
        shown = [number for number in numbers if number is not None]
        first = [number for number in shown if number in FIRST]
        second = [number for number in shown if number in SECOND]
        chosen_at = max(number for number in numbers[:taken] if number is not None)
        print(f"\n  chosen at frame {chosen_at}, the last of the segment is {first[-1]}, the next is {second[0]}")
        self.assertEqual(shown, first + second, "the first segment never comes back")
        self.assertLessEqual(first[-1] - chosen_at, 4)
        # A busy machine may skip a frame.
        self.assertLessEqual(second[0] - SECOND.start, 2)
        self.assertGreater(len(set(second)), 0.8 * len(SECOND))
        # On the film's clock the two follow each other without a gap.
        times = [look["mediaTime"] for look, number in zip(looks, numbers) if number is not None]
        join = times[len(first)] - times[len(first) - 1]
        self.assertLess(join, (4 + second[0] - SECOND.start) / FRAME_RATE)


if __name__ == "__main__":
    unittest.main()
