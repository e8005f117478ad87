"""The film without Media Source Extensions, and the film as one single HTML page."""

import re

from browser import PlayerTest, offered, once_round
from shared import story


class WithoutMediaSource(PlayerTest):
    before_load = "delete window.MediaSource; delete window.ManagedMediaSource;"

    def test_it_seeks_behind_the_last_frame_back_in_a_loop_and_after_a_wait(self):
        self.begin(moves=[
            offered("door", "w"), offered("garden", "2", "waiting"), offered("door", "o"),
            *once_round("hall"), offered("hall", "1")])
        self.wait("tower", "ended")
        self.seen("prologue", "door", "garden", "door", "hall", "hall", "tower",
                  waits=("garden",), is_sought=True)
        self.page.locator("#card").get_by_role("button", name="Back").click()
        self.wait("hall", "choosing")


class OnePage(PlayerTest):
    def test_a_page_that_holds_everything_plays_from_the_disk(self):
        file = story() / "film.html"
        self.open_page(file.as_uri())
        self.begin(moves=[offered("door", "o"), offered("hall", "1")])
        self.wait("tower", "ended")
        self.seen("prologue", "door", "hall", "tower")
        self.assertEqual(self.server.requests, [])
        self.assertNotIn("import ", re.sub(r"//.*", "", file.read_text().split("</style>")[1]))
        print(f"\n  a page of {file.stat().st_size} bytes", end=" ")
