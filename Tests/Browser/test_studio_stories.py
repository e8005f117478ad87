"""The page of the stories: checked, drawn, built and walked in the studio."""

import copy
import json
import shutil

from accessibility import serious
from fixture import FRAME_RATE, make_clip
from story import CAPTIONS, SEGMENTS, entry
from studio import StudioTest, shared_workshop


class Stories(StudioTest):
    path = "/stories.html"
    startsWith = None

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

    def leave(self):
        # The next test removes the story whose graph may still be on its way.
        self.wait_until("document.querySelector('.graph-sheet img')?.complete ?? true")
        super().leave()

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
        """Opens the page of the stories that have been written."""
        self.open_page()
        self.is_drawn()
        # From now on the page fetches nothing by itself.
        self.wait_until("document.documentElement.dataset.listens")

    def is_drawn(self):
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
        self.open_page("/")
        self.page.get_by_role("link", name="Stories").click()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.is_drawn()
        self.assertEqual(self.text("#graph-summary"), "The test story · 5 segments · 1 finding")
        self.wait_until("document.querySelector('.graph-sheet img').naturalWidth > 400")
        self.segment("hall").click()
        self.assertEqual(self.segment("hall").get_attribute("aria-pressed"), "true")
        self.assertIn('"hall": {', self.text("#text [aria-current]"))
        self.assertIn("timewarp story build", self.page.locator("#command").text_content())

    def test_times_are_moved_on_the_frames_and_only_they_change_in_the_file(self):
        path = self.write()
        before = path.read_text()
        self.open()
        self.segment("hall").click()
        self.becomes("#times-title", "hall")
        marks = self.page.locator("#times-strip").get_by_role("slider")
        events = json.loads(before)["segments"]["hall"]["events"]
        self.assertEqual(marks.count(), 2 + len(events))
        self.wait_until("document.querySelector('#times-strip img').naturalWidth > 100")
        self.assertEqual(serious(self.page), [])

        def written():
            return json.loads(path.read_text())["segments"]["hall"]
        # By a key: one frame, exactly, and every other byte is as it was.
        old = events[0]["at"]
        shown = marks.nth(2).get_attribute("aria-valuenow")
        marks.nth(2).press("ArrowRight")
        self.until(lambda: written()["events"][0]["at"] != old)
        new = written()["events"][0]["at"]
        self.assertEqual(before.count(f'"at": {json.dumps(old)}'), 1)
        self.assertEqual(path.read_text(), before.replace(f'"at": {json.dumps(old)}', f'"at": {json.dumps(new)}'))
        numerator, _, denominator = str(new).partition("/")
        frame = float(numerator) / float(denominator or 1) * FRAME_RATE
        was, _, parts = str(old).partition("/")
        self.assertAlmostEqual(frame, round(float(was) / float(parts or 1) * FRAME_RATE + 1), delta=1e-6)
        # By dragging, the focus stays on the mark.
        self.wait_until("document.activeElement.dataset.mark === '2'")
        # Once the file is written, the marks are made again.
        self.until(lambda: marks.nth(2).get_attribute("aria-valuenow") != shown)
        [box] = self.boxes(marks.nth(1))
        x, y = box["x"] + box["width"] / 2, box["y"] + 10
        end = marks.nth(1).get_attribute("aria-valuenow")
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x - 40, y, steps=4)
        self.page.mouse.up()
        self.until(lambda: float(marks.nth(1).get_attribute("aria-valuenow")) < float(end))
        # And back, in two steps.
        undo = self.page.get_by_role("button", name="Undo")
        undo.click()
        self.until(lambda: marks.nth(1).get_attribute("aria-valuenow") == end)
        undo.click()
        self.until(lambda: path.read_text() == before)
        self.page.wait_for_selector("#undo[aria-disabled=true]")
        # All of the clip, and a part of it again, whose ends are on frames.
        part = self.page.locator("#times-part")
        part.click()
        self.becomes("#times-part", "Part of it")
        self.assertNotIn("range", written())
        part.click()
        self.becomes("#times-part", "Whole clip")
        self.assertEqual(marks.count(), 2 + len(events))
        self.assertEqual(written()["range"][0], "0")
        end, whole = (float(marks.nth(1).get_attribute(each)) for each in ("aria-valuenow", "aria-valuemax"))
        self.assertAlmostEqual(end, whole, delta=1.5 / FRAME_RATE)
        self.assertNotIn("error", self.text("#findings").lower())

    # Making

    def written(self, name="test.json"):
        return json.loads((self.source / name).read_text())

    def link(self, a, b):
        """Drags a choice from one segment to another."""
        [start], [end] = (self.boxes(self.page.locator(each)) for each in (
            f'.graph-port[data-from="{a}"]', f'.graph-segment[data-name="{b}"]'))
        self.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
        self.page.wait_for_selector(f'.graph-segment.is-target[data-name="{b}"]')
        self.page.mouse.up()

    def test_a_story_is_made_of_clips_linked_by_hand_and_played(self):
        path = self.workspace / "Two rooms.json"
        path.unlink(missing_ok=True)
        self.open_page()
        self.page.get_by_role("button", name="New story").click()
        dialog = self.page.get_by_role("dialog", name="New story")
        dialog.get_by_label("Title").fill("Two rooms")
        dialog.get_by_label("clip.mov").check()
        self.assertEqual(serious(self.page), [])
        dialog.get_by_role("button", name="Create").click()
        self.segment("clip").wait_for()
        self.page.get_by_role("button", name="Add films/clip.mov to the story").click()
        self.segment("clip 2").wait_for()
        self.wait_until("[...document.querySelectorAll('.graph-segment img')].filter((each) => each.naturalWidth > 20)"
                        ".length === 2")
        self.link("clip", "clip 2")
        # Its label is written at once.
        self.wait_until("document.activeElement.classList.contains('choice-label')")
        self.page.keyboard.type("On we go")
        self.page.keyboard.press("Enter")
        self.until(lambda: json.loads(path.read_text())["segments"]["clip"].get("choices", [{}])[0].get("label") == "On we go")
        story = json.loads(path.read_text())
        self.assertEqual((story["title"], story["start"]), ("Two rooms", "clip"))
        self.assertEqual(story["segments"]["clip 2"], {"media": "films/clip.mov", "role": "epilogue"})
        self.assertEqual(story["segments"]["clip"]["default"], "clip 2")
        self.until(lambda: self.text("#graph-summary") == "Two rooms · 2 segments · nothing wrong")
        self.assertEqual(serious(self.page), [])
        film = self.build()
        film.locator("#card").get_by_role("button", name="Play", exact=True).click()
        film.get_by_role("button", name="On we go").click()
        self.until(lambda: "clip 2" in self.playing(), "the choice doesn't lead on")
        path.unlink()

    def test_a_clip_is_dropped_on_a_segment_and_follows_it(self):
        self.write()
        self.open()
        clip = self.page.locator("#story-clips li", has_text="clip.mov")
        clip.drag_to(self.segment("hall"))
        self.segment("clip").wait_for()
        self.assertEqual(self.written()["segments"]["clip"], {"media": "clip.mov", "role": "epilogue"})
        self.assertIn({"label": "Clip", "goto": "clip"}, self.written()["segments"]["hall"]["choices"])
        self.assertEqual(self.segment("hall").get_attribute("aria-pressed"), "true")
        # On the ground it only becomes a segment.
        clip.drag_to(self.page.locator("#graph"), target_position={"x": 8, "y": 8})
        self.segment("clip 2").wait_for()
        self.assertEqual(self.written()["segments"]["clip 2"], {"media": "clip.mov", "role": "epilogue"})

    def test_fields_write_what_they_say_and_undo_takes_it_back(self):
        path = self.write()
        before = path.read_text()
        self.open()
        self.page.get_by_label("Add", exact=True).fill("doors")
        self.page.get_by_label("Add", exact=True).press("Enter")
        self.until(lambda: self.written()["variables"] == {"courage": 0, "doors": 0})
        self.segment("door").click()
        panel = self.page.locator("#segment-panel")
        first = panel.locator(".choice").first
        first.get_by_label("doors =").fill("doors + 1")
        first.get_by_label("doors =").press("Enter")
        self.until(lambda: "doors" in self.written()["segments"]["door"]["choices"][0].get("set", {}))
        # A formula that can't be read isn't written.
        kept = path.read_text()
        self.allowed.append("422")
        first.get_by_label("If").fill("doors >")
        first.get_by_label("If").press("Enter")
        self.page.wait_for_selector("#error-segment:not(:empty)")
        self.assertEqual(path.read_text(), kept)
        first.get_by_label("If").fill("doors > 1")
        first.get_by_label("If").press("Enter")
        self.until(lambda: self.written()["segments"]["door"]["choices"][0].get("when") == "doors > 1")
        self.becomes("#error-segment", "")
        panel.get_by_label("Name", exact=True).fill("gate")
        panel.get_by_label("Name", exact=True).press("Enter")
        self.becomes("#segment-title", "gate")
        self.assertNotIn('"door"', path.read_text())
        panel.get_by_role("button", name="Other…").click()
        self.until(lambda: any(each["do"] == "event" for each in self.written()["segments"]["gate"]["events"]))
        panel.get_by_role("button", name="Remove the segment").click()
        self.page.wait_for_selector("#story-panel:not([hidden])")
        self.assertNotIn("gate", path.read_text())
        self.page.locator("#graph").focus()
        while path.read_text() != before:
            now = path.read_text()
            self.page.keyboard.press("Control+z")
            self.until(lambda now=now: path.read_text() != now)
        self.page.wait_for_selector("#undo[aria-disabled=true]")
        self.page.keyboard.press("Control+Shift+z")
        self.until(lambda: self.written()["variables"] == {"courage": 0, "doors": 0})

    def test_the_text_is_written_by_hand_also_when_it_is_no_story(self):
        path = self.write()
        self.open()
        before = path.read_text()
        self.page.get_by_role("button", name="Edit text").click()
        self.page.locator("#written-text").fill("{ not yet")
        self.page.get_by_role("button", name="Save").click()
        self.page.wait_for_selector(".finding.is-error")
        self.assertEqual(path.read_text(), "{ not yet")
        self.page.get_by_role("button", name="Undo").click()
        self.segment("door").wait_for()
        self.assertEqual(path.read_text(), before)

    def test_a_time_isnt_changed_in_a_file_that_somebody_else_changed(self):
        path = self.write()
        self.open()
        self.segment("hall").click()
        self.becomes("#times-title", "hall")
        other = self.write(lambda story: story.update(title="Changed elsewhere"))
        text = other.read_text()
        self.allowed.append("409")
        self.page.locator("#times-strip").get_by_role("slider").nth(2).press("ArrowRight")
        self.wait_until("document.getElementById('error-times').textContent.includes('another program')")
        self.assertEqual(path.read_text(), text)

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
        self.assertIn("Fix the errors", self.text("#walk-note"))
        self.write()
        self.page.evaluate("dispatchEvent(new Event('focus'))")
        self.wait_until("!document.querySelector('.finding.is-error')")
        self.assertEqual(build.get_attribute("aria-disabled"), "false")

    def test_of_two_stories_the_one_that_was_chosen_last_is_shown(self):
        self.write(name="a.json")
        self.write(lambda story: story.update(title="The second"), name="b.json")
        self.open()
        first = next(each["id"] for each in self.api("/api/stories")["stories"] if each["name"].endswith("a.json"))
        self.page.locator("#stories .pick", has_text="b.json").click()
        self.until(lambda: self.text("#graph-summary").startswith("The second"))
        held = []
        self.page.route(f"**/api/stories/{first}", lambda route: held.append(route))
        self.page.locator("#stories .pick", has_text="a.json").click()
        self.until(lambda: held)
        self.page.locator("#stories .pick", has_text="b.json").click()
        with self.page.expect_response(f"**/api/stories/{first}") as answer:
            held[0].continue_()
        answer.value.finished()
        self.page.evaluate("new Promise((done) => setTimeout(done))")
        self.assertTrue(self.text("#graph-summary").startswith("The second"))
        self.assertEqual(self.page.locator("#stories [aria-current]").inner_text().strip(), "films/b.json")

    def test_a_file_that_is_no_story_says_why(self):
        (self.source / "test.json").write_text('{ "timewarp": "story/1",\n  "title": 3 }')
        self.open()
        self.assertIn("films/test.json:2:12", self.text("#findings"))
        self.assertIn("can't be read as a story yet", self.text("#graph"))

    def test_it_is_built_walked_and_jumps_to_any_segment(self):
        self.write()
        self.open()
        film = self.build()
        film.locator("#card").get_by_role("button", name="Play", exact=True).click()
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
