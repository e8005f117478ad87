"""axe-core finds nothing on the player's page, whatever is shown on it, in a wide window and on a phone."""

from accessibility import violations
from browser import QUICK, RETRIES, PlayerTest, offered, sooner
from engines import SCHEMES

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class AxeTest(PlayerTest):
    def setUp(self):
        super().setUp()
        self.found = []

    def look(self, where):
        for scheme in SCHEMES:
            self.page.emulate_media(color_scheme=scheme)
            # Rules that don't concern colours give the same result in both.
            for violation in violations(self.page, only_colours=scheme == "dark"):
                self.found.append((where, scheme, violation))


class EachState(AxeTest):
    def assert_nothing_is_found(self, **options):
        self.open_page(**options)
        self.look("start")
        self.open_saved("door", **options)
        self.begin("Resume", [offered("door", "k")])
        self.page.wait_for_function("() => record.moves.length === 0 && record.video.paused")
        self.look("choices")
        for name in ("Scenes", "Map", "Settings"):
            self.page.get_by_role("button", name=name, exact=True).click()
            self.look(name)
            self.page.keyboard.press("Escape")
        self.open_saved("garden", **options)
        self.begin("Resume", speed=QUICK)
        self.wait("garden", "waiting")
        self.look("choices on the video")
        self.page.keyboard.press("1")
        self.wait("tower", "ended")
        self.look("end")
        self.assertEqual(self.found, [])

    def test_in_a_wide_window(self):
        self.assert_nothing_is_found()

    def test_on_a_phone(self):
        self.assert_nothing_is_found(**PHONE)


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
