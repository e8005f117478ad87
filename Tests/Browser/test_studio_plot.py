"""The studio's plot on a page: what it shows, and how it is edited with mouse, keyboard and touch."""

import bisect

from accessibility import serious
from engines import needs
from shared import computing, poll
from studio_modules import ModulesTest, from_program, over_output, waveform

KEYFRAMES = [
    {"at": "0%", "speed": 1, "easing": "smooth"}, {"at": "30%", "speed": 0.25, "easing": "linear"},
    {"at": "5.5s", "speed": 0.25, "easing": "smooth"}, {"at": "0.8", "speed": 2, "easing": "smooth"},
    {"at": "100%", "speed": 1},
]
RAMP = from_program("--curve", "double-smoothstep", "--factor", "2.2", "--modifier", "0.7")


def custom(keyframes=KEYFRAMES, easing="smooth"):
    """The evaluation of keyframes that all have the same easing."""
    text = ", ".join(f"{each['at']}:{each['speed']}" for each in keyframes)
    return from_program("--keyframes", text, "--easing", easing)


CUSTOM = custom()

# After these a plot has been drawn at the size that it has: in each frame a ResizeObserver is called after the
# callbacks of requestAnimationFrame, so it has been called by the second of them.
TWO_FRAMES = """async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
}"""


def turning(u):
    """Plays, freezes from 0.4 to 0.5, plays backwards, and plays forward again."""
    points = [(0, 1), (0.4, 0), (0.5, 0), (0.75, -1), (1, 1.5)]
    right = min(4, bisect.bisect_right([each[0] for each in points], u))
    (a, low), (b, high) = points[right - 1], points[right]
    return low + (high - low) * (u - a) / (b - a)


TURNING = over_output(turning)


class PlotTest(ModulesTest):
    """A plot on a page."""

    def show(self, evaluation=CUSTOM, keyframes=KEYFRAMES, view="speed", clip=None, **options):
        more = {key: options.pop(key) for key in ("snap", "flip", "fit", "beats") if key in options}
        self.open(**options)
        clip = {"duration": 10, "frameRate": 30, "range": None, **(clip or {})}
        self.page.evaluate("state => void harness.show(state)", {
            "evaluation": evaluation, "keyframes": keyframes, "view": view, "clip": clip,
            "snap": True, "strip": self.strip, "waveform": waveform(), **more})
        self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def centre(self, selector, index=0):
        box = self.page.locator(selector).nth(index).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def box(self):
        """The area of the curve's axes on the page: left, top, width, height."""
        x, y, width, height = self.page.evaluate("""() => {
            const stage = document.querySelector(".plot-stage").getBoundingClientRect();
            const em = parseFloat(getComputedStyle(document.querySelector(".plot-stage")).fontSize);
            return [stage.x + 4.7 * em, stage.y + 2.4 * em,
                stage.width - 6.7 * em, stage.height - 4.3 * em];
        }""")
        return x, y, width, height

    def calls(self, name="onKeyframes"):
        calls = self.page.evaluate("() => harness.calls")
        return [call for call in calls if call["name"] == name]

    def keyframes(self):
        return self.page.evaluate("() => harness.state.keyframes")

    def drag(self, start, *ways, drop=True):
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for x, y in ways:
            mouse.move(start[0] + x, start[1] + y)
            # A browser that is late makes one event of several.
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        if drop:
            mouse.up()

    def guides(self):
        return self.page.locator(".plot-guides").get_attribute("d")


