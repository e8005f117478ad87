"""What every engine must do with a story that Media Source plays, and with the viewer's wishes.

`make test` runs this module and test_engines_files in every engine, and all others in Chromium alone. So what is here shows
once, by the shortest walk, what an engine may break. TIMEWARP_ENGINE names the engine.
"""

from browser import PlayerTest, offered, once_round
from engines import ENGINE
from walk import FRAME, WalkOnScreen
from wishes import ICON, EveryWish, Wished


class Stories(PlayerTest):
    def test_segments_follow_each_other_on_one_timeline(self):
        self.open_saved("hall")
        self.assertTrue(self.page.evaluate("'MediaSource' in globalThis"))
        self.begin("Resume", [*once_round("hall"), offered("hall", "2"), offered("garden", "1")])
        self.wait_to_see("tower")
        walk = self.seen("hall", "hall", "garden", "tower", judge=WalkOnScreen, is_whole=False)
        # On one timeline nothing is early or late, by the film's own clock: a machine without time changes only when.
        near = (8 if ENGINE == "firefox" else 0.5) * FRAME
        for last, each in zip(walk.passes, walk.passes[1:]):
            self.assertAlmostEqual(each.media_start - last.media_start, last.frames * FRAME, delta=near)

    def test_the_viewer_goes_back_and_restarts(self):
        self.open_saved("garden", history=["door"])
        self.begin("Resume", [offered("door", "r")])
        self.wait("garden", "waiting")
        self.page.get_by_role("button", name="Back to the last choice").click()
        self.wait_to_see("door")
        self.wait_to_see("prologue")

    def test_keys_and_buttons(self):
        # It goes round until the viewer is done.
        self.open_saved("hall")
        self.begin("Resume")
        self.wait_to_see("hall")
        for press in (lambda: self.page.keyboard.press("k"),
                      lambda: self.page.get_by_role("button", name="Play", exact=True).click()):
            before = self.page.evaluate("record.video.paused")
            press()
            self.page.wait_for_function(f"() => record.video.paused !== {str(before).lower()}")
        self.page.keyboard.press("m")
        self.page.wait_for_function("() => record.video.muted")
        self.do(offered("hall", "k"))
        self.page.wait_for_function("() => record.moves.length === 0 && record.video.paused")
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
        document.addEventListener("playing", () => { globalThis.hasPlayed = true; }, true);
    """

    def refused(self):
        """Waits for the card that asks the viewer to press Play, and refuses nothing any more."""
        self.page.wait_for_selector("#card.refusal")
        self.page.evaluate("() => { globalThis.refuses = globalThis.hasPlayed = false; }")

    def plays(self):
        """Waits until the video has begun, though it may have come to its end since."""
        self.page.wait_for_function("() => document.getElementById('card').hidden && hasPlayed")

    def play_at(self, rate):
        self.page.evaluate("(rate) => { record.video.playbackRate = rate; }", rate)

    def test_the_viewer_is_asked_to_press_play_and_other_ways_to_play_do_as_well(self):
        self.open_saved("hall")
        self.begin("Resume")
        self.refused()
        self.assertEqual(self.page.evaluate("document.activeElement.textContent"), "Play")
        text = "The browser doesn't play the video by itself. Press the button to go on."
        self.assertEqual(self.page.locator("#card h2").inner_text(), text)
        self.assertEqual(self.page.evaluate("record.said.at(-1)"), text)
        # So slowly that the scene isn't over before it is paused.
        self.play_at(0.1)
        self.page.locator("#card").get_by_role("button", name="Play", exact=True).click()
        self.plays()
        self.wait_to_see("hall")
        self.page.keyboard.press("k")
        self.page.wait_for_function("() => record.video.paused")
        self.page.evaluate("() => { globalThis.refuses = true; }")
        self.page.keyboard.press("k")
        self.refused()
        self.page.keyboard.press("k")
        self.plays()
        self.play_at(1)
        self.wait("hall", "choosing")


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


class Wishes(EveryWish, Wished):
    """With Media Source."""


class ChangesOfTheWay(PlayerTest):
    def test_a_pause_is_kept_when_another_way_to_play_takes_over(self):
        self.begin()
        self.page.wait_for_function("() => record.frames.length > 2")
        self.page.keyboard.press("k")
        self.page.wait_for_function("() => record.video.paused")
        self.page.evaluate("""() => {
            globalThis.before = record.video.id;
            record.video.dispatchEvent(new Event("error"));
        }""")
        # The other element takes over.
        self.page.wait_for_function("() => record.video.id !== before")
        self.assertTrue(self.page.evaluate("record.video.paused"))
        self.assertEqual(self.page.evaluate(ICON), "play")
        self.page.keyboard.press("k")
        self.wait("door")
        self.assert_goes_on_where_it_was()
