"""Segments are loaded before they are needed, no more than necessary, and again after a network failure."""

from browser import QUICK, RETRIES, PlayerTest, offered
from shared import sooner
from story import SEGMENTS


class NetworkTest(PlayerTest):
    def asked(self):
        return [path for path in self.server.requests if path.startswith("/media/")]

    def asked_and_answered(self, name):
        """When a segment was requested, and when it had been loaded, on the page's clock."""
        return self.page.wait_for_function(
            """name => {
                const entry = performance.getEntriesByType("resource")
                    .find((entry) => entry.name.endsWith(name) && entry.responseEnd > 0);
                return entry && [entry.startTime, entry.responseEnd];
            }""", arg=self.file(name)).json_value()


class Network(NetworkTest):
    def test_all_that_may_follow_is_there_before_the_decision(self):
        self.open_page()
        self.assertEqual(self.asked(), ["/media/init.mp4", self.file("prologue")])
        self.begin()
        self.wait("hall", "choosing")
        reached = next(frame["now"] for frame in self.record()["frames"]
                       if frame["number"] >= SEGMENTS["door"].first)
        for name in ("door", "hall", "garden"):
            self.assertLess(self.asked_and_answered(name)[1], reached, "before the door is even reached")
        self.assertGreater(self.asked_and_answered("tower")[0], reached)
        self.page.keyboard.press("1")
        self.asked_and_answered("tower")
        self.assertEqual(len(self.asked()), len(set(self.asked())), "each once")

    def test_a_segment_that_fails_for_a_moment_is_fetched_again(self):
        self.server.broken.add(self.file("door"))
        self.open_page()
        with self.page.expect_event(
                "response", lambda response: "door.m4s" in response.url and response.status == 503):
            self.begin(speed=QUICK)
        self.server.broken.clear()
        self.wait("door", "choosing")
        self.assertEqual(self.page.get_by_role("alert").count(), 0)


class Failures(NetworkTest):
    """What is said when nothing has helped; how long the player waits between its tries doesn't matter here."""

    before_load = sooner(*RETRIES)

    def test_a_failing_network_is_said_and_tried_again(self):
        self.server.broken.add(self.file("door"))
        self.begin(speed=QUICK)
        self.wait("prologue", "locked")
        alert = self.page.get_by_role("alert")
        alert.wait_for()
        self.assertEqual(
            alert.inner_text(),
            "The next part of the video can't be loaded. Check your network connection.")
        self.assertGreaterEqual(self.asked().count(self.file("door")), 4)
        self.server.broken.clear()
        self.page.get_by_role("button", name="Retry").click()
        self.wait("door", "choosing")

    def test_it_is_tried_again_when_the_network_is_there_again(self):
        self.server.broken.add(self.file("door"))
        self.begin(speed=QUICK)
        self.page.get_by_role("alert").wait_for()
        self.server.broken.clear()
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.wait("door", "choosing")
        self.assertEqual(self.page.get_by_role("alert").count(), 0)

    def test_a_failure_that_no_longer_matters_is_not_shown(self):
        self.open_saved("garden")
        self.server.broken.update((self.file("door"), self.file("tower")))
        self.begin("Resume", [offered("garden", "2")])
        alert = self.page.get_by_role("alert")
        alert.wait_for()
        # The viewer goes back to the choice, and nobody waits for the door any more.
        self.page.keyboard.press("Backspace")
        self.wait("garden", "choosing")
        self.assertEqual(alert.count(), 0)

    def test_before_the_start_a_failure_leads_back_to_it(self):
        self.server.broken.add(self.file("prologue"))
        self.context = self.browser.new_context()
        page = self._page = self.context.new_page()
        page.goto(self.server.url)
        page.get_by_role("alert").wait_for()
        self.server.broken.clear()
        page.get_by_role("button", name="Retry").click()
        page.locator("#card").get_by_role("button", name="Play", exact=True).click()
        self.wait_to_see("prologue")

    def test_a_manifest_of_another_version_is_not_blamed_on_the_network(self):
        self.context = self.browser.new_context()
        page = self._page = self.context.new_page()
        page.route("**/story.json", lambda route: route.fulfill(json={"timewarp": "story-manifest/9"}))
        page.goto(self.server.url)
        alert = page.get_by_role("alert")
        alert.wait_for()
        self.assertEqual(
            alert.inner_text(), "The story can't be read. Its file is damaged, or of another version.")

    def test_without_its_manifest_the_page_says_so(self):
        self.server.broken.add("story.json")
        page = self.browser.new_page()
        page.goto(self.server.url)
        page.get_by_role("alert").wait_for()
        self.assertIn("The story can't be loaded", page.get_by_role("alert").inner_text())
        page.close()