class Mouse(PlotTest):
    def test_a_keyframe_follows_the_pointer(self):
        self.show(snap=False)
        _, _, width, _ = self.box()
        self.drag(self.centre(".plot-keyframe", 1), (5, 0), (0.05 * width, -30), (0.1 * width, -60))
        calls = self.calls()
        self.assertEqual([call["final"] for call in calls], [False] * 3 + [True])
        self.assertEqual(calls[-1]["value"], calls[-2]["value"])
        keyframe = self.keyframes()[1]
        self.assertRegex(keyframe["at"], r"^40(\.0\d?)?%$|^39\.9\d?%$")
        self.assertGreater(keyframe["speed"], 0.5)
        # The handle stays where the pointer left it, although the response hasn't arrived yet.
        self.assertEqual(self.keyframes()[2], KEYFRAMES[2])

    def test_it_snaps_and_shows_to_what(self):
        self.show()
        _, _, width, _ = self.box()
        normal = self.centre(".plot-keyframe", 4)[1]
        start = self.centre(".plot-keyframe", 2)
        self.drag(start, (-10, -10), (-0.05 * width + 4, normal - start[1] + 5), drop=False)
        self.assertRegex(self.guides(), r"^M.*h.*M.*v")
        self.assertIn("1× at 5.00 s", self.page.locator(".plot-value").inner_text())
        self.page.mouse.up()
        self.assertEqual(self.keyframes()[2], {"at": "5s", "speed": 1, "easing": "smooth"})
        self.assertEqual(self.guides(), "")

    def test_alt_lets_it_go_free(self):
        self.show()
        normal = self.centre(".plot-keyframe", 4)[1]
        start = self.centre(".plot-keyframe", 2)
        self.page.keyboard.down("Alt")
        self.drag(start, (-10, -10), (3, normal - start[1] + 5))
        self.page.keyboard.up("Alt")
        self.assertNotEqual(self.keyframes()[2]["speed"], 1)
        self.assertNotEqual(self.keyframes()[2]["at"], "5.5s")

    def test_escape_takes_a_drag_back(self):
        self.show()
        self.drag(self.centre(".plot-keyframe", 1), (30, 0), (60, -50), drop=False)
        self.assertNotEqual(self.keyframes(), KEYFRAMES)
        self.page.keyboard.press("Escape")
        self.assertEqual(self.keyframes(), KEYFRAMES)
        self.assertTrue(self.calls()[-1]["final"])
        count = len(self.calls())
        self.page.mouse.move(400, 300)
        self.page.mouse.up()
        self.assertEqual(len(self.calls()), count)

    def test_a_press_alone_selects_and_changes_nothing(self):
        self.show()
        self.drag(self.centre(".plot-keyframe", 3), (1, 1))
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.calls("onSelect")[-1]["value"], 3)
        row = self.page.locator("tr[aria-current]")
        self.assertEqual(row.locator("input").first.input_value(), "80%")

    def test_answers_that_come_during_a_drag_do_not_take_it_back(self):
        self.show()
        self.drag(self.centre(".plot-keyframe", 1), (20, -20), (40, -40), drop=False)
        before = self.centre(".plot-keyframe", 1)
        self.page.evaluate("keyframes => void harness.plot.show({ ...harness.state, keyframes })",
                           KEYFRAMES)
        self.assertEqual(self.centre(".plot-keyframe", 1), before)
        self.page.mouse.up()

    def test_down_to_a_freeze_and_beyond(self):
        self.show()
        x, y, _, height = self.box()
        start = self.centre(".plot-keyframe", 1)
        zero = self.page.locator(".plot-zero").bounding_box()["y"]
        self.drag(start, (0, 10), (0, zero - start[1] + 3), drop=False)
        self.assertEqual(self.keyframes()[1]["speed"], 0)
        self.page.mouse.move(start[0], y + height + 40)
        self.page.mouse.up()
        self.assertLess(self.keyframes()[1]["speed"], -0.15)
        label = self.page.locator(".plot-keyframe").nth(1)
        self.assertIn("backwards", label.get_attribute("aria-valuetext"))
        box = label.bounding_box()
        self.assertLess(box["y"], y + height, "it stays in the plot")

    def test_a_double_click_adds_on_the_curve(self):
        self.show()
        x, y, width, _ = self.box()
        at = self.centre(".plot-keyframe", 1)[1]
        self.page.mouse.dblclick(x + 0.4 * width, at + 4)
        self.assertEqual(len(self.keyframes()), 6)
        added = self.keyframes()[2]
        self.assertEqual(added["speed"], 0.25)
        self.assertAlmostEqual(float(added["at"][:-1]), 40, delta=0.2)
        self.assertEqual(self.calls("onSelect")[-1]["value"], 2)

    def test_in_the_time_view_a_keyframe_is_dragged_across_or_up_to_a_time_that_is_shown(self):
        self.show(view="time", snap=False)
        width = self.box()[2]
        self.drag(self.centre(".plot-keyframe", 2), (5, 0), (0.05 * width, 0))
        self.assertEqual(self.keyframes()[2]["speed"], 0.25)
        self.assertAlmostEqual(float(self.keyframes()[2]["at"][:-1]), 6, delta=0.05)
        self.drag(self.centre(".plot-keyframe", 2), (0, -10), (0, -40), drop=False)
        self.assertIn("shown at", self.page.locator(".plot-value").text_content())
        self.page.mouse.up()
        self.assertLess(self.keyframes()[2]["speed"], 0.25)

    def test_easing_handles_make_a_bezier_curve(self):
        self.show()
        self.page.evaluate("() => harness.plot.select(0)")
        handle = self.centre(".plot-easing-handle", 0)
        x, _, width, _ = self.box()
        self.assertAlmostEqual(handle[0], x + 0.1 * width, delta=1.5)
        self.drag(handle, (10, 0), (0.05 * width, 40))
        easing = self.keyframes()[0]["easing"]
        self.assertRegex(easing, r"^bezier\(0\.(49|5)\d*,0\.\d+,0\.667,1\)$")
        self.assertIn("onKeyframes", [call["name"] for call in self.calls()])
        self.page.evaluate("() => harness.plot.select(1)")
        self.assertEqual(self.page.locator(".plot-easing-handle:visible").count(), 0)

    def test_an_exact_length_keeps_the_handles_on_the_curve(self):
        fitted = from_program("--keyframes", "0:1, 30%:0.25, 5.5s:0.25, 0.8:2, 1:1", "--fit", "8")
        self.show(fitted, snap=False)
        curve = fitted["curve"]
        ratio = curve["speed"][0]
        self.assertGreater(ratio, 1.5)
        y, height = self.page.locator(".plot-keyframe").nth(0).bounding_box()["y"], 14
        drawn = self.page.evaluate("""() => {
            const path = document.querySelector(".plot-curve").getAttribute("d");
            return Number(/^M\\S+ ([\\d.]+)/.exec(path)[1]);
        }""")
        stage = self.page.locator(".plot-stage").bounding_box()["y"]
        self.assertAlmostEqual(y + height, stage + drawn, delta=1)
        self.drag(self.centre(".plot-keyframe", 0), (0, 5), (0, -4))
        self.assertAlmostEqual(self.keyframes()[0]["speed"], 1, delta=0.08)


    def test_a_flipped_curve_has_its_keyframes_turned_round(self):
        self.show(from_program("--keyframes", "0:1, 30%:0.25, 1:2", "--flip"), [
            {"at": "0", "speed": 1}, {"at": "30%", "speed": 0.25}, {"at": "1", "speed": 2}], flip=True)
        x, _, width, _ = self.box()
        start = self.centre(".plot-keyframe", 1)
        self.assertAlmostEqual(start[0], x + 0.7 * width, delta=1)
        self.drag(start, (-10, 0), (-0.1 * width, 0))
        self.assertEqual(self.keyframes()[1]["at"], "40%")
        self.page.keyboard.press("ArrowRight")
        self.assertEqual(self.keyframes()[1]["at"], "39.6666666667%")
        self.drag(self.centre(".plot-easing-handle", 0), (-10, 0), (-0.1 * width, 0))
        x1 = float(self.keyframes()[1]["easing"][7:].split(",")[0])
        self.assertAlmostEqual(x1, 1 / 3 + 0.1 / 0.6, delta=0.03)


