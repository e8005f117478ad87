"""The player as viewers know players: time, speed, captions, scenes, the map, and how it looks at every size."""

from browser import QUICK, PlayerTest, offered
from engines import DRIVEN, ENGINE, needs

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# WebDriver's fingers are mice.
HAS_TOUCH = ENGINE not in DRIVEN
ROWS = """new Set([...document.querySelectorAll(".bar button")].filter((each) => each.offsetWidth > 0)
    .map((each) => each.offsetTop)).size"""
SIZE_OF = "selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"


class PlayerControls(PlayerTest):
    def paused_at(self, segment, **options):
        """Opens the page with a segment's choices shown, and the film paused."""
        self.open_saved(segment, **options)
        self.begin("Resume", [offered(segment, "k")])
        self.page.wait_for_function("() => record.moves.length === 0")
        self.page.wait_for_function("() => document.getElementById('video').paused")

    def open_changed(self, changes, **options):
        """Opens the page with another manifest; `options` are those of the browser's context."""
        self.context = self.browser.new_context(**options)
        self._page = self.context.new_page()
        self._page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._page.route("**/story.json", lambda route: route.fulfill(json={**self.manifest, **changes}))
        self._page.goto(self.server.url)
        self.wait_for_card()

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def scenes(self):
        return self.page.locator("#scenes .scenes button").all_inner_texts()

    # How it looks

    def test_nothing_beside_the_film_is_bright_in_any_scheme(self):
        for scheme in ("light", "dark"):
            self.open_page(color_scheme=scheme, viewport={"width": 1000, "height": 900})
            colours = self.page.evaluate(
                "[document.body, document.querySelector('.player'), document.querySelector('.bar')]"
                ".map((each) => getComputedStyle(each).backgroundColor)")
            self.assertEqual(colours, ["rgb(15, 16, 18)"] * 3)

    def test_choices_and_captions_grow_with_the_film(self):
        sizes = []
        self.paused_at("door")
        for width, height in [(640, 400), (1280, 780), (1920, 1150)]:
            self.page.set_viewport_size({"width": width, "height": height})
            film = self.page.locator("#stage").bounding_box()["height"]
            captions = self.page.evaluate(SIZE_OF, "#captions")
            choices = self.page.evaluate(SIZE_OF, "#choices button")
            sizes.append((film, captions, choices))
            self.assertGreaterEqual(choices, 16)
            self.assertGreaterEqual(choices / captions, 0.7, "choices are no footnote to captions")
            self.assertLessEqual(captions, max(0.05 * film, 17))
        self.assertLess(sizes[0][2], sizes[2][2])
        print("\n  film, captions, choices in px:", [tuple(map(round, each)) for each in sizes], end=" ")

    def test_captions_stand_above_the_choices_however_high_these_are(self):
        self.button("Captions: off").click()
        # Slowly: a busy machine looks seldom, and the captions are there once.
        self.begin(speed=0.2)
        self.page.wait_for_selector("#captions p")
        # What is measured is the layout: the choices of the door under a caption of the prologue.
        self.page.keyboard.press("k")
        for width in (660, 960, 1440):
            self.page.set_viewport_size({"width": width, "height": 800})
            boxes = self.page.evaluate("""async () => {
                const list = document.getElementById("choices");
                list.hidden = false;
                list.innerHTML = "<button>A choice with many words</button>".repeat(6);
                await new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
                const { bottom } = document.querySelector("#captions").getBoundingClientRect();
                return [bottom, list.getBoundingClientRect().top];
            }""")
            self.assertLessEqual(boxes[0], boxes[1])

    @needs("narrow windows")
    def test_on_a_phone_everything_is_in_reach(self):
        self.paused_at("door", **PHONE)
        if HAS_TOUCH:
            # Keys are shown only where there may be a keyboard.
            self.assertEqual(self.page.locator("kbd").count(), 4)
            self.assertEqual(self.page.locator("kbd:visible").count(), 0)
        # On small phones, all eight buttons of the bar still share a row.
        for width, height, least in ((390, 844, 44), (360, 740, 43), (320, 568, 38)):
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.wait_for_function(f"() => innerWidth === {width}")
            for name in (None, "Scenes", "Map", "Settings"):
                if name:
                    self.button(name).tap()
                self.assertEqual(self.page.evaluate("document.documentElement.scrollWidth"), width, name)
                self.assertEqual(self.page.evaluate(ROWS), 1, name)
                for box in self.boxes("button, .panel label"):
                    self.assertGreaterEqual(min(box["width"], box["height"]), least, box["text"])
                    self.assertLessEqual(box["x"] + box["width"], width)
                if name:
                    self.button("Close").tap()
                else:
                    self.assert_seen("#choices button, .bar button")

    def assert_seen(self, selector):
        """Without scrolling."""
        height = self.page.evaluate("innerHeight")
        for box in self.boxes(selector):
            self.assertLessEqual(box["y"] + box["height"], height, box["text"])

    def test_with_the_systems_few_colours_what_is_chosen_and_what_is_left_is_seen(self):
        self.paused_at("door", forced_colors="active")
        self.button("Settings").click()
        backgrounds = self.page.locator("#settings label:has(:checked), #settings label:not(:has(:checked))").evaluate_all(
            "(all) => all.map((each) => [each.matches(':has(:checked)'), getComputedStyle(each).backgroundColor])")
        colours = [{colour for is_chosen, colour in backgrounds if is_chosen == wanted} for wanted in (True, False)]
        self.assertEqual([len(each) for each in colours], [1, 1])
        self.assertNotEqual(*colours)
        for bar in ("#countdown", "#progress"):
            bar_and_rest = self.page.evaluate(
                "(bar) => [null, '::before'].map((part) =>"
                " getComputedStyle(document.querySelector(bar), part).backgroundColor)", bar)
            self.assertNotEqual(*bar_and_rest)

    def test_on_a_phone_the_choices_of_a_tall_film_are_seen_at_once(self):
        for size in ((320, 180), (180, 320)):
            media = {**self.manifest["media"], "width": size[0], "height": size[1]}
            self.open_changed({"media": media}, storage_state=self.saved("door"), **PHONE)
            self.begin("Resume", [offered("door", "k")])
            self.page.wait_for_function("() => record.moves.length === 0 && record.video.paused")
            boxes = self.boxes("#choices button")
            self.assertEqual(len(boxes), 2)
            for box in boxes:
                self.assertLessEqual(box["y"] + box["height"], 844)
            self.assertLessEqual(self.page.evaluate("document.documentElement.scrollHeight"), 844)
            self.context.close()
            self.context = None

    # What it does

    def test_time_and_progress_are_those_of_the_scene(self):
        self.paused_at("hall")
        clock = self.page.locator("#clock")
        self.assertRegex(clock.inner_text(), r"^0:0[01] / 0:01$")
        self.assertRegex(clock.get_attribute("aria-label"), r"^Time in this scene: 0:0[01] of 0:01$")
        self.assertEqual(self.page.get_by_role("progressbar").count(), 0, "some screen readers beep at each change")
        self.do(offered("hall", "1"))
        self.button("Play").click()
        self.wait("tower", "ended")
        done = self.page.evaluate("Number(document.getElementById('progress').style.getPropertyValue('--done'))")
        self.assertEqual(done, 1)

    def test_an_author_may_hide_progress_and_the_map(self):
        self.open_changed({"controls": {"progress": False, "map": False}})
        for name in ("progress", "clock", "map-button"):
            self.assertFalse(self.page.locator(f"#{name}").is_visible(), name)

    def test_speed(self):
        self.paused_at("door")
        self.button("Settings").click()
        self.page.get_by_role("radio", name="0.5×").check(force=True)
        rate = "document.getElementById('video').playbackRate"
        self.assertEqual(self.page.evaluate(rate), 0.5)
        for _ in range(9):
            self.page.keyboard.press(">")
        self.assertEqual(self.page.evaluate(rate), 2)
        self.assertTrue(self.page.get_by_role("radio", name="2×").is_checked())
        self.assertEqual(self.page.evaluate("record.said.at(-1)"), "Speed: 2×")
        self.page.keyboard.press("Escape")
        self.do(offered("door", "o"))
        self.page.keyboard.press("k")
        self.wait("hall", "choosing")
        self.assertEqual(self.page.evaluate(rate), 2, "it stays across scenes")

    def test_captions_by_language_and_size_are_remembered(self):
        self.button("Settings").click()
        self.page.get_by_role("radio", name="English").check(force=True)
        size = self.page.evaluate(SIZE_OF, "#captions")
        self.page.get_by_role("radio", name="Very large").check(force=True)
        self.assertAlmostEqual(self.page.evaluate(SIZE_OF, "#captions"), 1.75 * size, delta=0.5)
        self.page.reload()
        self.wait_for_card()
        self.assertTrue(self.button("Captions: English").is_visible())
        self.assertAlmostEqual(self.page.evaluate(SIZE_OF, "#captions"), 1.75 * size, delta=0.5)

    def test_a_viewer_returns_to_a_scene_with_what_was_known_there(self):
        self.open_saved("garden", ["door", "hall"], courage=1, path=[
            ("prologue", None, 0, 0), ("door", 0, 0, 0), ("hall", 1, 1, 1), ("garden", None, 2, 1)])
        # At normal speed: the door must still be open when its scenes are looked at.
        self.begin("Resume", [offered("garden", "2"), offered("door", "k")])
        self.page.wait_for_function("() => record.moves.length === 0")
        self.page.wait_for_function("() => document.getElementById('video').paused")
        self.button("Scenes").click()
        # The title that the author gave, or the segment's name, and what was chosen there.
        self.assertEqual(self.scenes(), [
            "prologue", "At the door\nOpen it", "hall\nOut to the garden", "garden\nThe door", "At the door"])
        self.assertEqual(self.page.locator("#scenes [aria-current]").inner_text(), "At the door")
        self.page.locator("#scenes .scenes button").nth(2).click()
        self.wait("hall", "choosing")
        self.assertFalse(self.page.locator("#scenes").is_visible())
        self.assertEqual(self.page.evaluate("record.said.at(-2)"), "Back at hall.")
        state = self.page.evaluate(
            "id => JSON.parse(localStorage.getItem(`timewarp:story:${id}`))", self.manifest["id"])
        self.assertEqual([each["segment"] for each in state["history"]], ["door"])
        self.assertEqual(state["variables"], {"courage": 1})
        # From here, "back" leads to the decision before it.
        self.button("Back to the last choice").click()
        self.wait("door", "choosing")
        self.button("Scenes").click()
        self.assertEqual(self.scenes(), ["prologue", "At the door"])

    def test_scenes_are_still_there_after_a_reload(self):
        self.begin(moves=[offered("door", "o")], speed=QUICK)
        self.wait("hall", "choosing")
        self.page.reload()
        self.wait_for_card()
        self.begin("Resume")
        self.wait("hall", "choosing")
        self.button("Scenes").click()
        self.assertEqual(self.scenes(), ["prologue", "At the door\nOpen it", "hall"])

    def test_the_end_shows_the_path_and_leads_back_into_it(self):
        self.open_saved("garden", ["door"], path=[
            ("prologue", None, 0, 0), ("door", 1, 0, 0), ("garden", None, 1, 0)])
        self.begin("Resume", [offered("garden", "1")], QUICK)
        self.wait("tower", "ended")
        path = self.page.locator("#card .scenes button")
        self.assertEqual(path.all_inner_texts(), [
            "prologue", "At the door\nWalk away", "garden\nThe tower", "tower"])
        self.assertEqual(self.page.locator("#card [aria-current]").count(), 0)
        path.nth(1).click()
        self.wait("door", "choosing")
        self.assertFalse(self.page.locator("#card").is_visible())

    def test_the_map_shows_what_was_seen_in_any_visit_and_no_more(self):
        self.open_saved("door", path=[("prologue", None, 0, 0), ("door", None, 0, 0)])
        self.begin("Resume", [offered("door", "w")])
        self.wait("garden", "choosing")
        self.button("Map").click()
        places = "#map .place"
        self.assertEqual(self.page.locator("#map p").inner_text(), "3 of 5 scenes seen")
        texts = self.page.locator(places).all_inner_texts()
        self.assertEqual(sorted(texts), ["?", "?", "At the door", "garden", "prologue"])
        # Seen: the way to the door, and on to the garden. Known: the default, and the garden's two ways.
        self.assertEqual(self.page.locator("#map .way.taken:not(.tip)").count(), 2)
        self.assertEqual(self.page.locator("#map .way:not(.taken, .tip)").count(), 3)
        self.page.reload()
        self.wait_for_card()
        self.begin("Start again")
        self.wait("prologue")
        self.page.keyboard.press("k")
        self.button("Map").click()
        self.assertEqual(self.page.locator("#map p").inner_text(), "3 of 5 scenes seen")
        # Only scenes on the path of this visit can be returned to.
        self.assertEqual(self.page.locator("#map button.place").all_inner_texts(), ["prologue"])

    def test_panels_open_one_at_a_time_and_give_the_focus_back(self):
        self.paused_at("door")
        focused = "document.activeElement.id"
        self.button("Scenes").press("Enter")
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "At the door")
        self.page.keyboard.press("Escape")
        self.assertEqual(self.page.evaluate(focused), "scenes-button")
        self.button("Settings").press("Enter")
        self.assertEqual(self.page.evaluate("document.activeElement.type"), "radio")
        self.page.keyboard.press("ArrowRight")
        self.assertEqual(self.page.evaluate("document.getElementById('video').playbackRate"), 1.25)
        self.button("Map").click()
        self.assertEqual(self.page.locator(".panel:visible").count(), 1)
        # A click on the film closes the panel, and only the next one plays.
        paused = "document.getElementById('video').paused"
        self.page.mouse.click(300, 60)
        self.assertEqual(self.page.locator(".panel:visible").count(), 0)
        self.assertTrue(self.page.evaluate(paused))
        self.page.mouse.click(300, 60)
        self.page.wait_for_function(f"() => !{paused}")

    @needs("picture in picture")
    def test_picture_in_picture_ends_where_choices_are_offered(self):
        self.open_saved("door")
        self.page.evaluate("""() => {
            const video = document.getElementById("video");
            let element = null;
            Object.defineProperty(document, "pictureInPictureElement", { get: () => element });
            video.requestPictureInPicture = async () => { element = video; };
            document.exitPictureInPicture = async () => { element = null; };
        }""")
        # Before anything is offered, however late the test acts.
        self.begin("Resume", [offered("door", "k", "playing")])
        self.page.wait_for_function("() => record.moves.length === 0 && record.video.paused")
        self.button("Settings").click()
        self.button("Picture in picture").click()
        self.page.wait_for_function("() => document.pictureInPictureElement !== null")
        self.page.keyboard.press("k")
        self.wait("door", "choosing")
        self.assertIsNone(self.page.evaluate("document.pictureInPictureElement"))


