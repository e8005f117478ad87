"""Keys of the player, the way back from a restart, full screen, and picture-in-picture where there is none."""

from browser import QUICK, PlayerTest, offered
from engines import needs
from shared import MANUAL_CLOCK

VOLUME = "document.getElementById('video').volume"
PAUSED = "document.getElementById('video').paused"
BAR = "getComputedStyle(document.querySelector('.bar')).visibility"
RESTART_UNDONE = "Back to where you were before the restart"


class Keyed(PlayerTest):
    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def wait_until(self, condition):
        self.page.wait_for_function(f"() => {condition}")

    def scenes(self):
        return self.page.locator("#scenes .scenes button").all_inner_texts()


class Keys(Keyed):
    @needs("held keys")
    def test_a_key_that_is_held_acts_once(self):
        self.begin()
        self.wait("prologue")
        for _ in range(2):
            self.page.keyboard.down("k")
            self.wait_until(PAUSED)
        self.page.keyboard.up("k")
        self.page.evaluate("document.getElementById('stage').focus()")
        for _ in range(3):
            self.page.keyboard.down("ArrowDown")
        self.assertAlmostEqual(self.page.evaluate(VOLUME), 0.7, delta=0.01)

    def test_arrows_scroll_panels_and_leave_the_volume(self):
        self.open_page(viewport={"width": 600, "height": 300})
        self.begin()
        self.wait("prologue")
        self.button("Settings").click()
        self.page.locator("#settings .close").focus()
        self.page.evaluate("document.getElementById('settings').scrollTop = 0")
        self.page.keyboard.press("ArrowDown")
        self.wait_until("document.getElementById('settings').scrollTop > 0")
        self.page.keyboard.press("Escape")
        self.button("Map").click()
        self.page.locator(".map-frame").focus()
        self.page.keyboard.press("ArrowUp")
        self.assertEqual(self.page.evaluate(VOLUME), 1)

    def test_shortcuts_of_letters_and_digits_can_be_turned_off(self):
        self.open_saved("door")
        self.begin("Resume", [offered("door", "k")])
        self.wait_until(f"record.moves.length === 0 && {PAUSED}")
        self.assertEqual(self.page.locator("kbd:visible").count(), 4)
        self.button("Settings").click()
        group = self.page.get_by_role("group", name="Shortcuts with letters and digits")
        group.get_by_role("radio", name="Off").check(force=True)
        self.page.keyboard.press("Escape")
        self.assertEqual(self.page.locator("kbd:visible").count(), 0)
        self.assertEqual(self.page.locator("[aria-keyshortcuts]").count(), 0)
        self.page.evaluate("document.getElementById('stage').focus()")
        for key in ("m", "1", "w", "r", "k"):
            self.page.keyboard.press(key)
        self.assertFalse(self.page.evaluate("document.getElementById('video').muted"))
        self.assertEqual(self.page.evaluate("document.getElementById('player').dataset.segment"), "door")
        self.assertEqual(self.page.locator("#choices button").count(), 2)
        self.page.keyboard.press("Space")
        self.wait_until(f"!{PAUSED}")
        self.page.reload()
        self.wait_for_card()
        self.page.keyboard.press("m")
        self.assertFalse(self.page.evaluate("document.getElementById('video').muted"))

    def test_a_restart_can_be_taken_back(self):
        self.open_saved("garden", ["door"], path=[
            ("prologue", None, 0, 0), ("door", 1, 0, 0), ("garden", None, 1, 0)])
        self.begin("Resume", [offered("garden", "r")])
        self.wait("prologue")
        self.button(RESTART_UNDONE).click()
        self.wait("garden", "choosing")
        self.assertEqual(self.page.evaluate("record.said.filter((text) => text.startsWith('Back at'))"),
                         ["Back at garden."])
        self.page.keyboard.press("k")
        self.button("Scenes").click()
        self.assertEqual(self.scenes(), ["prologue", "At the door\nWalk away", "garden"])
        self.page.keyboard.press("Escape")
        # There is nothing more to take back, but decisions are.
        self.button("Back to the last choice").click()
        self.wait("door", "choosing")


class FullScreen(Keyed):
    def test_a_bar_that_was_clicked_is_hidden_and_cannot_be_touched(self):
        self.open_saved("garden")
        self.begin("Resume", speed=QUICK)
        self.wait("garden", "waiting")
        # Nothing plays here, so the bar stays.
        self.page.evaluate(MANUAL_CLOCK)
        self.page.evaluate("manualClock.install()")
        self.button("Full screen").click()
        self.page.evaluate("() => { manualClock.pass(3000); manualClock.remove(); }")
        self.wait_until("document.fullscreenElement?.id === 'player'")
        self.wait_until("document.getElementById('player').classList.contains('idle')")
        self.assertEqual(self.page.evaluate(BAR), "visible")
        self.page.evaluate("document.getElementById('player').classList.add('playing')")
        self.assertTrue(self.page.evaluate("document.activeElement.id === 'full'"))
        self.wait_until(f"{BAR} === 'hidden'")
        self.page.keyboard.press("Tab")
        self.wait_until(f"{BAR} === 'visible'")


class ForbiddenFullScreen(Keyed):
    before_load = "Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false });"

    def test_it_is_not_offered(self):
        self.assertFalse(self.page.locator("#full").is_visible())
        self.page.keyboard.press("f")
        self.assertFalse(self.page.evaluate("Boolean(document.fullscreenElement)"))


class RefusedFullScreen(Keyed):
    before_load = "Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('refused'));"

    def test_nothing_happens(self):
        self.button("Full screen").click()
        self.begin()
        self.wait("prologue")


class SmallWindow(Keyed):
    """Picture-in-picture shows one element, and whole files take turns in two."""

    before_load = """
        delete window.MediaSource;
        delete window.ManagedMediaSource;
        HTMLVideoElement.prototype.requestPictureInPicture ??= async () => {};
        Object.defineProperty(Document.prototype, "pictureInPictureEnabled", { get: () => true });
    """

    def test_whole_files_have_none(self):
        self.button("Settings").click()
        self.assertTrue(self.page.get_by_role("radio", name="2×").count() == 1)
        self.assertEqual(self.button("Picture in picture").count(), 0)
