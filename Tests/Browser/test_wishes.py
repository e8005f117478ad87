"""The viewer's wish to play or to pause is kept, whatever the video waits for; see also test_engines."""

from browser import offered
from wishes import ICON, IS_BUSY, WITHOUT_MEDIA_SOURCE, Wished


class Wishes(Wished):
    def test_what_was_left_stands_still_until_the_next_scene_is_there(self):
        self.open_saved("garden")
        self.server.held.add(self.file("prologue"))
        self.begin("Resume", [offered("garden", "r")])
        self.wait("prologue")
        self.wait_until(f"record.video.paused && {ICON} === 'pause' && {IS_BUSY}")
        self.server.held.clear()
        self.wait_to_see("prologue")
        self.wait_until(f"!{IS_BUSY}")

    def test_a_pause_while_the_next_scene_is_loaded_is_kept(self):
        self.open_saved("garden")
        self.server.held.add(self.file("prologue"))
        self.begin("Resume", [offered("garden", "r")])
        self.wait("prologue")
        self.page.keyboard.press("k")
        self.wait_until(f"{ICON} === 'play' && !{IS_BUSY}")
        self.server.held.clear()
        self.wait_for_file("prologue")
        self.assertTrue(self.page.evaluate("record.video.paused"))
        self.page.keyboard.press("k")
        self.wait_to_see("prologue")

    def test_what_pauses_the_video_from_outside_is_followed(self):
        # It goes round, however late the test acts.
        self.open_saved("hall")
        self.begin("Resume")
        self.wait_to_see("hall")
        self.page.evaluate("() => record.video.pause()")
        self.wait_until(f"{ICON} === 'play'")
        self.page.evaluate("() => { record.frames.length = 0; record.video.play(); }")
        self.wait_until(f"{ICON} === 'pause'")
        self.wait_to_see("hall")


class WishesWithWholeFiles(Wishes):
    before_load = WITHOUT_MEDIA_SOURCE
