"""The page of the stories: checked, drawn, built and walked in the studio."""

import copy
import json
import shutil

from accessibility import serious
from fixture import make_clip
from story import CAPTIONS, SEGMENTS, entry
from studio import StudioTest, shared_workshop


class Stories(StudioTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.source = cls.workspace / "films"
        if not cls.source.exists():
            cls.source.mkdir()
            make_clip(cls.source / "clip.mov", max(each.end for each in SEGMENTS.values()))
            (cls.source / "prologue.en.vtt").write_text(CAPTIONS)

    def setUp(self):
        shared_workshop()
        for old in self.source.glob("*.json"):
            old.unlink()
        shutil.rmtree(self.workspace / "results", ignore_errors=True)
        (self.workspace / "results").mkdir()
        super().setUp()

    def write(self, change=None, name="test.json"):
        """Writes the story of the tests, perhaps changed, and returns its path."""
        story = {
            "timewarp": "story/1", "title": "The test story", "start": "prologue",
            "variables": {"courage": 0},
            "segments": {name: copy.deepcopy(entry(segment)) for name, segment in SEGMENTS.items()},
        }
        if change:
            change(story)
        path = self.source / name
        path.write_text(json.dumps(story, indent=2))
        return path

    def open(self):
        self.page.get_by_role("link", name="Stories").click()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.wait_until("document.querySelector('.graph-segment') || !document.getElementById('no-findings').hidden"
                        " || document.querySelector('.finding')")

    def build(self):
        self.page.get_by_role("button", name="Build").click()
        self.page.wait_for_selector("#film iframe", timeout=120_000)
        return self.page.frame_locator("#film iframe")

    def segment(self, name):
        return self.page.locator("#graph").get_by_role("button", name=f"{name},")

    def test_a_story_is_drawn_and_its_segments_are_found_in_the_text(self):
        self.write()
        self.open()
        self.assertEqual(self.text("#graph-summary"), "The test story · 5 segments · 1 finding")
        self.wait_until("document.querySelector('.graph-sheet img').naturalWidth > 400")
        self.segment("hall").click()
        self.assertEqual(self.segment("hall").get_attribute("aria-pressed"), "true")
        self.assertIn('"hall": {', self.text("#text [aria-current]"))
        self.assertIn("timewarp story build", self.page.locator("#command").text_content())

    def test_findings_are_at_their_place_and_go_when_the_file_is_mended(self):
        def harm(story):
            story["segments"]["door"]["choices"][0]["goto"] = "hal"
        self.write(harm)
        self.open()
        finding = self.page.locator(".finding.is-error").first
        self.assertIn('There is no segment "hal"', finding.inner_text())
        lines = (self.source / "test.json").read_text().split("\n")
        line = next(number for number, text in enumerate(lines, 1) if '"hal"' in text)
        column = lines[line - 1].index('"hal"') + 1
        self.assertIn(f"films/test.json:{line}:{column}", finding.inner_text())
        finding.click()
        self.assertIn('"goto": "hal"', self.text("#text [aria-current]"))
        self.assertEqual(self.segment("door").get_attribute("aria-pressed"), "true")
        self.assertIn("missing", self.segment("hal").get_attribute("aria-label"))
        build = self.page.get_by_role("button", name="Build")
        self.assertEqual(build.get_attribute("aria-disabled"), "true")
        self.assertIn("errors are mended", self.text("#walk-note"))
        self.write()
        self.page.evaluate("dispatchEvent(new Event('focus'))")
        self.wait_until("!document.querySelector('.finding.is-error')")
        self.assertEqual(build.get_attribute("aria-disabled"), "false")

    def test_a_file_that_is_no_story_says_why(self):
        (self.source / "test.json").write_text('{ "timewarp": "story/1",\n  "title": 3 }')
        self.open()
        self.assertIn("films/test.json:2:12", self.text("#findings"))
        self.assertIn("can't be read as a story yet", self.text("#graph"))

    def test_it_is_built_walked_and_jumps_to_any_segment(self):
        self.write()
        self.open()
        film = self.build()
        film.get_by_role("button", name="Play", exact=True).first.click()
        self.page.wait_for_selector(".graph-segment[data-playing]")
        self.until(lambda: "prologue" in self.playing())
        self.segment("garden").click()
        self.until(lambda: "garden" in self.playing(), "the film doesn't jump to the garden")
        self.wait_until("document.querySelector('#film iframe').contentDocument.querySelector('video').currentTime > 0.1")
        film.get_by_role("button", name="The tower").click()
        self.until(lambda: "tower" in self.playing(), "the choice doesn't lead on")
        path = self.write(lambda story: story.update(title="Another title"))
        self.assertTrue(path.exists())
        self.page.evaluate("dispatchEvent(new Event('focus'))")
        self.becomes("#walk-note", "The story has changed since it was built.")
        self.page.get_by_role("button", name="Build again").wait_for()

    def playing(self):
        marked = self.page.locator(".graph-segment[data-playing]")
        return marked.get_attribute("aria-label") if marked.count() else ""

    def test_a_build_is_cancelled(self):
        def longer(story):
            for segment in story["segments"].values():
                segment["warp"] = {"curve": "constant", "factor": 400}
        self.write(longer)
        self.open()
        self.page.get_by_role("button", name="Build").click()
        self.wait_until("document.getElementById('building-text').textContent.includes('of 5')")
        self.page.locator("#cancel-build").click()
        self.page.get_by_role("button", name="Build").wait_for()
        self.assertEqual(list((self.workspace / "results").iterdir()), [])

    def test_nothing_serious_for_axe(self):
        self.write(lambda story: story["segments"]["door"].pop("default"))
        self.open()
        self.assertEqual(serious(self.page), [])
