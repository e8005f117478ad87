"""The viewer's wish to play or to pause is kept, whatever the video waits for. TIMEWARP_ENGINE names the engine."""

from browser import PlayerTest, offered
from story import SEGMENTS

WITHOUT_MEDIA_SOURCE = "delete window.MediaSource; delete window.ManagedMediaSource;"
ICON = "document.getElementById('play').dataset.icon"
IS_BUSY = "document.getElementById('player').classList.contains('busy')"


class Wished(PlayerTest):
    def wait_until(self, condition):
        self.page.wait_for_function(f"() => {condition}")


class Wishes(Wished):
    def wait_for_file(self, segment):
        """Waits until a segment has been loaded, and whatever the page does at once with it has been done."""
        self.page.wait_for_function(
            """async (name) => {
                const { length } = performance.getEntriesByType("resource")
                    .filter((each) => each.name.endsWith(name) && each.responseEnd > 0);
                await new Promise((resume) => setTimeout(resume, 200));
                return length > 0;
            }""", arg=self.file(segment))

    def test_what_was_left_stands_still_until_the_next_scene_is_there(self):
        self.open_saved("garden")
        self.server.held.add(self.file("prologue"))
        self.begin("Resume", [offered("garden", "r")])
        self.wait("prologue")
        self.wait_until(f"record.video.paused && {ICON} === 'pause' && {IS_BUSY}")
        self.server.held.clear()
        self.wait("door", "choosing")
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
        self.wait("door", "choosing")

    def test_a_pause_at_the_end_of_a_scene_is_kept_and_nothing_starts_again(self):
        self.open_page()
        self.server.held.add(self.file("door"))
        self.begin()
        self.wait("prologue")
        self.wait_until(f"record.video.currentTime > 1.4 && {IS_BUSY}")
        for icon in ("play", "pause", "play"):
            self.page.keyboard.press("k")
            self.wait_until(f"{ICON} === '{icon}'")
        self.server.held.clear()
        self.wait_for_file("door")
        self.assertTrue(self.page.evaluate("record.video.paused"))
        # Where the browser waited at the join, the first frame of the next scene may be shown.
        self.assertLessEqual(self.record()["frames"][-1]["number"] or 0, SEGMENTS["door"].first + 1)
        self.page.keyboard.press("k")
        self.wait("door", "choosing")
        numbers = [frame["number"] for frame in self.record()["frames"] if frame["number"] is not None]
        self.assertEqual(numbers, sorted(numbers))

    def test_what_pauses_the_video_from_outside_is_followed(self):
        self.begin()
        self.wait("prologue")
        self.wait_until("record.video.currentTime > 0.3")
        self.page.evaluate("() => record.video.pause()")
        self.wait_until(f"{ICON} === 'play'")
        self.page.evaluate("() => void record.video.play()")
        self.wait_until(f"{ICON} === 'pause'")
        self.wait("door", "choosing")

    def test_a_seek_from_outside_is_taken_back(self):
        """By a media key or on a lock screen: it would hang, or pass over what decides."""
        self.begin()
        for target in ("at + 0.7", "at - 0.3", "500000"):
            self.wait_until("record.frames.length > 2 && record.video.currentTime > 0.3")
            before = self.page.evaluate(f"""() => {{
                const at = record.video.currentTime;
                record.video.currentTime = {target};
                return record.frames.splice(0).at(-1).number;
            }}""")
            self.wait_until("record.frames.length > 2")
            after = self.page.evaluate("record.frames[2].number")
            # Firefox shows one frame of the place to which something else has sought.
            self.assertTrue(before <= after <= before + 20, (target, before, after))
        self.assertEqual(self.page.evaluate(ICON), "pause")
        self.wait("door", "choosing")

    def test_a_seek_while_the_viewer_may_choose_changes_nothing(self):
        self.open_saved("garden")
        self.begin("Resume")
        self.wait("garden", "waiting")
        self.page.evaluate("() => { record.video.currentTime = 0; }")
        self.wait_until("!record.video.seeking")
        self.page.keyboard.press("1")
        self.wait("tower", "ended")


class WishesWithWholeFiles(Wishes):
    before_load = WITHOUT_MEDIA_SOURCE


class ChangesOfTheWay(Wished):
    def test_a_pause_is_kept_when_another_way_to_play_takes_over(self):
        self.begin()
        self.wait("prologue")
        self.wait_until("record.video.currentTime > 0.3")
        self.page.keyboard.press("k")
        self.wait_until("record.video.paused")
        self.page.evaluate("""() => {
            globalThis.before = record.video.id;
            record.video.dispatchEvent(new Event("error"));
        }""")
        # The other element takes over.
        self.wait_until("record.video.id !== before")
        self.assertTrue(self.page.evaluate("record.video.paused"))
        self.assertEqual(self.page.evaluate(ICON), "play")
        self.page.keyboard.press("k")
        self.wait("door", "choosing")
        numbers = [frame["number"] for frame in self.record()["frames"] if frame["number"] is not None]
        back = max(last - number for last, number in zip(numbers, numbers[1:]))
        self.assertLessEqual(back, 2, "it goes on where it was")
