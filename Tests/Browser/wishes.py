"""The viewer's wish to play or to pause, and the place of the film, are kept in each way to play."""

from browser import PlayerTest, offered
from fixture import FRAME_RATE
from story import SEGMENTS
from walk import FRAME

WITHOUT_MEDIA_SOURCE = "delete window.MediaSource; delete window.ManagedMediaSource;"
ICON = "document.getElementById('play').dataset.icon"
IS_BUSY = "document.getElementById('player').classList.contains('busy')"

# Seeks by seconds or to a time, as a media key or a lock screen does, each time that the middle of a scene that goes round is
# on the screen. Gives the time of the frame that was seen last then, and where the film was sent last, both in the scene.
SEEK = """async ([targets, first, frameRate]) => {
    const pairs = [];
    for (const [offset, time] of targets) {
        const place = record.frames.length;
        let frame = {};
        while (!(frame.number >= first + 10 && frame.number <= first + 17)) {
            await new Promise((resume) => requestAnimationFrame(resume));
            frame = record.frames.slice(place).at(-1) ?? {};
        }
        const { video } = record, before = (frame.number - first) / frameRate, zero = frame.told - before;
        const count = record.happened.length;
        video.currentTime = time ?? video.currentTime + offset;
        await new Promise((resume) => {
            video.addEventListener("seeked", function look() {
                if (video.seeking) return;
                video.removeEventListener("seeked", look);
                resume();
            });
        });
        const sent = record.happened.slice(count).findLast(({ type }) => type === "seeking").at;
        pairs.push([before, sent - zero]);
    }
    return pairs;
}"""


class Wished(PlayerTest):
    def wait_until(self, condition):
        self.page.wait_for_function(f"() => {condition}")

    def wait_for_file(self, segment):
        """Waits until a segment has been loaded, and whatever the page does at once with it has been done."""
        self.page.wait_for_function(
            """async (name) => {
                const { length } = performance.getEntriesByType("resource")
                    .filter((each) => each.name.endsWith(name) && each.responseEnd > 0);
                await new Promise((resume) => setTimeout(resume, 200));
                return length > 0;
            }""", arg=self.file(segment))


class EveryWish:
    """Tests of what is kept in every engine, and in each of the two ways to play."""

    def test_a_pause_at_the_end_of_a_scene_is_kept_and_nothing_starts_again(self):
        self.open_page()
        self.server.held.add(self.file("door"))
        self.begin()
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
        self.wait_to_see("door")
        numbers = [frame["number"] for frame in self.record()["frames"] if frame["number"] is not None]
        self.assertEqual(numbers, sorted(numbers))

    def test_a_seek_from_outside_is_taken_back_and_changes_nothing_while_the_viewer_may_choose(self):
        """By a media key or on a lock screen: it would hang, or pass over what decides."""
        self.open_saved("hall")
        self.begin("Resume")
        pairs = self.page.evaluate(
            SEEK, [[[0.6, None], [-0.3, None], [0, 500000]], SEGMENTS["hall"].first, FRAME_RATE])
        for before, after in pairs:
            # The page of a busy machine knows a little late which frame is on the screen.
            self.assertTrue(before - 4 * FRAME <= after <= before + 15 * FRAME, pairs)
        self.assertEqual(self.page.evaluate(ICON), "pause")
        self.do(offered("hall", "2"))
        self.wait("garden", "waiting")
        self.page.evaluate("() => { record.happened.length = 0; record.video.currentTime = 0; }")
        # The player knows of it. WebKitGTK may never end a seek that was taken back, and the story goes on all the same.
        self.wait_until("record.happened.some(({ type }) => type === 'seeking')")
        self.page.keyboard.press("1")
        self.wait_to_see("tower")