class Keys(PlotTest):
    def focus(self, index):
        self.page.locator(".plot-keyframe").nth(index).focus()

    def test_tab_walks_the_keyframes_and_says_what_they_are(self):
        self.show()
        self.page.evaluate("() => document.body.focus()")
        labels = []
        for _ in range(5):
            self.page.keyboard.press("Tab")
            labels.append(self.page.evaluate("() => document.activeElement.ariaLabel"))
        self.assertEqual(labels[1], "Keyframe 2 of 5, at 30\u00a0%, speed 0.25")
        self.assertEqual([label[:10] for label in labels], [f"Keyframe {n}" for n in range(1, 6)])
        self.assertEqual([call["value"] for call in self.calls("onSelect")], [0, 1, 2, 3, 4])

    def test_arrows_nudge_by_frames_and_steps(self):
        self.show()
        self.focus(2)
        press = self.page.keyboard.press
        press("ArrowRight")
        self.assertEqual(self.keyframes()[2]["at"], "5.53333333333s")
        press("Shift+ArrowLeft")
        self.assertEqual(self.keyframes()[2]["at"], "5.2s")
        press("ArrowUp")
        self.assertEqual(self.keyframes()[2]["speed"], 0.3)
        press("Shift+ArrowDown")
        self.assertEqual(self.keyframes()[2]["speed"], 0)
        self.assertTrue(all(call["final"] for call in self.calls()))
        self.assertEqual(len(self.calls()), 4)

    def test_a_adds_and_delete_deletes_down_to_two(self):
        self.show()
        self.focus(2)
        self.page.keyboard.press("a")
        self.assertEqual(len(self.keyframes()), 6)
        self.assertEqual(self.keyframes()[3]["at"], "6.75s")
        label = "() => document.activeElement.ariaLabel"
        self.assertIn("Keyframe 4 of 6", self.page.evaluate(label))
        for count in (5, 4, 3, 2, 2):
            self.page.keyboard.press("Delete")
            self.assertEqual(len(self.keyframes()), count)
            self.assertIn(f"of {count}", self.page.evaluate(label))

    def test_a_adds_at_the_playing_position(self):
        self.show()
        self.page.evaluate("() => harness.plot.moveDot({ source: 9, output: null })")
        self.focus(0)
        self.page.keyboard.press("a")
        self.assertEqual(self.keyframes()[4]["at"], "0.9")

    def test_easing_handles_have_keys(self):
        self.show()
        self.focus(0)
        self.page.locator(".plot-easing-handle").nth(1).focus()
        self.page.keyboard.press("Shift+ArrowLeft")
        self.page.keyboard.press("ArrowDown")
        self.assertEqual(self.keyframes()[0]["easing"], "bezier(0.333,0,0.567,1.01)")

    def test_in_and_out_have_keys(self):
        self.show(clip={"range": {"start": 2, "end": 8}})
        self.page.get_by_role("slider", name="In point").focus()
        press = self.page.keyboard.press
        press("Shift+ArrowRight")
        press("ArrowLeft")
        self.assertEqual(self.calls("onRange")[-1]["value"], {"start": 2.966667, "end": 8})
        press("End")
        self.assertEqual(self.calls("onRange")[-1]["value"]["start"], 8 - 1 / 30)
        self.page.get_by_role("slider", name="Out point").focus()
        press("End")
        self.assertEqual(self.calls("onRange")[-1]["value"]["end"], 10)


