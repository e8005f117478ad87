"""`timewarp play`: the page with nothing but a player, with clips, projects and stories."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from fixture import FRAME_RATE, make_clip
from shared import PATIENCE, browser, poll
from studio import CELLS, INTERRUPTED, ServedPage, number_in, source_at

FRAMES, SHORT = 90, 45
SEGMENT = {"media": "clip.mov", "range": ["0", "0.5"]}


class Play(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="play-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        make_clip(cls.folder / "clip.mov", FRAMES)
        make_clip(cls.folder / "short.mov", SHORT)

    def play(self, name, *options):
        """Serves an input of the folder, and opens its page."""
        self.served = ServedPage("play", self.folder / name, *options, "--no-open")
        self.addCleanup(self.end)
        self.context = browser().new_context()
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(self.served.url)

    def end(self):
        self.context.close()
        self.assertIn(self.served.close(), (0, INTERRUPTED))
        self.assertEqual(self.errors, [])

    def write(self, name, content):
        (self.folder / name).write_text(json.dumps(content))

    def seek(self, output):
        slider = self.page.get_by_label("Clip position")
        slider.evaluate(
            "(slider, output) => { slider.value = output; slider.dispatchEvent(new Event('input')); }",
            output)

    def number(self):
        return number_in(self.page.evaluate(CELLS, "video")["levels"])

    def loaded(self):
        """Waits until the clip can play, and returns its time map."""
        self.page.wait_for_function("() => document.getElementById('video').readyState >= 2")
        return self.page.evaluate("async () => (await (await fetch('clip')).json())")

    def test_a_clip_follows_its_curve_at_once(self):
        self.play("clip.mov", "--keyframes", "0:1, 1:3", "--range", "0.5..2.5")
        facts = self.loaded()
        self.assertEqual(facts["map"]["source"][-1], 2)
        length = facts["map"]["output"][-1]
        for output in (0.3, 0.71, length - 0.1):
            self.seek(output)
            place = 0.5 + source_at(facts["map"], output)
            poll(lambda place=place: abs((self.number() or -9) - place * FRAME_RATE) < 1.5,
                 f"the frame at {output} s never came")
        self.page.keyboard.press("Home")
        self.page.keyboard.press("Space")
        self.page.wait_for_function(
            "() => Number(document.getElementById('video').dataset.output) > 0.6")
        look = self.page.evaluate(CELLS, "video")
        expected = (0.5 + source_at(facts["map"], look["output"])) * FRAME_RATE
        self.assertAlmostEqual(number_in(look["levels"]) or expected, expected, delta=6)
        self.page.get_by_role("button", name="Pause").click()

    def test_backwards_it_shows_small_frames_in_order(self):
        self.play("short.mov")
        self.loaded()
        self.page.keyboard.press("End")
        poll(lambda: (self.number() or 0) > SHORT - 3, "the end never came")
        self.page.keyboard.press("j")
        self.page.wait_for_function("() => !document.getElementById('small-frames').hidden")
        numbers = []

        def look():
            number = self.number()
            if number is not None:
                numbers.append(number)
            return number == 0
        poll(look, "it never came to the start")
        self.assertEqual(numbers, sorted(numbers, reverse=True))

    def test_what_the_server_refuses_is_said(self):
        self.play("clip.mov")
        self.loaded()
        self.page.route("**/clip", lambda route: route.fulfill(
            status=500, json={"error": {"message": "The file is gone."}}))
        self.page.reload()
        self.page.wait_for_function("() => document.getElementById('error').textContent === 'The file is gone.'")

    def test_a_project_plays_across_its_cuts(self):
        self.write("edit.json", {
            "timewarp": "composition/1",
            "tracks": [{"segments": [{**SEGMENT, "range": ["1", "2"]}, SEGMENT]}]})
        self.play("edit.json")
        facts = self.loaded()
        self.assertEqual(facts["map"], {"output": [0, 1.5], "source": [0, 1.5]})
        for output, number in [(0.517, 45), (1.217, 6)]:
            self.seek(output)
            poll(lambda number=number: self.number() == number, f"frame {number} never came")

    def test_a_story_is_built_and_plays(self):
        self.write("story.json", {
            "timewarp": "story/1", "title": "A short one", "start": "one",
            "segments": {
                "one": {"media": "clip.mov", "range": ["0", "1"], "role": "epilogue"}}})
        self.play("story.json")
        self.page.wait_for_function("() => document.title === 'A short one'")
        self.page.wait_for_selector("video")


if __name__ == "__main__":
    unittest.main()
