"""Without Media Source, and with everything in one page."""

import re

from browser import PlayerTest
from story import built


class WithoutMediaSource(PlayerTest):
    before_load = "delete window.MediaSource; delete window.ManagedMediaSource;"

    def test_it_seeks_behind_the_last_picture(self):
        def journey():
            self.begin()
            self.wait("door", "choosing")
            self.page.keyboard.press("w")
            self.wait("garden", "choosing")
            self.page.keyboard.press("1")
            self.wait("tower", "ended")
        walk = self.walk(journey, "prologue", "door", "garden", "tower", uncovered=False)
        # While it seeks the last picture stays; half a second would be a broken film.
        self.assertLess(walk.widest_gap, 0.5)

    def test_back_loop_and_wait(self):
        def journey():
            self.begin()
            self.wait("door", "choosing")
            self.page.keyboard.press("w")
            self.wait("garden", "waiting")
            self.page.keyboard.press("2")
            self.wait("door", "choosing")
            self.page.keyboard.press("o")
            self.wait("hall", "choosing")
            self.wait("hall", "playing")
            self.wait("hall", "choosing")
            self.page.keyboard.press("1")
            self.wait("tower", "ended")
        self.walk(journey, "prologue", "door", "garden", "door", "hall", "hall", "tower",
                  uncovered=False)
        self.page.locator("#card").get_by_role("button", name="Back").click()
        self.wait("hall", "choosing")


class OnePage(PlayerTest):
    def test_a_page_that_holds_everything_plays_from_the_disk(self):
        file = built() / "film.html"
        self.server.requests.clear()

        def journey():
            self.page.close()
            self.page = self.open_page(file.as_uri())
            self.begin()
            self.wait("door", "choosing")
            self.page.keyboard.press("o")
            self.wait("hall", "choosing")
            self.page.keyboard.press("1")
            self.wait("tower", "ended")
        self.walk(journey, "prologue", "door", "hall", "tower")
        self.assertEqual(self.server.requests, [])
        self.assertNotIn("import ", re.sub(r"//.*", "", file.read_text().split("</style>")[1]))
        print(f"\n  a page of {file.stat().st_size} bytes", end=" ")
        file.unlink()
