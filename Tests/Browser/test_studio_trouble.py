"""What goes wrong around the studio's page: broken connections, refused files, other tabs, impatient fingers."""

import subprocess

from engines import needs
from studio import CALM, SHARES, StudioTest, job_request


class Trouble(StudioTest):
    def setUp(self):
        super().setUp()
        self.use_clip()

    @property
    def second(self):
        """The bytes of a clip of a second, for files that are only brought."""
        return (self.folder / "second.mov").read_bytes()

    def hidden(self, isHidden):
        """Has the page believe that its tab is hidden, or shown again."""
        self.page.evaluate("""(isHidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", isHidden)

    def slow(self, seconds):
        """Sets a length whose render takes a while."""
        self.evaluated(lambda: self.page.get_by_role("tab", name="Scale").click())
        self.page.locator("#scale-by label", has_text="Length").click()
        self.evaluated(lambda: self.page.locator("#scale-duration").fill(str(seconds)))

    def newest(self):
        return self.api("/api/renders")["renders"][0]


class Files(Trouble):
    def test_a_file_without_room_isn_t_sent_and_an_upload_that_breaks_off_isn_t_called_a_lost_studio(self):
        self.allowed += ["507", "ERR_FAILED"]
        sent = self.requests()
        self.page.route("**/api/uploads/room*", lambda route: route.fulfill(
            status=507, json={"error": {"message": "There isn't enough space on the disk for this file."}}))
        self.drop(self.clip)
        self.becomes("#error-media", "There isn't enough space on the disk for this file.")
        self.assertFalse([url for url in sent if "/api/uploads?" in url])
        self.page.unroute("**/api/uploads/room*")
        self.page.route("**/api/uploads?*", lambda route: route.abort())
        self.drop(self.clip)
        self.becomes("#error-media", f"The upload of {self.clip.name} broke off. Try it again.")

    def test_uploads_show_the_clip_that_was_dropped_last_and_leave_what_was_edited_meanwhile(self):
        held = []
        self.page.route("**/api/uploads?*", lambda route: held.append(route))

        def drop(name):
            path = self.folder / f"{name}.mov"
            path.write_bytes(self.second)
            count = len(held) + 1
            self.drop(path)
            self.until(lambda: len(held) == count)
        for names in (["quick", "slow"], ["slower", "quicker"]):
            held.clear()
            for name in names:
                drop(name)
            for left, name in ((1, min(names)), (0, max(names))):
                held[names.index(name)].continue_()
                self.page.locator("#media .pick", has_text=f"{name}.mov").wait_for()
                self.until(lambda left=left: self.page.locator("#uploads li").count() == left)
            self.becomes("#source-name", f"{names[-1]}.mov")
        drop("late")
        self.assertTrue(self.page.evaluate(
            "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"), "the browser asks before it leaves")
        self.evaluated(lambda: self.choose_curve("Triangle"))
        held[-1].continue_()
        self.page.locator("#media .pick", has_text="late.mov").wait_for()
        self.assertEqual(self.text("#source-name"), f"{names[-1]}.mov")
        self.assertTrue(self.page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))"))

    def test_a_clip_that_no_browser_plays_is_played_at_once(self):
        path = self.folder / "strange.mov"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", self.clip, "-t", "1", "-c:v", "prores_ks", "-c:a", "copy", path], check=True)
        self.bring(path)
        self.until(lambda: self.shown("source-video")[0] == 0)
        self.page.locator("#source-title").click()
        self.page.keyboard.press("End")
        self.until(lambda: self.shown("source-video")[0] == 29)
        self.assertFalse(self.page.locator("#source-card").is_visible())

    def test_a_stream_that_breaks_is_said_and_asked_for_again(self):
        self.allowed.append("500")
        self.page.route("**/api/stream*", lambda route: route.fulfill(
            status=500, json={"error": {"message": "The disk is on fire."}}))
        self.page.get_by_role("button", name="Preview").click()
        self.page.locator("#source-card", has_text="The disk is on fire.").wait_for()
        self.page.unroute("**/api/stream*")
        self.page.locator("#source-title").click()
        self.page.keyboard.press("Home")
        self.until(lambda: self.shown("source-video")[0] == 0)

    def test_a_clip_that_is_gone_doesn_t_move_under_the_pointer_and_its_render_s_settings_are_taken(self):
        path = self.folder / "gone.mov"
        path.write_bytes(self.second)
        self.bring(path)
        media = next(each for each in self.api("/api/media")["media"] if each["name"] == "gone.mov")
        self.until(lambda: self.api(f"/api/media/{media['id']}")["analysis"] == "ready")
        self.evaluated(lambda: self.choose_curve("Triangle"))
        self.render()
        self.page.locator("#result-title").click()
        self.page.keyboard.press("k")
        if SHARES:
            self.page.emulate_media(reduced_motion="no-preference")
        # A loop of the clip's frames, as they would be made, for as long as it is pointed at.
        self.page.locator("#frames label", has_text="Motion").hover()
        self.page.wait_for_function("() => document.getElementById('frames-video').currentTime > 0.1")
        self.assertRegex(self.text("#frames-loop"), r"Motion, at 0:0\d\.\d+ of the output")
        self.page.locator(".tile.preset").first.hover()
        self.wait_until("!document.querySelector('#frames-loop:popover-open')")
        self.page.wait_for_selector(".tile.is-moving")
        self.page.evaluate("(id) => fetch(`/api/media/${id}`, { method: 'DELETE' })", media["id"])
        self.wait_until("!document.querySelector('.tile.is-moving')")
        if SHARES:
            self.page.emulate_media(**CALM)
        self.wait_until("!document.getElementById('media').textContent.includes('gone.mov')")
        self.use_clip()
        self.evaluated(lambda: self.choose_curve("Ramp"))
        self.evaluated(lambda: self.use_settings(self.page.locator("#renders > li").first))
        self.assertEqual(self.text("#source-name"), self.clip.name)
        self.assertTrue(self.page.locator("input[value=triangle]").is_checked())


class Tabs(Trouble):
    def test_a_hidden_tab_listens_to_nothing_and_fetches_everything_when_it_is_shown(self):
        self.slow(1)
        asked = self.requests()
        self.hidden(True)
        rename = self.api("/api/curves", {"name": "Made meanwhile", "curve": {"curve": "ramp"}})
        self.assertTrue(rename["id"])
        self.page.evaluate("new Promise((done) => setTimeout(done))")
        self.assertFalse([url for url in asked if url.endswith("/api/events")])
        self.assertEqual(self.page.locator("#curves", has_text="Made meanwhile").count(), 0)
        # It isn't told how its render goes on.
        self.page.get_by_role("button", name="Render", exact=True).click()
        self.wait_until("document.querySelector('#renders > .running, #renders > .queued')")
        self.until(lambda: self.newest()["state"] == "finished")
        self.hidden(False)
        self.wait_until("document.getElementById('curves').textContent.includes('Made meanwhile')")
        self.becomes("#result-name", self.newest()["name"])
        self.wait_until("!document.querySelector('#renders > .running')")

    @needs("tabs")
    def test_what_is_removed_and_brought_back_is_so_in_all_tabs(self):
        other = self.context.new_page()
        other.goto(self.studio.url)
        row = f"#media li:has-text('{self.clip.name}')"
        other.locator(row).first.wait_for()
        self.page.get_by_role("button", name=f"Remove {self.clip.name}").first.click()
        other.wait_for_function("(name) => !document.getElementById('media').textContent.includes(name)",
                                arg=self.clip.name)
        self.page.get_by_role("button", name=f"Bring back {self.clip.name}").click()
        other.locator(row).first.wait_for()
        other.close()

    def test_a_reload_in_mid_render_doesn_t_forget_the_result(self):
        self.slow(1)
        before = self.text("#result-name")
        # It has to wait for another one, however slow the reload is.
        media = next(each["id"] for each in self.api("/api/media")["media"] if each["name"] == self.clip.name)
        other = self.api("/api/renders", job_request(media, {"duration": "3600"}))
        self.page.get_by_role("button", name="Render", exact=True).click()
        self.wait_until("document.querySelector('#renders > .queued')")
        # The list may tell of it before the page has the answer, and knows that it is its own.
        self.wait_until("JSON.parse(sessionStorage.getItem('timewarp:renders') ?? '[]').length > 0")
        self.page.reload()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        # Whether a result of another test is of earlier settings is known once the curve was evaluated.
        self.becomes("#result-name", before)
        # A result that was finished before the page listened again is shown, but doesn't play.
        self.wait_until("document.documentElement.dataset.listens === 'true'")
        self.assertEqual(self.page.locator("#renders > .queued").count(), 1)
        name = self.newest()["name"]
        self.api(f"/api/renders/{other['id']}/cancel", {})
        self.becomes("#result-name", name)
        self.until(lambda: self.page.evaluate("document.getElementById('result-video').currentTime") > 0)
        self.page.locator("#result-title").click()
        self.page.keyboard.press("k")

    def factor(self, page):
        return page.locator("#factor-number").input_value()

    def test_undo_survives_a_reload_and_another_page(self):
        self.isSpoiled = True
        self.use_clip()
        for factor in (2, 3):
            self.evaluated(lambda factor=factor: self.set_number("Factor", factor))
        ready = "document.documentElement.dataset.ready === 'true'"
        self.page.reload()
        self.wait_until(ready)
        self.assertEqual(self.factor(self.page), "3")
        self.page.get_by_role("button", name="Undo").click()
        self.assertEqual(self.factor(self.page), "2")
        self.page.get_by_role("link", name="Stories").click()
        self.page.wait_for_url("**/stories*")
        self.page.get_by_role("link", name="Studio").click()
        self.wait_until(ready)
        self.assertEqual(self.factor(self.page), "2")
        self.page.get_by_role("button", name="Redo").click()
        self.assertEqual(self.factor(self.page), "3")
        for _ in range(2):
            self.page.get_by_role("button", name="Undo").click()
        self.assertEqual(self.factor(self.page), "1.5")

    @needs("tabs")
    def test_another_tab_begins_with_what_is_there_and_overwrites_nothing(self):
        self.isSpoiled = True
        self.use_clip()
        self.evaluated(lambda: self.set_number("Factor", 2))
        self.until(lambda: self.draft()["warp"]["factor"] == 2)
        other = self.context.new_page()
        other.goto(self.studio.url)
        other.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
        self.assertEqual(self.factor(other), "2")
        other.locator("#factor-number").fill("4")
        other.locator("#factor-number").press("Enter")
        self.until(lambda: self.draft()["warp"]["factor"] == 4)
        self.page.reload()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.assertEqual(self.factor(self.page), "2")
        other.close()


class Hands(Trouble):
    def key(self, key, **more):
        self.page.evaluate("""([key, more]) => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, ...more }))""", [key, more])

    def preview(self):
        return self.page.locator("#preview").get_attribute("aria-pressed")

    def test_held_keys_act_once_and_single_keys_are_turned_off_and_on(self):
        self.key("p")
        for _ in range(3):
            self.key("p", repeat=True)
        self.assertEqual(self.preview(), "true")
        self.key("p")
        self.key("k")
        self.wait_until("document.getElementById('source-video').paused")
        # Steps go on, and so does undo.
        self.key("Home")
        self.until(lambda: self.shown("source-video")[0] == 0)
        self.key(".")
        self.key(".", repeat=True)
        self.until(lambda: self.shown("source-video")[0] == 2)
        self.page.get_by_role("button", name="Keyboard help").click()
        switch = self.page.get_by_role("switch", name="Shortcuts of one character")
        switch.uncheck()
        self.page.keyboard.press("Escape")
        self.key("p")
        self.assertEqual(self.preview(), "false")
        self.page.reload()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.key("p")
        self.assertEqual(self.preview(), "false")
        self.assertEqual(self.page.locator("#letter-keys").is_checked(), False)
        self.page.get_by_role("button", name="Keyboard help").click()
        switch.check()
        self.page.keyboard.press("Escape")
        self.wait_until("document.getElementById('preview').getAttribute('aria-disabled') === 'false'")
        self.key("p")
        self.assertEqual(self.preview(), "true")

    def test_a_list_that_changes_under_a_press_doesn_t_lose_the_click(self):
        clips = lambda: self.api("/api/media")["media"]
        # What earlier tests had made may still change the list.
        self.until(lambda: all(each["analysis"] != "waiting" for each in clips()))
        self.page.evaluate("""() => {
            globalThis.heard = [];
            const events = new EventSource("/api/events");
            events.addEventListener("media", ({ data }) => heard.push(JSON.parse(data)));
            return new Promise((resume) => events.addEventListener("hello", resume));
        }""")
        # The press takes the focus from another row, which is no release.
        self.page.locator("#media button.pick", has_text=self.clip.name).focus()
        self.page.locator("#media button.pick", has_text="sample.mp4").hover()
        self.page.mouse.down()
        path = self.folder / "another.mov"
        path.write_bytes(self.second)
        self.studio.upload(path)
        self.wait_until("heard.some(({ analysis }) => analysis === 'ready')")
        self.page.evaluate("new Promise((done) => setTimeout(done))")
        self.page.mouse.up()
        self.becomes("#source-name", "sample.mp4")

    def test_nothing_is_made_of_a_wrong_curve_and_a_double_click_renders_once(self):
        self.evaluated(lambda: self.choose_curve("Formula"))
        self.evaluated(lambda: self.page.locator("#formula").fill("1 + ?"))
        before = len(self.api("/api/renders")["renders"])
        sent = self.requests()
        self.page.locator("#export-group summary").click()
        for button in ("#render", "#export-edit"):
            self.assertEqual(self.page.locator(button).get_attribute("aria-disabled"), "true")
            self.page.locator(button).click(force=True)
        self.wait_until("document.getElementById('live').textContent.includes('formula')")
        self.assertFalse([url for url in sent if url.endswith(("/api/renders", "/api/export"))])
        self.assertEqual(len(self.api("/api/renders")["renders"]), before)
        self.slow(1)
        self.page.locator("#render").dblclick()
        self.key("Enter", ctrlKey=True, repeat=True)
        self.wait_until("!document.querySelector('#renders > .running, #renders > .queued')")
        self.until(lambda: len(self.api("/api/renders")["renders"]) > before)
        self.assertEqual(len(self.api("/api/renders")["renders"]), before + 1)

    def test_a_preview_is_told_to_play_by_the_press_itself_and_it_is_said_if_the_browser_wants_another(self):
        self.page.evaluate("""() => {
            const { play } = HTMLMediaElement.prototype;
            globalThis.inPress = [];
            HTMLMediaElement.prototype.play = function () {
                inPress.push(Boolean(globalThis.event?.isTrusted && globalThis.event.type === "click"));
                return play.call(this);
            };
        }""")
        preview = self.page.locator("#preview")
        preview.click()
        self.wait_until("!document.getElementById('source-video').paused")
        self.assertTrue(self.page.evaluate("inPress[0]"))
        preview.click()
        self.key("k")
        self.wait_until("document.getElementById('source-video').paused")
        self.page.evaluate("""() => {
            HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException("no", "NotAllowedError"));
        }""")
        preview.click()
        self.becomes("#error-source", "Press Play: the browser wants a press.")
        self.assertEqual(self.page.locator("#source-transport .play").get_attribute("aria-label"), "Play")

    def test_a_curve_of_the_same_name_comes_back_and_an_old_list_overwrites_no_newer_one(self):
        self.page.locator("#saved-curves summary").click()

        def save(name):
            self.page.get_by_role("textbox", name="Name of this curve").fill(name)
            self.page.get_by_role("button", name="Save", exact=True).click()
        kept = lambda: [each["curve"]["curve"] for each in self.api("/api/curves")["curves"]
                        if each["name"] == "Replaced"]
        for curve in ("Triangle", "Ramp"):
            self.evaluated(lambda curve=curve: self.choose_curve(curve))
            save("Replaced")
            self.until(lambda curve=curve: kept() == [curve.lower()])
        self.page.get_by_role("button", name="Bring back Replaced").click()
        self.until(lambda: kept() == ["triangle"])
        held = []

        def hold(route):
            if route.request.method == "GET" and not held:
                held.append(route)
                held.append(route.fetch())
            else:
                route.continue_()
        self.page.route("**/api/curves", hold)
        save("Late")
        # One list follows the response, and another one an event.
        self.page.get_by_role("button", name="Delete Late").click()
        self.wait_until("!document.getElementById('curves').textContent.includes('Late')")
        route, response = held
        self.assertIn("Late", response.text())
        with self.page.expect_response("**/api/curves") as answer:
            route.fulfill(response=response)
        answer.value.finished()
        self.page.evaluate("new Promise((done) => setTimeout(done))")
        self.assertNotIn("Late", self.text("#curves"))
