"""Whole files take turns where there is no Media Source, or after an error of it; see also test_engines_files."""

from browser import PlayerTest, offered, once_round
from walk import WalkOnScreen, segment_of
from wishes import WITHOUT_MEDIA_SOURCE


class WithoutMediaSource(PlayerTest):
    before_load = WITHOUT_MEDIA_SOURCE

    def test_a_restart_shows_the_first_scene_and_then_the_one_that_follows_it(self):
        """Both are known at once: the next scene mustn't take the place of the first."""
        self.open_saved("garden")
        self.begin("Resume", [offered("garden", "r")])
        self.wait_to_see("door")
        names = [segment_of(frame["number"]) for frame in self.record()["frames"] if frame["number"] is not None]
        seen = [name for name, before in zip(names, [None, *names]) if name != before]
        self.assertEqual(seen, ["garden", "prologue", "door"])

    def test_joins_at_other_speeds(self):
        """Every pass is shown at its speed. When a join is due is judged by whole-files.test.js, where no machine is slow."""
        for speed, rounds in ((0.5, 1), (2, 2)):
            self.open_saved("hall")
            for key in {0.5: "<<", 2: ">>>"}[speed]:
                self.page.keyboard.press(key)
            self.begin("Resume", [*rounds * once_round("hall"), offered("hall", None)])
            self.page.wait_for_function("() => record.moves.length === 0")
            self.seen(*(rounds + 1) * ["hall"], judge=WalkOnScreen, speed=speed, is_whole=False)
            self.assertEqual(self.page.evaluate("record.video.playbackRate"), speed)


class PermittedVideos(PlayerTest):
    """As Safari on phones: a video plays by itself only if it was told to play while the viewer did something."""

    before_load = """
        delete window.MediaSource;
        delete window.ManagedMediaSource;
        const { play } = HTMLMediaElement.prototype;
        const permitted = new WeakSet();
        let isActing = false;
        for (const type of ["click", "keydown"]) {
            addEventListener(type, (event) => {
                isActing = event.isTrusted;
                setTimeout(() => { isActing = false; });
            }, { capture: true });
        }
        HTMLMediaElement.prototype.play = function () {
            if (isActing) permitted.add(this);
            if (!permitted.has(this)) return Promise.reject(new DOMException("no", "NotAllowedError"));
            const playing = play.call(this);
            if (globalThis.pressesAtJoin && this !== record.video) {
                globalThis.pressesAtJoin = false;
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
            }
            return playing;
        };
    """

    def test_both_videos_may_play_before_there_is_anything_to_play(self):
        self.server.held.add(self.file("prologue"))
        self.context = self.browser.new_context()
        page = self._page = self.context.new_page()
        page.goto(self.server.url)
        page.locator("#card").get_by_role("button", name="Play", exact=True).click()
        self.server.held.clear()
        self.wait("door", "choosing")

    def test_a_key_at_a_join_stops_nothing(self):
        self.begin()
        self.page.evaluate("() => { globalThis.pressesAtJoin = true; }")
        self.wait("door", "choosing")
        self.assertFalse(self.page.evaluate("pressesAtJoin"))


class ForgetfulMediaSource(PlayerTest):
    """A ManagedMediaSource may remove what was appended; no browser here does, so it is only told."""

    before_load = """for (const each of [globalThis.SourceBuffer, globalThis.ManagedSourceBuffer]) {
        if (!each) continue;
        const { appendBuffer } = each.prototype;
        each.prototype.appendBuffer = function (bytes) {
            globalThis.removed = (start, end) => this.dispatchEvent(Object.assign(new Event("bufferedchange"), {
                removedRanges: { length: 1, start: () => start, end: () => end },
            }));
            return appendBuffer.call(this, bytes);
        };
    }"""

    def test_whole_files_take_over_where_something_is_missing(self):
        self.begin()
        self.page.wait_for_function("() => record.video.currentTime > 0.4")
        self.page.evaluate("() => { removed(0, 0.3); removed(3.4, 9); }")
        self.page.wait_for_function("() => record.video.currentTime > 0.8")
        self.assertEqual(self.page.evaluate("record.video.id"), "video", "what was removed isn't needed")
        self.page.evaluate("() => { removed(0, 1.2); }")
        self.page.wait_for_function("() => record.video.id === 'standby'")
        self.wait("door", "choosing")


class UnreportedFrames(PlayerTest):
    """As in Firefox and WebKitGTK: no frame of the video that takes over is reported."""

    before_load = """
        const { requestVideoFrameCallback } = HTMLVideoElement.prototype;
        HTMLVideoElement.prototype.requestVideoFrameCallback = function (act) {
            return this.id === "standby" ? 0 : requestVideoFrameCallback.call(this, act);
        };
    """

    def test_what_was_chosen_before_another_way_to_play_took_over_follows(self):
        self.open_saved("garden")
        self.server.held.add(self.file("tower"))
        self.begin("Resume", [offered("garden", "1")])
        self.page.wait_for_function("() => record.video.currentTime > 1.2")
        self.page.evaluate("() => void record.video.dispatchEvent(new Event('error'))")
        self.page.wait_for_function("() => record.video.id === 'standby'")
        self.server.held.clear()
        self.wait("tower", "ended")
