"""The studio by keys, for screen readers, and in windows of other sizes."""

from accessibility import WHERE, focused, serious
from engines import needs
from studio import StudioTest

# Remembers where the focus goes from now on: "body" is nowhere.
WALK = """() => {
    const where = %s, focused = globalThis.focusedForTests = [];
    document.body.addEventListener("focusin", () => focused.push(where()));
    document.body.addEventListener("focusout", ({ relatedTarget }) => relatedTarget ?? focused.push("body"));
}""" % WHERE

# Everything that can take the focus. Of each group of radio buttons or tabs only one element can.
FOCUSABLE = """() => {
    const all = document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']");
    const radios = new Set();
    return [...all].filter((each) => {
        if (!each.checkVisibility({ visibilityProperty: true }) || each.tabIndex < 0) return false;
        if (each.disabled || each.closest("[disabled]")) return false;
        if (each.type !== "radio") return true;
        if (!each.checked || radios.has(each.name)) return false;
        radios.add(each.name);
        return true;
    }).length;
}"""


class Access(StudioTest):
    startsWith = "short.mov"

    def setUp(self):
        super().setUp()
        self.use_clip()

    def check(self, text, *parts, isNarrow=True):
        """Checks the whole page or the given parts of it, in both colour schemes and in a narrow window."""
        width, height = self.size
        looks = [("light", (width, height)), ("dark", (width, height)), *([("light", (400, 800))] if isNarrow else [])]
        for scheme, size in looks:
            with self.subTest(text, scheme=scheme, size=size):
                self.page.set_viewport_size({"width": size[0], "height": size[1]})
                self.page.emulate_media(color_scheme=scheme)
                wide = self.page.evaluate("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, size[0], "nothing hangs over the side")
                # Rules that don't concern colours give the same result in both schemes.
                self.assertEqual(serious(self.page, *parts, only_colours=scheme == "dark"), [])
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=self.scheme)

    @needs("emulation")
    def test_axe_finds_nothing(self):
        for each in ("#output", "#command-group", "#saved-curves", "#workspace"):
            self.page.locator(f"{each} > summary").click()
        self.evaluated(lambda: self.choose_curve("Keyframes"))
        self.check("keyframes")
        for tab in ("Scale", "Stretch", "Reverse"):
            self.evaluated(lambda: self.page.get_by_role("tab", name=tab).click())
            self.check(tab, "#settings", "#plot-panel", isNarrow=False)
        self.page.get_by_role("tab", name="Warp").click()
        self.choose_curve("Formula")
        self.page.get_by_role("textbox", name="Formula of t").fill("1 +")
        self.wait_until("document.getElementById('error-curve').textContent !== ''")
        self.check("formula", "#settings", "#plot-panel")
        self.choose_curve("Triangle")
        self.page.get_by_role("button", name="Keyboard help").click()
        self.check("help", "#help")

    def test_player_and_plot_stay_in_view_while_settings_scroll(self):
        inside = """() => ["source-video", "preview", "plot"].map((id) => {
            const box = document.getElementById(id).getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight;
        })"""
        for width, height in (390, 844), (1024, 768), self.size:
            with self.subTest(width=width, height=height):
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.evaluate("scrollTo(0, 0)")
                self.page.locator("#export-group > summary").scroll_into_view_if_needed()
                self.assertEqual(self.page.evaluate(inside), [True, True, True])
                self.page.locator("#export-group > summary").click(trial=True)

    def test_nothing_scrolls_the_head_away(self):
        """Not even the focus in a field at the end of the settings, whose radio buttons can't be seen."""
        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollHeight - innerHeight"), 0)
        self.page.locator("#sound-mode input").first.focus()
        self.page.locator("#sound-mode input").last.focus()
        self.assertEqual(self.page.evaluate("[scrollY, document.querySelector('.top').getBoundingClientRect().y]"), [0, 0])

    def test_players_and_curve_share_the_height(self):
        heights = lambda: [each["height"] for each in self.boxes(*map(self.page.locator, ["#source .screen", ".plot-stage"]))]
        players, plot = heights()
        bar = self.page.get_by_role("separator", name="Height of the players")
        box = bar.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x, y - 40)
        mouse.move(x, y - 90)
        mouse.up()
        self.until(lambda: abs(heights()[0] - (players - 90)) < 10)
        self.assertAlmostEqual(heights()[1], plot + 90, delta=10)
        # A key makes them larger again, a double click as they were; a small window leaves the curve its least height.
        lower = heights()[0]
        bar.press("ArrowDown")
        self.until(lambda: heights()[0] > lower + 5)
        self.page.set_viewport_size({"width": 1280, "height": 720})
        self.until(lambda: heights()[1] >= 160)
        self.page.set_viewport_size({"width": self.size[0], "height": self.size[1]})
        bar.dblclick()
        self.until(lambda: heights() == [players, plot])

    def test_the_lists_and_the_settings_get_more_of_the_width(self):
        width = lambda part: self.page.locator(part).bounding_box()["width"]
        for name, key, by in [("lists", "ArrowRight", 60), ("settings", "ArrowLeft", -60)]:
            part = {"lists": "#clips", "settings": "#settings"}[name]
            before, stage = width(part), width("main.stage")
            bar = self.page.get_by_role("separator", name=f"Width of the {name}")
            box = bar.bounding_box()
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
            self.page.mouse.down()
            self.page.mouse.move(box["x"] + by / 2, box["y"] + 100)
            self.page.mouse.move(box["x"] + box["width"] / 2 + by, box["y"] + 100)
            self.page.mouse.up()
            self.until(lambda part=part, before=before: abs(width(part) - before - 60) < 8)
            self.assertAlmostEqual(width("main.stage"), stage - 60, delta=8)
            wide = width(part)
            bar.press(key)
            self.until(lambda part=part, wide=wide: width(part) > wide + 10)
            bar.dblclick()
            self.until(lambda part=part, before=before: width(part) == before)

    def test_player_and_curve_fill_the_screen(self):
        full = lambda: self.page.evaluate("document.fullscreenElement?.id ?? ''")
        self.page.locator("#source-title").click()
        for key, section in [("f", "source"), ("Shift+F", "plot-panel")]:
            self.page.keyboard.press(key)
            self.until(lambda section=section: full() == section)
            self.page.keyboard.press(key)
            self.until(lambda: full() == "")
        for section, button in [("source", self.region("Source")), ("plot-panel", self.region("Curve"))]:
            button.get_by_role("button", name="Full screen").click()
            self.until(lambda section=section: full() == section)
            self.page.evaluate("document.exitFullscreen()")
            self.until(lambda: full() == "")

    def test_the_keyboard_reaches_everything(self):
        for each in ("#output", "#command-group", "#saved-curves"):
            self.page.locator(f"{each} > summary").click()
        self.page.locator(".skip").focus()
        count = self.page.evaluate(FOCUSABLE)
        first = focused(self.page)
        self.page.evaluate(WALK)
        for _ in range(count + 10):
            self.page.keyboard.press("Tab")
        walked = [where for where in self.page.evaluate("focusedForTests") if where is not None]
        end = next(at for at, where in enumerate(walked) if where in ("body", first))
        order = [first, *walked[:end]]
        self.assertEqual(len(order), count, order)
        for name in ("Skip to the settings", "choose-file", "preview", "Source position", "factor",
                     "tab-warp", "fit-on", "range-in", "container", "render"):
            self.assertTrue(any(name == each or name in each for each in order), name)

    def test_it_works_from_the_keyboard_alone(self):
        press = self.page.keyboard.press
        self.page.locator("#tab-warp").focus()
        press("ArrowRight")
        self.assertEqual(focused(self.page), "tab-scale")
        press("ArrowLeft")
        self.page.locator("#curve-menu input:checked").focus()
        press("ArrowDown")
        self.assertEqual(self.page.evaluate("document.activeElement.name"), "curve")
        press("Control+z")
        press("?")
        self.assertTrue(self.page.get_by_role("dialog", name="Keyboard").is_visible())
        press("Escape")
        press("p")
        self.wait_until("document.getElementById('preview').getAttribute('aria-pressed') === 'true'")
        self.wait_until("!document.getElementById('source-video').paused")
        press("p")
        press("k")
        self.wait_until("document.getElementById('source-video').paused")
        press("Control+Enter")
        self.wait_until("document.querySelector('#renders > .finished')")
