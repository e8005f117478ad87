"""Accessibility of the player: keyboard only, screen readers, touch, captions, reduced motion."""

from browser import QUICK, PlayerTest, offered, once_round
from engines import needs
from fixture import FRAME_RATE
from story import SEGMENTS

WHERE = """() => {
    const { activeElement: { id, dataset, textContent } } = document;
    return id || dataset.choice || textContent.trim();
}"""


class Controls(PlayerTest):
    def focus_order(self, count):
        order = []
        for _ in range(count):
            self.page.keyboard.press("Tab")
            order.append(self.page.evaluate(WHERE))
        return order

    def said(self):
        return self.page.evaluate("record.said")

    def wait_until(self, condition):
        self.page.wait_for_function(f"() => {condition}")

    def test_it_works_from_the_keyboard_alone(self):
        self.open_saved("door")
        press = self.page.keyboard.press
        self.do(offered("door", " "))
        press("Tab")
        self.assertEqual(self.page.evaluate(WHERE), "Resume")
        press("Enter")
        self.page.wait_for_function("() => record.moves.length === 0")
        for _ in range(3):
            press(">")
        press("Tab")
        self.assertEqual(self.page.evaluate(WHERE), "0")
        press("Tab")
        self.assertEqual(self.page.evaluate(WHERE), "1")
        press("Enter")
        press("k")
        self.wait("garden", "choosing")
        press("Tab")
        self.assertEqual(self.page.evaluate(WHERE), "0", "hotspots come before the bar")
        press("Space")
        self.wait("tower", "ended")
        # The focused button is gone, so the focus moves to the card's buttons.
        self.assertEqual(self.page.evaluate(WHERE), "Restart")
        press("Tab")
        press("Enter")
        self.wait("garden", "choosing")

    def test_the_focus_goes_over_choices_first_and_then_the_bar(self):
        self.open_saved("door")
        self.begin("Resume", [offered("door", "k")])
        self.wait_until("document.getElementById('video').paused")
        self.page.evaluate("document.getElementById('stage').focus()")
        self.assertEqual(self.focus_order(11), [
            "0", "1", "play", "back", "captions-button", "mute", "volume", "scenes-button", "map-button",
            "settings-button", "full"])

    def test_what_happens_is_said(self):
        self.open_saved("garden")
        self.begin("Resume", [offered("garden", "1")], QUICK)
        self.wait("tower", "ended")
        self.page.locator("#card").get_by_role("button", name="Back").click()
        self.wait("garden", "choosing")
        self.assertEqual(self.said(), [
            "Choose: 1, The tower; 2, The door.",
            "Chosen: The tower.",
            "The end.",
            "Back at the last choice.",
            "Choose: 1, The tower; 2, The door.",
        ])

    def test_a_loop_says_its_offer_once_and_keeps_the_focus(self):
        self.open_saved("door")
        self.begin("Resume", [offered("hall", "k")], QUICK)
        self.wait_until("record.moves.length === 0 && record.video.paused")
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Tab")
        self.assertEqual(self.page.evaluate(WHERE), "1")
        self.do(*once_round("hall"), offered("hall", "k"))
        self.page.keyboard.press("k")
        self.wait_until("record.moves.length === 0 && record.video.paused")
        self.assertEqual(self.page.evaluate(WHERE), "1")
        self.assertRegex(self.said()[0], "^Choose: 1, Open it; 2, Walk away. [12] seconds? to choose.$")
        self.assertEqual(self.said()[1:], [
            "No choice was made. The story continues.",
            "Choose: 1, Climb the tower; 2, Out to the garden."])

    def test_what_happened_in_a_stall_is_all_said(self):
        self.open_saved("door")
        self.begin("Resume", [], QUICK)
        last = SEGMENTS["door"].end - 10
        self.page.evaluate("""(last) => {
            const timer = setInterval(() => {
                if (!(record.frames.at(-1)?.number >= last)) return;
                clearInterval(timer);
                const end = performance.now() + 500;
                while (performance.now() < end);
            });
        }""", last)
        self.wait_until("record.said.length >= 3")
        self.assertEqual(self.said()[1:3], [
            "No choice was made. The story continues.",
            "Choose: 1, Climb the tower; 2, Out to the garden."])

    def test_touch(self):
        self.open_saved("hall", viewport={"width": 400, "height": 760}, has_touch=True, is_mobile=True)
        self.page.get_by_role("button", name="Resume").tap()
        self.wait_to_see("hall")
        self.page.get_by_role("button", name="Pause").tap()
        self.page.get_by_role("button", name="Play", exact=True).tap()
        self.do(offered("hall", "k"))
        self.page.wait_for_function("() => record.moves.length === 0 && record.video.paused")
        for box in self.boxes("button"):
            self.assertGreaterEqual(min(box["width"], box["height"]), 44)
        self.page.get_by_role("button", name="Out to the garden").tap()
        self.page.get_by_role("button", name="Play", exact=True).tap()
        self.wait("garden", "choosing")
        self.page.get_by_role("button", name="The door").tap()
        self.wait("garden", "locked")

    def test_choices_make_statements(self):
        self.open_saved("door")
        self.begin("Resume", [offered("door", "o")])
        self.page.wait_for_function("() => record.events.some(({ type }) => type === 'choice')")
        events = self.record()["events"]
        choice = next(event for event in events if event["type"] == "choice")
        self.assertEqual((choice["segment"], choice["choice"], choice["label"]),
                         ("door", 0, "Open it"))
        statement = choice["statement"]
        self.assertEqual(statement["actor"]["account"]["name"], "anonymous")
        self.assertEqual(statement["verb"]["display"], {"en": "selected"})
        self.assertTrue(statement["object"]["id"].endswith("#door/choices/0"))
        self.assertEqual(statement["object"]["definition"]["name"], {"en": "Open it"})
        self.assertRegex(statement["timestamp"], r"^\d{4}-\d\d-\d\dT[\d:.]+Z$")

    def choices_at_the_door(self):
        """The number of choices, as soon as the film has been paused there."""
        self.page.wait_for_function("() => record.moves.length === 0")
        self.wait_until("document.getElementById('video').paused")
        return self.page.locator("#choices button").count()

    def test_a_condition_takes_a_choice_away(self):
        self.open_saved("door", courage=1)
        pause = offered("door", "k")
        self.begin("Resume", [pause])
        self.assertEqual(self.choices_at_the_door(), 2)
        self.page.keyboard.press("o")
        self.wait("door", "locked")
        # What the choice has made of it.
        saved = "JSON.parse(localStorage.getItem(`timewarp:story:${id}`)).variables"
        self.assertEqual(self.page.evaluate(f"id => {saved}", self.manifest["id"]), {"courage": 2})
        self.open_saved("door", courage=2)
        self.begin("Resume", [pause])
        self.assertEqual(self.choices_at_the_door(), 1)

    @needs("exact frames")
    def test_pause_sound_captions_and_what_is_remembered(self):
        press = self.page.keyboard.press
        self.page.get_by_role("button", name="Captions: off").click()
        # Slowly: a busy machine looks seldom, and the captions are there once.
        self.begin(speed=0.4)
        self.page.wait_for_selector("#captions p")
        press("k")
        self.wait_until("document.getElementById('video').paused")
        self.page.get_by_role("button", name="Play").click()
        self.wait_until("!document.getElementById('video').paused")
        press("m")
        press("ArrowDown")
        self.assertTrue(self.page.evaluate("document.getElementById('video').volume < 0.95"))
        press("m")
        self.wait("door")
        captions = self.page.evaluate("record.captions")
        self.assertEqual([each["text"] for each in captions],
                         ["It is late.", "Nobody is here.", ""])
        self.assertEqual(captions[0]["italic"], "late")
        frames = self.record()["frames"]
        # The first segment may begin some frames after the start of the stream.
        begin = frames[0]["mediaTime"] - (frames[0]["number"] - SEGMENTS["prologue"].first) / FRAME_RATE
        times = [frame["told"] - begin for frame in frames]
        for each, time in zip(captions, (0.5, 1.0, 1.4)):
            # A caption must appear with the first frame at or after its time that the page is notified of.
            before, shown = times[each["frames"] - 2:each["frames"]]
            self.assertLess(before, time - 1e-3)
            self.assertGreater(shown, time - 1e-3)
        self.page.reload()
        self.wait_for_card()
        self.assertEqual(
            self.page.evaluate("(({ volume, muted }) => [volume, muted])"
                               "(document.getElementById('video'))"), [0.9, True])
        self.assertTrue(self.page.get_by_role("button", name="Captions: English").is_visible())

    def test_full_screen(self):
        self.page.get_by_role("button", name="Full screen").click()
        self.wait_until("document.fullscreenElement?.id === 'player'")
        self.page.keyboard.press("f")
        self.wait_until("!document.fullscreenElement")

    def test_little_motion_means_seconds_in_words(self):
        self.open_saved("door", reduced_motion="reduce")
        self.begin("Resume", [offered("door", "k")])
        self.wait_until("record.moves.length === 0")
        self.assertRegex(self.page.locator("#time").inner_text(), r"^[12] seconds?$")
