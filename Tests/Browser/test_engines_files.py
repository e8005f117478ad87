"""What every engine must do where whole files take turns: without Media Source, after an error of it, or from the disk.

See test_engines.
"""

import re
import shutil
import tempfile
from pathlib import Path

from browser import PlayerTest, offered, once_round
from engines import ENGINE, needs
from server import with_script
from shared import story
from story import one_page
from walk import WalkOnScreen
from wishes import WITHOUT_MEDIA_SOURCE, EveryWish, Wished

# Media Source refuses what is appended after this many parts; the first is the film's head.
FAILING = """for (const each of [globalThis.SourceBuffer, globalThis.ManagedSourceBuffer]) {
    if (!each) continue;
    const { appendBuffer } = each.prototype;
    let count = 0;
    each.prototype.appendBuffer = function (bytes) {
        count += 1;
        if (count > %d) throw new Error("made to fail");
        return appendBuffer.call(this, bytes);
    };
}"""


class WithoutMediaSource(PlayerTest):
    before_load = WITHOUT_MEDIA_SOURCE

    def test_files_follow_each_other_go_round_and_follow_a_wait(self):
        self.open_saved("hall")
        self.begin("Resume", [*once_round("hall"), offered("hall", "2"), offered("garden", "1", "waiting")])
        self.wait("tower", "ended")
        self.seen("hall", "hall", "garden", "tower", waits=("garden",), judge=WalkOnScreen)
        self.page.locator("#card").get_by_role("button", name="Back").click()
        self.wait("garden", "choosing")


class Wishes(EveryWish, Wished):
    """With whole files."""

    before_load = WITHOUT_MEDIA_SOURCE

    @needs("seeks taken back in files")
    def test_a_seek_from_outside_is_taken_back_and_changes_nothing_while_the_viewer_may_choose(self):
        super().test_a_seek_from_outside_is_taken_back_and_changes_nothing_while_the_viewer_may_choose()


class ManagedMediaSource(PlayerTest):
    """Where there is only the Media Source of phones. Other engines have none, and play whole files as above."""

    before_load = "delete window.MediaSource;"

    @needs("managed media source")
    def test_segments_follow_each_other(self):
        self.open_saved("hall")
        self.assertTrue(self.page.evaluate("'ManagedMediaSource' in globalThis"))
        self.begin("Resume", [offered("hall", "1")])
        self.wait_to_see("tower")
        self.seen("hall", "tower", judge=WalkOnScreen, is_whole=False)


class FailingMediaSource(PlayerTest):
    before_load = FAILING % 3

    def test_the_story_goes_on_with_whole_files(self):
        # From the beginning: WebKitGTK shows a scene that is resumed again, by ten frames, when files take over in it.
        self.begin(moves=[offered("door", "o"), offered("hall", "1")])
        # Firefox reports no frames of the video that has taken over.
        self.wait("tower", "ended")
        self.assert_goes_on_where_it_was()
        self.assertEqual(self.page.get_by_role("alert").count(), 0)


class DamagedSegment(PlayerTest):
    """Media Source gets bytes that it can't decode, once, and tells of it twice: the buffer, and then the video."""

    before_load = """for (const each of [globalThis.SourceBuffer, globalThis.ManagedSourceBuffer]) {
        if (!each) continue;
        const { appendBuffer } = each.prototype;
        let count = 0;
        each.prototype.appendBuffer = function (bytes) {
            count += 1;
            // The boxes inside of the fragment's first one.
            return appendBuffer.call(this, count === 3 ? bytes.slice().fill(255, 8, 60) : bytes);
        };
    }"""

    def test_whole_files_take_over_and_are_not_blamed(self):
        self.open_saved("garden")
        self.begin("Resume", [offered("garden", "1")])
        self.wait("tower", "ended")
        self.assertEqual(self.page.get_by_role("alert").count(), 0)


class DamagedFilm(PlayerTest):
    before_load = FAILING % 1 + """
        const { createObjectURL } = URL;
        URL.createObjectURL = (given) => createObjectURL.call(URL, given instanceof Blob
            ? new Blob(["damaged"], { type: given.type }) : given);
        globalThis.mend = () => { URL.createObjectURL = createObjectURL; };
        globalThis.warnings = [];
        console.warn = (...given) => warnings.push(given);
    """

    def test_what_failed_is_said_and_retried(self):
        self.context = self.browser.new_context()
        page = self._page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.server.url)
        alert = page.get_by_role("alert")
        alert.wait_for()
        self.assertEqual(
            alert.inner_text(), "The video can't be played. It may be damaged, or this browser can't decode it.")
        # Why, in the browser's own words, is for the console: once for each of the two ways.
        self.assertEqual(page.evaluate("warnings.length"), 2)
        page.evaluate("() => { globalThis.isSame = true; mend(); }")
        page.get_by_role("button", name="Retry").click()
        self.begin()
        self.wait_to_see("door")
        self.assertTrue(page.evaluate("isSame"), "the page wasn't loaded again")


class OnePage(PlayerTest):
    def test_a_page_that_holds_everything_plays_from_the_disk(self):
        file = one_page(story())
        folder = Path(tempfile.mkdtemp(prefix="film-"))
        self.addCleanup(shutil.rmtree, folder)
        scripts = "".join(f"<script>{each}</script>" for each in self.scripts)
        (folder / "film.html").write_text(with_script(file.read_text(), scripts))
        self.open_page((folder / "film.html").as_uri())
        self.begin()
        self.wait("door", "choosing")
        # WebKitGTK refuses Media Source on pages from the disk, and on a busy machine it reports few frames of the video
        # that takes over; that the story has gone on is what is known there.
        if ENGINE != "webkit":
            self.wait_to_see("door")
            self.seen("prologue", "door", judge=WalkOnScreen, is_whole=False)
        self.assertEqual([path for path in self.server.requests if "/-test/" not in path], [])
        self.assertNotIn("import ", re.sub(r"//.*", "", file.read_text().split("</style>")[1]))
        print(f"\n  a page of {file.stat().st_size} bytes", end=" ")