class SystemControls(PlayerTest):
    """What a lock screen shows, and the keys of a headset."""

    before_load = """
        globalThis.keys = {};
        globalThis.positions = [];
        MediaSession.prototype.setActionHandler = (key, act) => { keys[key] = act; };
        MediaSession.prototype.setPositionState = (position) => positions.push(position);
    """

    def test_the_system_shows_the_scene_and_may_play_pause_and_go_back(self):
        self.open_saved("door")
        press = "key => keys[key]({ action: key })"
        self.begin("Resume", [offered("door", "o")])
        self.page.wait_for_function("() => !record.video.paused")
        self.assertEqual(self.page.evaluate("navigator.mediaSession.metadata.title"), "The test story")
        self.assertEqual(self.page.evaluate("Object.keys(keys).sort().join()"), "pause,play,previoustrack")
        self.wait("hall", "choosing")
        self.assertEqual(self.page.evaluate("positions.at(-1).duration"),
                         self.manifest["segments"]["hall"]["duration"])
        self.page.evaluate(press, "pause")
        self.page.wait_for_function("() => record.video.paused")
        self.assertEqual(self.page.evaluate("navigator.mediaSession.playbackState"), "paused")
        self.page.evaluate(press, "play")
        self.page.wait_for_function("() => !record.video.paused")
        self.page.evaluate(press, "previoustrack")
        self.wait("door", "choosing")
        self.assertIsNone(self.page.evaluate("keys.previoustrack"), "nothing came before")
