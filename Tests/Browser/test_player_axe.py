"""axe-core finds nothing on the player's page, whatever is shown on it, in a wide window and on a phone."""

from accessibility import violations
from browser import QUICK, RETRIES, PlayerTest, offered
from engines import SCHEMES
from shared import sooner

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class AxeTest(PlayerTest):
    def setUp(self):
        super().setUp()
        self.found = []

    def look(self, where, schemes=SCHEMES):
        for scheme in schemes:
            self.page.emulate_media(color_scheme=scheme)
            # Rules that don't concern colours give the same result in both.
            for violation in violations(self.page, only_colours=scheme == "dark"):
                self.found.append((where, scheme, violation))


class EachState(AxeTest):
    def assert_nothing_is_found(self, schemes, **options):
        look = lambda where: self.look(where, schemes)
        self.open_page(**options)
        look("start")
        self.open_saved("door", **options)
        self.begin("Resume", [offered("door", "k")])
        self.page.wait_for_function("() => record.moves.length === 0 && record.video.paused")
        look("choices")
        for name in ("Scenes", "Map", "Settings"):
            self.page.get_by_role("button", name=name, exact=True).click()
            look(name)
            self.page.keyboard.press("Escape")
        self.open_saved("garden", **options)
        self.begin("Resume", speed=QUICK)
        self.wait("garden", "waiting")
        look("choices on the video")
        self.page.keyboard.press("1")
        self.wait("tower", "ended")
        look("end")
        self.assertEqual(self.found, [])

    def test_in_a_wide_window(self):
        self.assert_nothing_is_found(SCHEMES)

    def test_on_a_phone(self):
        # There, too, the colours are the same in any scheme.
        self.assert_nothing_is_found(["light"], **PHONE)


class Failure(AxeTest):
    before_load = sooner(*RETRIES)

    def test_where_something_failed(self):
        for options in ({}, PHONE):
            self.server.broken.clear()
            self.open_saved("garden", **options)
            self.server.broken.add(self.file("prologue"))
            self.begin("Resume", [offered("garden", "r")])
            self.page.wait_for_selector("#card.failure button")
            self.look("failure")
        self.assertEqual(self.found, [])


class RefusingBrowser(AxeTest):
    before_load = """
        HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
    """

    def test_where_the_browser_refuses_to_play(self):
        for options in ({}, PHONE):
            self.open_page(**options)
            self.begin()
            self.page.wait_for_selector("#card.refusal button")
            self.look("refusal")
        self.assertEqual(self.found, [])