class Picture(PlotTest):
    def dot(self):
        box = self.page.locator(".plot-dot").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def move(self, **position):
        self.page.evaluate("position => harness.plot.moveDot(position)", position)

    def test_the_dot_rides_the_curve(self):
        source, output = RAMP["map"]["source"][400], RAMP["map"]["output"][400]
        self.show(RAMP, None, view="time")
        x, y, width, height = self.box()
        for position in ({"source": source, "output": output}, {"source": source, "output": None}):
            self.move(**position)
            at = self.dot()
            self.assertAlmostEqual(at[0], x + source / 10 * width, delta=1)
            share = output / (RAMP["outputDuration"] * 1.04)
            self.assertAlmostEqual(at[1], y + (1 - share) * height, delta=1)
        self.show(RAMP, None, view="scale")
        self.move(source=5, output=None)
        share = 2.2 / (2.2 * 1.12)
        self.assertAlmostEqual(self.dot()[1], y + (1 - share) * height, delta=1)
        self.page.evaluate("() => harness.plot.moveDot(null)")
        self.assertFalse(self.page.locator(".plot-dot").is_visible())

    def test_over_the_output_it_stands_where_the_output_is(self):
        self.show(TURNING, None)
        x, _, width, _ = self.box()
        for share in (0.1, 0.45, 0.7):
            self.move(source=None, output=share * TURNING["outputDuration"])
            self.assertAlmostEqual(self.dot()[0], x + share * width, delta=1)

    def test_outside_of_the_range_only_the_clip_has_it(self):
        part = from_program("--curve", "triangle", start=5)
        self.show(part, None, clip={"duration": 20, "range": {"start": 5, "end": 15}})
        self.move(source=3, output=None)
        self.assertFalse(self.page.locator(".plot-dot").is_visible())
        head = self.page.locator(".plot-trim-head")
        self.assertTrue(head.is_visible())
        x, _, width, _ = self.box()
        self.assertAlmostEqual(head.bounding_box()["x"] + 1, x + 3 / 20 * width, delta=1.5)
        self.move(source=10, output=None)
        self.assertAlmostEqual(self.dot()[0], x + width / 2, delta=1)

    def test_the_label_tells_what_is_under_the_pointer(self):
        self.show(RAMP, None, view="scale")
        x, y, width, height = self.box()
        self.page.mouse.move(x + width / 2, y + height / 2)
        texts = self.page.locator(".plot-label dd").all_inner_texts()
        self.assertEqual(texts[0], "5.00 s")
        self.assertAlmostEqual(float(texts[1][:-2]), RAMP["outputDuration"] / 2, delta=0.02)
        self.assertEqual(texts[2:], ["0.455×", "2.2"])
        self.page.mouse.move(5, 5)
        self.assertFalse(self.page.locator(".plot-label").is_visible())

    def test_presses_seek(self):
        self.show(RAMP, None, clip={"duration": 20, "range": {"start": 0, "end": 10}})
        x, y, width, _ = self.box()
        self.drag((x + 0.2 * width, y + 20), (0.1 * width, 0), (0.3 * width, 0))
        seeks = self.calls("onSeek")
        self.assertEqual([call["final"] for call in seeks], [False, False, False, True])
        self.assertAlmostEqual(seeks[0]["value"], 2, delta=0.05)
        self.assertAlmostEqual(seeks[-1]["value"], 5, delta=0.05)
        # The lane has the same axis as the curve; the strip below has the axis of the whole clip.
        for selector, seconds in ((".plot-lane-canvas", 2.5), (".plot-trim-canvas", 5)):
            lane = self.page.locator(selector).bounding_box()
            self.drag((lane["x"] + lane["width"] / 4, lane["y"] + 6))
            self.assertAlmostEqual(self.calls("onSeek")[-1]["value"], seconds, delta=0.05)

    def test_frames_lie_where_the_output_shows_them(self):
        self.show(TURNING, None)
        self.page.wait_for_function("""() => {
            const canvas = document.querySelector(".plot-lane-canvas");
            return canvas.getContext("2d").getImageData(1, 1, 1, 1).data[3] === 255;
        }""")
        shown = self.page.evaluate("""() => {
            const canvas = document.querySelector(".plot-lane-canvas");
            const context = canvas.getContext("2d");
            return { width: canvas.width, em: parseFloat(getComputedStyle(canvas).fontSize),
                greys: Array.from({ length: canvas.width },
                    (_, x) => context.getImageData(x, 10, 1, 1).data[0]) };
        }""")
        wide = 3.8 * shown["em"] * 16 / 9
        sources, outputs = TURNING["map"]["source"], TURNING["map"]["output"]
        slots = int(shown["width"] // wide)
        self.assertGreater(slots, 5)
        for slot in range(slots):
            middle = (slot + 0.5) * wide
            i = bisect.bisect(outputs, middle / shown["width"] * TURNING["outputDuration"])
            frame = min(23, int(sources[i] / 10 * 24))
            self.assertAlmostEqual(shown["greys"][int(middle)] / 10, frame, delta=1.1)

    def test_in_and_out_are_dragged(self):
        self.show(RAMP, None)
        _, _, width, _ = self.box()
        x, y = self.centre(".plot-end-in .plot-grip")
        self.drag((x, y), (0.1 * width, 0), (0.25 * width, 0))
        calls = self.calls("onRange")
        self.assertEqual([call["final"] for call in calls], [False, False, True])
        self.assertEqual(calls[-1]["value"], {"start": 2.5, "end": 10})
        self.page.evaluate("() => void harness.show({ clip: { ...harness.state.clip,"
                           " range: { start: 2.5, end: 10 } } })")
        x, y = self.centre(".plot-end-out .plot-grip")
        self.drag((x, y), (-20, 0), (-2 * width, 0), drop=False)
        self.assertAlmostEqual(self.calls("onRange")[-1]["value"]["end"], 2.5 + 1 / 30)
        self.page.keyboard.press("Escape")
        self.assertEqual(self.calls("onRange")[-1]["value"], {"start": 2.5, "end": 10})
        self.page.mouse.up()

    def test_in_is_dragged_where_all_text_is_selected(self):
        self.show(RAMP, None)
        self.page.evaluate("() => getSelection().selectAllChildren(document.body)")
        self.drag(self.centre(".plot-end-in .plot-grip"), (50, 0), (100, 0))
        self.assertEqual([call["final"] for call in self.calls("onRange")], [False, False, True])

    def test_it_is_described(self):
        self.show(RAMP, None, view="scale")
        image = self.page.get_by_role("img")
        self.assertEqual(
            image.get_attribute("aria-label"),
            "Time scale over source time. Time scale from 1 to 2.2. "
            "10 s of source become 16 s of output.")
        self.show(None, None)
        self.assertIn("no curve yet", self.page.get_by_role("img").get_attribute("aria-label"))

    @needs("narrow windows")
    def test_it_fits_windows_of_any_width(self):
        self.show()
        for width in (400, 1600, 3840):
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.wait_for_function("width => innerWidth === width", arg=width)
            self.page.evaluate(TWO_FRAMES)
            x, _, wide, _ = self.box()
            self.assertAlmostEqual(self.centre(".plot-keyframe", 4)[0], x + wide, delta=1)
            overflow = "() => document.documentElement.scrollWidth - innerWidth"
            self.assertLessEqual(self.page.evaluate(overflow), 0)

    @needs("narrow windows")
    def test_no_text_lies_on_another(self):
        """Also where the fastest place is at the left, below the caption."""
        overlaps = """() => {
            const all = [...document.querySelectorAll(".plot-stage text")]
                .map((text) => [text.textContent, text.getBoundingClientRect()]);
            const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
            return all.flatMap(([one, a], i) => all.slice(i + 1).filter(([, b]) => over(a, b)).map(([other]) => [one, other]));
        }"""
        early = [{"at": "0%", "speed": 12}, {"at": "30%", "speed": 1}, {"at": "100%", "speed": 1}]
        self.show()
        for width in (400, 1600):
            self.page.set_viewport_size({"width": width, "height": 900})
            for keyframes in (early, KEYFRAMES):
                self.show(custom(keyframes, "hold"), None)
                # As low as on a phone.
                self.page.evaluate("document.getElementById('plot').style.setProperty('--plot-height', '8rem')")
                self.page.evaluate(TWO_FRAMES)
                self.assertIn("max", self.page.locator(".plot-stage").text_content())
                self.assertEqual(self.page.evaluate(overlaps), [])

    def test_drawing_is_quick(self):
        self.show(RAMP, None)
        evaluations = [from_program("--curve", "cosine", "--factor", str(f)) for f in (1.1, 1.7, 2.3)]
        count = 30
        _, seconds = computing(self.page, lambda: self.page.evaluate(
            """([evaluations, count]) => {
                for (let i = 0; i < count; i += 1) harness.show({ evaluation: evaluations[i % 3] });
            }""", [evaluations, count]))
        each = 1000 * seconds / count
        print(f"\n  show() computes for {each:.1f} ms", end=" ")
        self.assertLess(each, 8)


class Everybody(PlotTest):
    def touch(self, kind, *points):
        self.devtools.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    @needs("touch")
    def test_fingers(self):
        self.show(width=400, has_touch=True, is_mobile=True)
        self.devtools = self.page.context.new_cdp_session(self.page)
        x, y = self.centre(".plot-keyframe", 1)
        self.touch("touchStart", (x, y))
        for step in (10, 25, 45):
            self.touch("touchMove", (x + step / 3, y - step))
        self.touch("touchEnd")
        calls = self.calls()
        self.assertTrue(calls[-1]["final"])
        self.assertGreater(calls[-1]["value"][1]["speed"], 0.4)
        left, top, width, _ = self.box()

        def double_tap():
            """Whether it has added a keyframe. The browser takes taps for two if they are too far apart."""
            for _ in range(2):
                self.touch("touchStart", (left + 0.68 * width, top + 8))
                self.touch("touchEnd")
            return self.page.evaluate("""() => new Promise((resume) => {
                const look = () => {
                    if (harness.state.keyframes.length === 6) resume(true);
                    else requestAnimationFrame(look);
                };
                look();
                setTimeout(() => resume(false), 500);
            })""")
        poll(double_tap, "a double tap adds no keyframe")
        for handle in self.page.locator(".plot-keyframe, .plot-end").all():
            box = handle.bounding_box()
            self.assertGreaterEqual(min(box["width"], box["height"]), 24)

    def test_nothing_serious_for_axe(self):
        for options in ({"color_scheme": "light"}, {"color_scheme": "dark"},
                        {"width": 400, "color_scheme": "light"}):
            self.show(**options)
            self.page.evaluate("() => harness.plot.select(2)")
            only_colours = options["color_scheme"] == "dark"
            self.assertEqual(serious(self.page, only_colours=only_colours), [])


class Table(PlotTest):
    def row(self, index):
        return self.page.locator(".keyframes tbody tr").nth(index)

    def fill(self, name, text):
        field = self.page.get_by_label(name)
        field.fill(text)
        field.press("Enter")

    def test_fields_have_the_units_that_were_written(self):
        self.show()
        fields = [self.row(i).locator(".keyframes-place").input_value() for i in range(5)]
        self.assertEqual(fields, ["0%", "30%", "5.5s", "80%", "100%"])
        self.fill("Keyframe 3, place", "6.25")
        self.assertEqual(self.keyframes()[2]["at"], "6.25s")
        self.fill("Keyframe 1, place", "45")
        self.assertEqual([each["at"] for each in self.keyframes()],
                         ["30%", "45%", "6.25s", "0.8", "100%"])
        # 30 frames are a second.
        for text, at in [("100f", "3.33333333333s"), ("0:00:04:15", "4.5s"), ("0:03.5", "3.5s"), ("32%", "32%")]:
            self.fill("Keyframe 2, place", text)
            self.assertEqual(self.keyframes()[1]["at"], at)
        # Where the film turns, places are in the output.
        self.fill("Keyframe 2, speed", "-0.5")
        self.assertEqual(self.keyframes()[1]["speed"], -0.5)
        self.assertEqual({each["at"][-1] for each in self.keyframes()}, {"%"})
        for text, speed in ("40%", 0.4), ("1/2", 0.5), ("3×", 3):
            self.fill("Keyframe 2, speed", text)
            self.assertEqual(self.keyframes()[1]["speed"], speed)
        self.assertTrue(all(call["final"] for call in self.calls()))

    def test_easings(self):
        self.show()
        easing = self.page.get_by_role("combobox", name="Keyframe 1, easing to the next")
        easing.select_option("bezier")
        self.assertEqual(self.keyframes()[0]["easing"], "bezier(0.333,0,0.667,1)")
        self.fill("Keyframe 1, Bézier x2", "0.9")
        self.assertEqual(self.keyframes()[0]["easing"], "bezier(0.333,0,0.9,1)")
        self.fill("Keyframe 1, Bézier x1", "1.5")
        self.assertEqual(self.page.get_by_role("alert").inner_text(), "x is a number from 0 to 1.")
        self.assertEqual(self.keyframes()[0]["easing"], "bezier(0.333,0,0.9,1)")
        self.assertEqual(self.row(4).locator("select:visible").count(), 0)

    def test_rows_are_added_deleted_and_selected(self):
        self.show()
        self.page.get_by_role("button", name="Add keyframe").click()
        self.assertEqual(len(self.keyframes()), 6)
        self.assertEqual(self.keyframes()[1]["at"], "15%")
        focused = "() => document.activeElement.ariaLabel"
        self.assertEqual(self.page.evaluate(focused), "Keyframe 2, place")
        self.assertEqual(self.calls("onSelect")[-1]["value"], 1)
        self.page.get_by_role("button", name="Delete keyframe 2").click()
        # Adding divided an easing in two, and the first half stays.
        self.assertEqual(self.keyframes()[1:], KEYFRAMES[1:])
        for _ in range(4):
            self.page.get_by_role("button", name="Delete keyframe 1").click()
        self.assertEqual(self.page.get_by_role("alert").inner_text(), "At least two keyframes are needed.")
        self.assertEqual(len(self.keyframes()), 2)

    def test_what_makes_no_sense_is_refused_in_a_sentence(self):
        self.show()
        for name, text, sentence in (
                ("Keyframe 2, place", "130", "A place is a share, such as 40%, or a time up to 0:10.000"),
                ("Keyframe 2, place", "11s", "A place is a share, such as 40%, or a time up to 0:10.000"),
                ("Keyframe 2, place", "soon", "A place is a share, such as 40%, or a time up to 0:10.000"),
                ("Keyframe 2, place", "80", "Another keyframe is at that place."),
                ("Keyframe 2, speed", "", "A speed is a number from")):
            self.fill(name, text)
            self.assertIn(sentence, self.page.get_by_role("alert").inner_text())
            self.assertEqual(self.keyframes(), KEYFRAMES)
        self.assertEqual(self.row(1).locator(".keyframes-speed").input_value(), "0.25")
