"""Edits: clips with curves of their own in a row, which are a clip together."""

import json

from accessibility import serious
from engines import needs
from fixture import write_tone
from studio import StudioTest


class Edits(StudioTest):
    """The clip has a second: after each change of an edit, all that the page shows of it is made again."""

    startsWith = "second.mov"

    def setUp(self):
        """Each test opens the page: without an edit, or with one."""

    def open_page(self, **options):
        super().open_page(**options)
        # What is made from an edit goes away when the edit changes, perhaps just when the page fetches it.
        self.allowed.append("404")
        self.use_clip()

    def add(self):
        self.page.get_by_role("button", name="Add to an edit").click()

    def curve(self, name, factor, length):
        """Chooses a curve, and waits for the length that it gives."""
        self.choose_curve(name)
        self.set_number("Factor", factor)
        self.becomes("#figure-length", length)

    def blocks(self):
        return self.page.locator(".edit-block")

    def has_clips(self, number):
        self.until(lambda: self.blocks().count() == number, f"there aren't {number} clips")

    def edit(self):
        """The edit as the server has it, once everything is saved."""
        self.until(lambda: self.text("#edit-note") == "Saved")
        return self.api("/api/edits/" + self.open_edit())

    def open_edit(self):
        """The id of the open edit, once the page has stored it."""
        self.until(lambda: self.stored().get("edit"))
        return self.stored()["edit"]

    def project(self):
        """The newest project file."""
        files = sorted((self.workspace / "edits").glob("*.json"), key=lambda file: file.stat().st_mtime)
        return json.loads(files[-1].read_text())

    def three(self):
        """Opens an edit of the clip at half speed, at normal speed, and backwards, as it was left in the studio."""
        clips = [({"warp": {"curve": "constant", "factor": 2}}, "2"), ({"warp": {"curve": "constant", "factor": 1}}, "1"),
                 ({"play": "reversed"}, "1")]
        number = 1 + len(json.loads(self.studio.ask("GET", "/api/edits"))["edits"])
        made = json.loads(self.studio.ask("POST", "/api/edits", {"name": f"Edit {number}", "clips": [
            {"segment": {"media": self.media, **segment}, "whole": float(end), "start": "0", "end": end}
            for segment, end in clips]}))
        self.open_page(stored={"draft": {"media": self.media}, "edit": made["id"]})
        self.has_clips(3)
        self.becomes("#edit-length", "4 s")

    def segments(self):
        return self.project()["tracks"][0]["segments"]

    def test_clips_keep_their_own_curves_and_lengths_however_soon_they_are_added(self):
        self.open_page()
        before = len(self.api("/api/edits")["edits"])
        self.curve("Constant", 1, "1 s")
        # A press too many makes no second edit.
        self.page.evaluate("""() => {
            const key = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "e", bubbles: true }));
            key();
            key();
        }""")
        self.until(lambda: self.blocks().count() > 0)
        self.open_edit()
        self.assertEqual(len(self.api("/api/edits")["edits"]), before + 1)
        self.page.get_by_role("button", name="Close the edit").click()
        # A clip that is added before its curve is evaluated.
        self.page.evaluate("""() => {
            const { fetch } = globalThis;
            globalThis.fetch = async (path, options) => {
                if (path === "/api/evaluate" && !globalThis.letEvaluate) {
                    await new Promise((resolve) => { globalThis.letEvaluate = resolve; });
                }
                return fetch(path, options);
            };
        }""")
        self.set_number("Factor", 2)
        self.wait_until("globalThis.letEvaluate")
        self.add()
        self.page.evaluate("letEvaluate()")
        self.has_clips(1)
        self.becomes("#edit-length", "2 s")
        clip = self.api("/api/edits/" + self.open_edit())["clips"][0]
        self.assertEqual((clip["end"], clip["segment"]["warp"]["factor"]), ("2", 2))
        self.curve("Constant", 1, "1 s")
        self.add()
        self.has_clips(2)
        self.evaluated(lambda: self.page.get_by_role("tab", name="Reverse").click())
        self.add()
        self.has_clips(3)
        self.becomes("#edit-length", "4 s")
        self.edit()
        first, second, third = self.segments()
        self.assertEqual((first["warp"]["curve"], first["warp"]["factor"]), ("constant", 2))
        self.assertEqual((second["warp"]["curve"], second["warp"]["factor"]), ("constant", 1))
        self.assertEqual(third["play"], "reversed")
        self.assertTrue((self.workspace / "edits" / first["media"]).resolve().exists())
        self.assertTrue(self.text("#edit-track").count(self.clip.name) == 3)

    def test_a_clip_dissolves_and_is_trimmed_by_dragging_by_keys_and_by_numbers(self):
        self.three()
        # A dissolve takes what it needs of both.
        self.blocks().nth(1).click()
        field = self.page.get_by_role("textbox", name="Dissolve")
        field.fill("0.2")
        field.press("Enter")
        self.becomes("#edit-length", "3.8 s")
        self.until(lambda: "dissolve" in self.edit()["clips"][1])
        clips = self.edit()["clips"]
        self.assertEqual((clips[0]["end"], clips[1]["start"], clips[1]["dissolve"]), ("1.9", "0.1", "0.2"))
        self.assertEqual(self.segments()[1]["dissolve"], "0.2")
        self.assertTrue(self.page.locator(".edit-dissolve").is_visible())
        # On a phone it would cover the settings if it stayed.
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.page.locator("#export-group > summary").click(trial=True)
        self.page.set_viewport_size({"width": 1440, "height": 900})
        field.focus()
        self.page.keyboard.press("Control+z")
        self.becomes("#edit-length", "4 s")
        handle = self.page.get_by_role("slider", name="End of clip 2")
        box, block = self.boxes(handle, self.blocks().nth(1))
        y = box["y"] + 5
        self.page.mouse.move(box["x"] + 7, y)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + 7 - block["width"] / 2, y, steps=6)
        self.page.mouse.up()
        self.until(lambda: abs(float(handle.get_attribute("aria-valuenow")) - 0.5) < 0.1)
        before = float(handle.get_attribute("aria-valuenow"))
        handle.press("ArrowLeft")
        self.until(lambda: abs(float(handle.get_attribute("aria-valuenow")) - before + 1 / 30) < 1e-3)
        start = self.page.get_by_role("slider", name="Start of clip 2")
        start.focus()
        start.press("Shift+ArrowRight")
        self.until(lambda: abs(float(start.get_attribute("aria-valuenow")) - 1 / 3) < 1e-3)
        self.assertEqual(self.page.evaluate("document.activeElement.getAttribute('aria-label')"), "Start of clip 2")
        self.until(lambda: abs(float(self.edit()["clips"][1]["end"]) - before + 1 / 30) < 1e-3)
        self.page.locator("#edit-title").click()
        self.page.keyboard.press("Control+z")
        self.until(lambda: float(start.get_attribute("aria-valuenow")) == 0)
        # Decimals are typed.
        self.blocks().nth(1).click()
        gain = self.page.get_by_role("textbox", name="Gain")
        for text, kept in [("-6", "-6 dB"), ("mute", "mute"), ("0", "0 dB"), ("loud", "loud")]:
            gain.fill(text)
            gain.press("Enter")
            self.assertEqual(gain.input_value(), kept)
        # What isn't a gain stays to be mended, with a hint, and gives the old one back when the field is left.
        self.assertIn('from -96 to 24 dB, or "mute"', gain.evaluate("(field) => field.validationMessage"))
        self.page.locator("#edit-name").focus()
        self.assertEqual(gain.input_value(), "0 dB")
        self.assertEqual(gain.evaluate("(field) => field.validationMessage"), "")
        for label, text, member in [("From", "0.25", "start"), ("To", "0.75", "end"), ("Dissolve", "0.25", "dissolve")]:
            field = self.page.get_by_role("textbox", name=label, exact=True)
            field.focus()
            self.page.keyboard.press("Control+a")
            for key in text:
                self.page.keyboard.press(key)
            self.assertEqual(field.input_value(), text, "what is typed stays")
            self.page.keyboard.press("Enter")
            self.assertEqual(field.input_value(), text)
            self.until(lambda: self.edit()["clips"][1].get(member) == text)
        # Beyond the clip's end it is its end; a share is one of the clip; what isn't a time stays until the field is left.
        end = self.page.get_by_role("textbox", name="To", exact=True)
        end.fill("99")
        end.press("Enter")
        self.assertEqual(end.input_value(), "1")
        for text, shown, is_bad in [("75%", "0.75", False), ("soon", "soon", True), ("1", "1", False), ("no", "no", True)]:
            end.fill(text)
            end.press("Enter")
            self.assertEqual(end.input_value(), shown)
            self.assertEqual(end.get_attribute("aria-invalid") == "true", is_bad)
            self.assertEqual("60f" in end.evaluate("(field) => field.validationMessage"), is_bad)
        self.page.locator("#edit-name").focus()
        self.assertEqual(end.input_value(), "1")
        self.assertNotEqual(end.get_attribute("aria-invalid"), "true")

    def test_the_picture_at_the_end_that_is_trimmed_is_above_it(self):
        self.three()
        picture = self.page.locator("#edit-trim")
        handle = self.page.get_by_role("slider", name="End of clip 1")
        box, block = self.boxes(handle, self.blocks().first)
        x, y = box["x"] + 7, box["y"] + 5
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for share in (1 / 8, 1 / 2):
            self.page.mouse.move(x - block["width"] * share, y, steps=4)
            # The clip has half its speed.
            end = float(handle.get_attribute("aria-valuenow"))
            self.until(lambda end=end: self.shown("edit-trim-video")[0] == int((end - 1 / 60) / 2 * 30))
            above, grip = self.boxes(picture, handle)
            self.assertLessEqual(above["y"] + above["height"], grip["y"])
            self.assertLess(abs(above["x"] + above["width"] / 2 - grip["x"]), above["width"])
        self.page.mouse.up()
        self.assertFalse(picture.is_visible())
        # The third clip plays backwards.
        start = self.page.get_by_role("slider", name="Start of clip 3")
        start.press("ArrowRight")
        self.until(lambda: self.shown("edit-trim-video")[0] == 28)
        start.press("Shift+ArrowRight")
        self.until(lambda: self.shown("edit-trim-video")[0] == 18)
        start.press("Tab")
        self.until(lambda: not picture.is_visible())

    def test_a_clip_of_the_list_is_dragged_to_its_place(self):
        self.three()
        row = self.page.locator("#media > li", has_text=self.clip.name).first
        block, = self.boxes(self.blocks().nth(1))
        row.drag_to(self.page.locator("#edit-lanes"), target_position={
            "x": block["x"] - self.boxes(self.page.locator("#edit-lanes"))[0]["x"] + 4, "y": block["height"] / 2})
        self.has_clips(4)
        self.assertEqual(self.blocks().nth(1).get_attribute("aria-pressed"), "true")

    def test_clips_are_moved_and_taken_out_and_their_curves_changed(self):
        self.three()
        self.blocks().nth(1).click()
        self.assertEqual(serious(self.page, "#edit-panel"), [])
        first, third = self.boxes(self.blocks().first, self.blocks().nth(2))
        self.page.mouse.move(third["x"] + third["width"] / 2, third["y"] + 20)
        self.page.mouse.down()
        self.page.mouse.move(first["x"] + 5, third["y"] + 20, steps=8)
        self.page.mouse.up()
        self.until(lambda: "backwards" in self.blocks().first.inner_text())
        self.blocks().first.focus()
        self.blocks().first.press("Alt+ArrowRight")
        self.until(lambda: "backwards" in self.blocks().nth(1).inner_text())
        self.page.keyboard.press("Delete")
        self.has_clips(2)
        self.until(lambda: len(self.edit()["clips"]) == 2)
        self.page.locator("#edit-title").click()
        self.page.keyboard.press("Control+z")
        self.has_clips(3)
        self.blocks().first.click()
        self.page.get_by_role("button", name="Change its curve").click()
        self.wait_until("document.getElementById('factor-number').value === '2'")
        self.wait_until("document.querySelector('#tab-warp[aria-selected=true]')")
        self.evaluated(lambda: self.set_number("Factor", 0.5))
        self.page.get_by_role("button", name="Update", exact=True).click()
        self.becomes("#edit-length", "2.5 s")

    def sounds(self):
        return [(each["at"], each["start"], each["end"], each.get("gain", 0)) for each in self.edit()["sounds"]]

    def test_music_is_placed_trimmed_and_heard_with_the_clips(self):
        music = self.studio.upload(self.music())
        self.three()
        self.evaluated(lambda: self.page.locator("#media [data-act=choose]", has_text="music.wav").first.click())
        self.becomes("#source-name", "music.wav")
        self.add()
        # At its own speed, although the page begins with a curve, and as long as the picture.
        self.until(lambda: self.page.locator(".edit-sound").count() == 1)
        self.assertEqual(self.sounds(), [("0", "0", "4", 0)])
        self.assertEqual(self.edit()["sounds"][0]["segment"], {"media": music, "speed": 1})
        self.page.wait_for_selector(".edit-wave polygon")
        self.assertEqual(serious(self.page), [])
        # It is dragged near the second cut, which is at 3 s, and snaps.
        [sound], [clip] = self.boxes(self.page.locator(".edit-sound")), self.boxes(self.blocks().nth(1))
        x, y = sound["x"] + 30, sound["y"] + 12
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + clip["x"] + clip["width"] + 1 - sound["x"], y, steps=4)
        self.page.mouse.up()
        self.until(lambda: self.sounds()[0][0] == "3", "it isn't at the cut")
        handle = self.page.get_by_role("slider", name="Start of sound 1")
        handle.press("Shift+ArrowRight")
        self.until(lambda: self.sounds() == [("4", "1", "4", 0)])
        self.page.keyboard.press("Control+z")
        self.until(lambda: self.sounds()[0][:2] == ("3", "0"))
        self.page.locator("#edit-gain").fill("−12 dB")
        self.page.locator("#edit-gain").press("Enter")
        self.until(lambda: self.sounds() == [("3", "0", "4", -12)])
        for label, text in [("Fade in", "0.5"), ("Fade out", "25%")]:
            self.page.get_by_role("textbox", name=label).fill(text)
            self.page.get_by_role("textbox", name=label).press("Enter")
        # A quarter of what is heard, and as wide as it is long.
        self.until(lambda: [self.edit()["sounds"][0].get(key) for key in ("dissolve", "fadeOut")] == ["0.5", "1"])
        [sound] = self.boxes(self.page.locator(".edit-sound"))
        for way, share in (("in", 0.5 / 4), ("out", 1 / 4)):
            [fade] = self.boxes(self.page.locator(f".edit-fade.{way}"))
            self.assertAlmostEqual(fade["width"] / sound["width"], share, delta=0.02)
        tracks = self.project()["tracks"]
        self.assertEqual([each["carries"] for each in tracks], ["both", "sound"])
        self.assertEqual(tracks[1]["segments"][0], {"gap": "3"})
        self.assertEqual(tracks[1]["segments"][1]["gain"], -12)
        # All of the edit is in the window, with the ruler and the fields, too.
        self.page.locator("#edit-use").click()
        self.until(lambda: self.page.locator("#edit-ruler").is_visible())
        tools = self.page.locator("#edit-tools")
        height = self.page.evaluate("innerHeight")
        self.until(lambda: sum(self.boxes(tools)[0][key] for key in ("y", "height")) <= height)
        self.page.locator(".edit-sound button").press("Delete")
        self.until(lambda: "sounds" not in self.edit())

    def test_one_press_plays_the_edit_and_its_playhead_follows(self):
        self.three()
        self.page.locator("#edit-play").click()
        playhead = self.page.locator("#edit-playhead")
        self.until(lambda: playhead.is_visible())
        self.wait_until("document.getElementById('source-video').currentTime > 0.2")
        at = lambda: float(playhead.evaluate("(each) => each.style.translate").removesuffix("px") or 0)
        self.until(lambda: at() > 5)
        # A press of the mouse leaves the space bar to the player.
        self.page.keyboard.press("Space")
        self.wait_until("document.getElementById('source-video').paused")
        # The result shows where it is, too.
        self.page.keyboard.press("v")
        before = at()
        self.page.get_by_role("slider", name="Result position").fill("3")
        self.until(lambda: at() > before + 5)

    def test_an_edit_that_is_the_clip_has_a_playhead_that_is_dragged(self):
        self.three()
        ruler, playhead = self.page.locator("#edit-ruler"), self.page.locator("#edit-playhead")
        self.assertFalse(ruler.is_visible() or playhead.is_visible())
        self.page.get_by_role("button", name="Curve over all").click()
        ruler.wait_for()
        self.wait_until("document.getElementById('source-video').readyState >= 2")
        [third] = self.boxes(self.blocks().nth(2))
        [box] = self.boxes(ruler)
        self.page.mouse.move(box["x"] + 20, box["y"] + 6)
        self.page.mouse.down()
        self.page.mouse.move(third["x"] + third["width"] / 2, box["y"] + 6, steps=4)
        self.page.mouse.up()
        # In the middle of the third clip, which begins at 3 s and lasts one.
        self.until(lambda: abs(float(self.text("#source-transport .now")[2:]) - 3.5) < 0.05, "it isn't sought")
        self.until(lambda: abs(self.boxes(playhead)[0]["x"] - third["x"] - third["width"] / 2) < 12)

    def test_sound_that_was_matched_goes_onto_the_picture_in_one_press(self):
        music = self.studio.upload(self.music())
        super().open_page(stored={"draft": {"media": music, "task": "stretch", "stretch": {
            "to": "match", "reference": self.media, "isMatched": True, "length": "1", "anchors": [[0, 0], [8, 1]]}}})
        self.becomes("#figure-length", "1 s")
        self.page.get_by_role("button", name=f"Put on {self.clip.name}").click()
        self.until(lambda: self.page.locator(".edit-sound").count() == 1)
        edit = self.edit()
        self.assertEqual([(each["segment"]["media"], each["gain"]) for each in edit["clips"]], [(self.media, -96)])
        self.assertEqual(edit["sounds"][0]["segment"]["duration"], "1")
        self.assertEqual(self.sounds(), [("0", "0", "1", 0)])

    def music(self):
        path = self.folder / "music.wav"
        if not path.exists():
            write_tone(path, 9)
        return path

    def test_the_edit_is_a_clip_with_a_curve_over_all_which_is_fetched_again_when_it_changes(self):
        self.three()
        self.page.get_by_role("button", name="Curve over all").click()
        self.wait_until("document.getElementById('source-name').textContent.startsWith('Edit ')")
        self.becomes("#figure-length", "4 s")
        self.until(lambda: "2 s" in self.text("#edit-ruler"))
        self.wait_until("document.getElementById('source-video').readyState >= 2")
        self.assertTrue(self.page.locator("#curve-menu input[value=constant]").is_checked())
        # A curve that is chosen then isn't flat.
        self.evaluated(lambda: self.choose_curve("Ramp"))
        self.becomes("#figure-minimum", "0.667×")
        self.add()
        self.assertIn("can't contain itself", self.text("#error-edit"))
        self.curve("Constant", 0.5, "2 s")
        edit = self.open_edit()
        fetched = lambda part: self.page.evaluate(
            """([edit, part]) => performance.getEntriesByType("resource")
                .filter(({ name }) => name.includes(edit) && name.includes(part)).length""", [edit, part])
        parts = ("/waveform", "/strip")
        self.until(lambda: all(fetched(part) for part in parts))
        before = {part: fetched(part) for part in parts}
        # The edit is changed while it is the clip.
        self.blocks().nth(1).click()
        self.page.keyboard.press("Delete")
        self.becomes("#figure-length", "1.5 s")
        self.until(lambda: all(fetched(part) > before[part] for part in parts))
        self.page.locator("#edit-title").click()
        self.page.keyboard.press("Control+z")
        self.becomes("#figure-length", "2 s")
        self.render()
        render = self.api("/api/renders")["renders"][0]
        self.assertAlmostEqual(render["outputDuration"], 2, 2)
        # Half speed, then normal speed, then backwards: all twice as fast.
        self.page.locator("#result-title").click()
        self.page.keyboard.press("k")
        for output, number in [(0.5, 15), (1.25, 15), (1.625, 22)]:
            self.page.get_by_role("slider", name="Result position").fill(str(output))
            self.until(lambda: self.shown("result-video")[0] in range(number - 2, number + 3),
                       f"at {output} s the result shows {self.shown('result-video')[0]}, not {number}")

    def test_it_is_exported_and_found_again_and_only_changes_are_saved(self):
        self.three()
        id = self.open_edit()
        version = self.edit()["version"]
        # What was changed last is saved before it is exported.
        self.rename("Opening")
        self.page.select_option("#edit-format", "otio")
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Export").first.click()
        self.assertTrue(download.value.suggested_filename.startswith("Opening."))
        project = json.loads(download.value.path().read_text())
        self.assertEqual(project["OTIO_SCHEMA"], "Timeline.1")
        self.assertEqual(len(project["tracks"]["children"][0]["children"]), 3)
        self.assertEqual(self.api(f"/api/edits/{id}")["name"], "Opening")
        # And so it is when it is closed.
        self.rename("Closed")
        self.page.get_by_role("button", name="Close the edit").click()
        self.assertFalse(self.page.locator("#edit-panel").is_visible())
        self.until(lambda: self.api(f"/api/edits/{id}")["name"] == "Closed")
        self.page.locator("#media button.pick", has_text="Closed.json").first.click()
        self.page.get_by_role("button", name="Clips", exact=True).click()
        self.has_clips(3)
        self.assertEqual(self.name().input_value(), "Closed")
        self.assertEqual(self.open_edit(), id)
        # A reload saves nothing.
        self.page.reload()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.has_clips(3)
        self.rename("After the reload")
        self.until(lambda: self.edit()["name"] == "After the reload")
        self.assertEqual(self.edit()["version"], version + 3)

    # Saving

    def change_elsewhere(self, name, here=None):
        """Changes the open edit's name as another tab does; and in this tab, before the page hears of the other."""
        found = self.edit()
        body = {"name": name, "clips": found["clips"], "basis": found["version"]}
        status = self.page.evaluate(
            """([id, body, here]) => {
                // While it waits for the response, the page neither hears of the change nor saves its own.
                const request = new XMLHttpRequest();
                request.open("PUT", `/api/edits/${id}`, false);
                request.send(JSON.stringify(body));
                const field = document.getElementById("edit-name");
                if (here) {
                    field.value = here;
                    field.dispatchEvent(new Event("input"));
                    field.dispatchEvent(new Event("change"));
                }
                return request.status;
            }""", [found["id"], body, here])
        self.assertEqual(status, 200)

    def name(self):
        return self.page.get_by_role("textbox", name="Name of the edit")

    def rename(self, name):
        self.name().fill(name)
        self.name().press("Enter")

    def test_another_tab_s_change_is_taken_unless_there_is_one_here_and_saves_follow_each_other(self):
        self.three()
        self.edit()
        self.change_elsewhere("Elsewhere")
        self.until(lambda: self.name().input_value() == "Elsewhere")
        self.has_clips(3)
        self.allowed.append("409")
        for button, here, name in [("Keep this one", "Here", "Here"),
                                   ("Take that version", "Here again", "Elsewhere again")]:
            self.change_elsewhere("Elsewhere again", here=here)
            self.becomes("#error-edit", "This edit was changed in another tab.")
            self.page.get_by_role("button", name=button).click()
            self.until(lambda: self.edit()["name"] == name)
            self.until(lambda: self.name().input_value() == name)
            self.becomes("#error-edit", "")
            self.assertFalse(self.page.locator("#edit-conflict").is_visible())
        held, sent = [], []

        def hold(route):
            sent.append(route.request.post_data_json["name"])
            if len(sent) == 1:
                held.append(route)
            else:
                route.continue_()
        self.page.route("**/api/edits/*", lambda route: hold(route) if route.request.method == "PUT"
                        else route.continue_())
        self.rename("First")
        self.until(lambda: held)
        self.rename("Second")
        # The export saves first, and waits for what is under way.
        self.page.get_by_role("button", name="Export").first.click()
        self.assertEqual(self.page.evaluate("new Promise((done) => setTimeout(() => done(1)))"), 1)
        self.assertEqual(sent, ["First"])
        with self.page.expect_download() as download:
            held[0].continue_()
        self.assertTrue(download.value.suggested_filename.startswith("Second."))
        self.assertEqual(sent, ["First", "Second"])

    @needs("tabs")
    def test_two_tabs_show_the_same_edit(self):
        self.three()
        self.open_edit()
        self.edit()
        other = self.context.new_page()
        other.goto(self.studio.url)
        other.wait_for_function("() => document.querySelectorAll('.edit-block').length === 3")
        self.blocks().nth(2).focus()
        self.page.keyboard.press("Delete")
        other.wait_for_function("() => document.querySelectorAll('.edit-block').length === 2")
        other.locator(".edit-block").nth(0).focus()
        other.keyboard.press("Delete")
        self.has_clips(1)
        self.until(lambda: len(self.edit()["clips"]) == 1)
        other.close()
