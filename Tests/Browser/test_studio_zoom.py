"""Zooming and scrolling the studio's curve: what is shown, and what is fetched for it."""

from engines import needs
from studio import source_at
from test_studio_plot import CUSTOM, RAMP, PlotTest

BEATS = {"over": "source", "beats": [0.5 + i for i in range(10)], "onsets": [0.25, 0.5], "tempo": 60}


class Zoom(PlotTest):
    def ticks(self):
        """The texts of the horizontal axis in seconds."""
        return [float(text.split()[0]) for text in
                self.page.locator(".plot-tick-across").all_text_contents()]

    def wheel(self, share, turns, keys=("Control",)):
        x, y, width, height = self.box()
        self.page.mouse.move(x + share * width, y + height / 2)
        for key in keys:
            self.page.keyboard.down(key)
        for _ in range(abs(turns)):
            self.page.mouse.wheel(0, -100 if turns > 0 else 100)
        for key in keys:
            self.page.keyboard.up(key)

    def part(self):
        """The part that the plot reported last, in seconds."""
        calls = self.calls("onPart")
        return calls[-1]["value"] if calls else None

    def test_the_wheel_zooms_at_the_pointer_down_to_single_frames_and_back(self):
        self.show(RAMP, None)
        self.wheel(0.3, 60)
        part = self.part()
        self.assertAlmostEqual(part["to"] - part["from"], 4 / 30, delta=1e-6, msg="it ends at single frames")
        self.wheel(0.3, -60)
        self.assertIsNone(self.part())
        self.wheel(0.3, 8)
        part = self.part()
        self.assertAlmostEqual(part["from"] + 0.3 * (part["to"] - part["from"]), 3, delta=0.02)
        self.assertLess(part["to"] - part["from"], 2)
        self.assertTrue(all(part["from"] - 0.01 <= each <= part["to"] + 0.01 for each in self.ticks()))
        self.assertTrue(self.page.locator("#plot .plot-scroll").is_visible())
        self.wheel(0.3, -12)
        self.assertIsNone(self.part())
        self.assertFalse(self.page.locator("#plot .plot-scroll").is_visible())
        self.assertEqual(self.ticks()[-1], 10)

    def test_a_wheel_without_a_key_scrolls_the_page(self):
        self.show(RAMP, None, height=300)
        self.wheel(0.5, -3, keys=())
        self.wait_for("scrollY > 0")
        self.assertIsNone(self.part())

    def wait_for(self, condition):
        self.page.wait_for_function(f"() => {condition}")

    def test_shift_and_the_scroll_bar_scroll(self):
        self.show(RAMP, None)
        self.wheel(0.5, 6)
        first = self.part()
        self.wheel(0.5, -2, keys=("Shift",))
        second = self.part()
        self.assertGreater(second["from"], first["from"])
        bar = self.page.get_by_role("scrollbar")
        box = bar.bounding_box()
        thumb = self.page.locator(".plot-thumb").bounding_box()
        self.drag((thumb["x"] + 5, thumb["y"] + 3), (20, 0), (2000, 0))
        self.assertAlmostEqual(self.part()["to"], 10, delta=1e-6)
        bar.focus()
        self.page.keyboard.press("Home")
        self.assertEqual(self.part()["from"], 0)
        self.page.keyboard.press("PageDown")
        span = self.part()["to"] - self.part()["from"]
        self.assertAlmostEqual(self.part()["from"], 0.9 * span, delta=1e-6)
        self.assertEqual(int(bar.get_attribute("aria-valuenow")),
                         round(100 * self.part()["from"] / (10 - span)))
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 4)
        self.assertAlmostEqual(self.part()["from"] + span / 2, 5, delta=0.05)

    def test_keyframes_drag_and_snap_by_what_is_shown(self):
        self.show()
        self.wheel(0.55, 14)
        part = self.part()
        x, _, width, _ = self.box()
        perPixel = (part["to"] - part["from"]) / width
        start = self.centre(".plot-keyframe", 2)
        self.assertAlmostEqual(start[0], x + (5.5 - part["from"]) / perPixel, delta=1)
        self.drag(start, (40, 0), (90, 0))
        seconds = float(self.keyframes()[2]["at"][:-1])
        # To a whole frame, which is some pixels wide now.
        self.assertAlmostEqual(seconds, 5.5 + 90 * perPixel, delta=0.5 / 30 + perPixel)
        self.assertAlmostEqual(seconds * 30, round(seconds * 30), delta=0.02)
        self.assertEqual(self.part(), part)

    def test_a_keyframe_outside_is_shown_when_it_gets_the_focus(self):
        self.show()
        self.wheel(0.1, 8)
        self.assertIn("is-outside", self.page.locator(".plot-keyframe").nth(3).get_attribute("class"))
        self.page.locator(".plot-keyframe").nth(3).focus()
        self.assertNotIn("is-outside", self.page.locator(".plot-keyframe").nth(3).get_attribute("class"))
        part = self.part()
        self.assertTrue(part["from"] < 8 < part["to"])

    def test_the_playing_position_is_followed(self):
        self.show(RAMP, None)
        self.wheel(0.1, 8)
        self.page.evaluate("() => harness.plot.moveDot({ source: 7, output: null })")
        part = self.part()
        self.assertTrue(part["from"] < 7 < part["to"])
        self.assertTrue(self.page.locator(".plot-dot").is_visible())
        # Who scrolls away while it stands isn't taken back.
        self.wheel(0.5, -40, keys=("Shift",))
        self.page.evaluate("() => harness.plot.moveDot({ source: 7, output: null })")
        self.assertEqual(self.part()["to"], 10)
        self.assertFalse(self.page.locator(".plot-dot").is_visible())

    def test_in_the_time_view_the_output_is_zoomed_too(self):
        self.show(RAMP, None, view="time")
        self.wheel(0.5, 10)
        _, y, _, height = self.box()
        points = self.page.evaluate("""() => document.querySelector(".plot-curve").getAttribute("d")
            .match(/[\\d.-]+ [\\d.-]+/g).map((pair) => pair.split(" ").map(Number))""")
        heights = [point[1] for point in points]
        # The curve goes through the whole plot, and no coordinate is far outside of it.
        self.assertGreater(max(heights) - min(heights), 0.8 * height)
        self.assertLess(max(max(abs(x), abs(y)) for x, y in points), 3000)

    def test_another_range_is_shown_as_a_whole(self):
        self.show(RAMP, None)
        self.wheel(0.5, 6)
        self.page.evaluate("clip => void harness.show({ clip })", {
            "duration": 20, "frameRate": 30, "range": {"start": 0, "end": 10}})
        self.assertIsNone(self.part())

    @needs("touch")
    def test_two_fingers_zoom(self):
        self.show(RAMP, None, has_touch=True)
        x, y, width, height = self.box()
        session = self.page.context.new_cdp_session(self.page)

        def touch(kind, *xs):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
                {"x": x + share * width, "y": y + height / 2, "id": i} for i, share in enumerate(xs)]})
        touch("touchStart", 0.45)
        touch("touchStart", 0.45, 0.55)
        for step in range(1, 9):
            touch("touchMove", 0.45 - 0.04 * step, 0.55 + 0.04 * step)
        touch("touchEnd")
        part = self.part()
        self.assertLess(part["to"] - part["from"], 3)
        self.assertAlmostEqual((part["from"] + part["to"]) / 2, 5, delta=0.3)


