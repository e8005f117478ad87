"""What every engine must do with a story. TIMEWARP_ENGINE names the engine."""

from browser import PlayerTest, offered, once_round
from walk import FRAME, WalkOnScreen


class Stories(PlayerTest):
    def test_segments_follow_each_other_on_one_timeline(self):
        self.assertTrue(self.page.evaluate("'MediaSource' in globalThis"))
        self.begin(moves=[offered("door", "o"), *once_round("hall"), offered("hall", "2"), offered("garden", "1")])
        self.wait("tower", "ended")
        walk = self.seen("prologue", "door", "hall", "hall", "garden", "tower", judge=WalkOnScreen)
        # On one timeline nothing is early or late, but a busy machine's page is told so.
        self.assertLess(sorted(map(abs, walk.shifts))[len(walk.shifts) // 2], 2 * FRAME)

    def test_the_viewer_goes_back_and_restarts(self):
        self.open_saved("garden", history=["door"])
        self.begin("Resume")
        self.wait("garden", "waiting")
        self.page.get_by_role("button", name="Back to the last choice").click()
        self.wait("door", "choosing")
        self.page.keyboard.press("o")
        self.wait("hall", "choosing")
        self.page.keyboard.press("r")
        self.wait("prologue")
        self.wait("door", "choosing")

    def test_keys_and_buttons(self):
        self.begin()
        self.wait("prologue")
        for press in (lambda: self.page.keyboard.press("k"),
                      lambda: self.page.get_by_role("button", name="Play", exact=True).click()):
            before = self.page.evaluate("record.video.paused")
            press()
            self.page.wait_for_function(f"() => record.video.paused !== {str(before).lower()}")
        self.page.keyboard.press("m")
        self.page.wait_for_function("() => record.video.muted")
        self.wait("door", "choosing")
        self.page.keyboard.press("k")
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("2")
        self.page.keyboard.press("k")
        self.wait("garden", "choosing")


class Errors(PlayerTest):
    before_load = "setTimeout(() => { throw new Error('made to fail'); });"

    def test_an_error_while_the_page_loads_is_noticed(self):
        self.open_page()
        self.context.close()
        self.context = None
        self.assertIn("made to fail", "".join(self.errors))
        self.errors.clear()


class RefusingBrowser(PlayerTest):
    """As phones do that save energy: a video doesn't play by itself."""

    before_load = """
        const { play } = HTMLMediaElement.prototype;
        globalThis.refuses = true;
        HTMLMediaElement.prototype.play = function () {
            return globalThis.refuses ? Promise.reject(new DOMException("no", "NotAllowedError")) : play.call(this);
        };
    """

    def refused(self):
        """Begins the story, and waits for the card that asks the viewer to press Play."""
        self.begin()
        self.page.wait_for_selector("#card.refusal")
        self.page.evaluate("() => { globalThis.refuses = false; }")

    def test_the_viewer_is_asked_to_press_play(self):
        self.refused()
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "Play")
        text = "The browser doesn't play the video by itself. Press the button to go on."
        self.assertEqual(self.page.locator("#card h2").inner_text(), text)
        self.assertEqual(self.page.evaluate("record.said.at(-1)"), text)
        self.page.locator("#card").get_by_role("button", name="Play", exact=True).click()
        self.wait("door", "choosing")
        self.assertTrue(self.page.evaluate("document.getElementById('card').hidden"))

    def test_other_ways_to_play_do_as_well(self):
        self.refused()
        self.page.keyboard.press("k")
        self.page.wait_for_function("() => document.getElementById('card').hidden")
        self.wait("door", "choosing")


class Phone(PlayerTest):
    """A window of 390 by 844 pixels that is turned, and a call that interrupts."""

    def test_a_story_on_a_phone(self):
        self.open_saved("garden", viewport={"width": 390, "height": 844}, has_touch=True)
        fits = "() => document.documentElement.scrollWidth <= innerWidth"
        self.assertTrue(self.page.evaluate(fits))
        self.page.get_by_role("button", name="Resume").tap()
        self.wait("garden", "choosing")
        self.page.evaluate("() => record.video.pause()")
        self.page.wait_for_function("() => document.getElementById('play').dataset.icon === 'play'")
        self.page.set_viewport_size({"width": 844, "height": 390})
        self.page.wait_for_function(fits)
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.page.wait_for_function(fits)
        self.page.get_by_role("button", name="Play", exact=True).tap()
        self.page.get_by_role("button", name="The tower").tap()
        self.wait("tower")