class Beats(PlotTest):
    def lines(self):
        x, _, width, _ = self.box()
        stage = self.page.locator(".plot-stage").bounding_box()["x"]
        path = self.page.locator(".plot-beat-lines").get_attribute("d")
        return [(float(each.split()[0]) + stage - x) / width
                for each in path.split("M")[1:]]

    def test_beats_of_the_clip_stand_where_the_clip_has_them(self):
        self.show(beats=BEATS)
        for found, wanted in zip(self.lines(), BEATS["beats"], strict=True):
            self.assertAlmostEqual(found, wanted / 10, delta=0.002)

    def test_keyframes_snap_to_them(self):
        self.show(beats=BEATS)
        x, _, width, _ = self.box()
        start = self.centre(".plot-keyframe", 2)
        self.drag(start, (-20, 0), (x + 0.45 * width - start[0] + 5, 0), drop=False)
        self.assertRegex(self.guides(), "v")
        self.page.mouse.up()
        self.assertEqual(self.keyframes()[2]["at"], "4.5s")
        self.assertEqual(self.calls("onBeat"), [])

    def test_dropped_on_a_beat_of_the_output_a_keyframe_hits_it(self):
        beats = {**BEATS, "over": "output"}
        self.show(beats=beats)
        x, _, width, _ = self.box()
        target = source_at(CUSTOM["map"], 6.5)
        start = self.centre(".plot-keyframe", 1)
        self.drag(start, (-20, 0), (x + target / 10 * width - start[0] + 3, 0))
        self.assertEqual(self.calls("onBeat")[-1]["value"], 1)
        self.assertEqual(self.calls("onBeat")[-1]["final"], None)
        self.assertFalse(self.calls()[-1]["final"])

    def test_a_press_on_the_lane_seeks(self):
        self.show(RAMP, None, beats=BEATS)
        box = self.page.locator(".plot-beats-canvas").bounding_box()
        self.page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 5)
        self.assertAlmostEqual(self.calls("onSeek")[-1]["value"], 2.5, delta=0.02)
