"""The studio plot's computations: maps, axes, snapping, and edits of keyframes."""

import json

from studio_modules import ModulesTest, from_program

KEYFRAMES = [
    {"at": "0%", "speed": 1, "easing": "smooth"}, {"at": "30%", "speed": 0.25, "easing": "linear"},
    {"at": "5.5s", "speed": 0.25, "easing": "smooth"}, {"at": "0.8", "speed": 2, "easing": "smooth"},
    {"at": "100%", "speed": 1},
]
AXIS = {"duration": 10, "least": 0.01}
RAMP = from_program("--curve", "double-smoothstep", "--factor", "2.2", "--modifier", "0.7")


class Numbers(ModulesTest):
    """All tests share one page, because they leave nothing behind."""

    def setUp(self):
        super().setUp()
        if self.page is None:
            self.open()

    def test_a_map_is_read_between_its_points(self):
        ramp = {"output": [0, 2, 6], "source": [0, 2, 4]}
        for output, source in [(-1, 0), (0, 0), (1, 1), (2, 2), (4, 3), (6, 4), (9, 4)]:
            self.assertAlmostEqual(self.call("plot-map.js", "sourceAt", ramp, output), source)
            if 0 <= output <= 6:
                self.assertAlmostEqual(self.call("plot-map.js", "outputOf", ramp, source), output)
        self.assertEqual(
            [self.call("plot-map.js", "speedAt", ramp, t) for t in (0, 1, 2, 5, 6, 7)],
            [1, 1, 0.5, 0.5, 0.5, 0.5])
        self.assertIsNone(self.call("plot-map.js", "outputOf", ramp, 4.1))

    def test_a_map_may_stand_turn_back_and_be_cut(self):
        # Rises to 4, freezes for two seconds, falls to 2, and jumps to 7.
        turns = {"output": [0, 4, 6, 8, 8, 10], "source": [0, 4, 4, 2, 7, 9]}
        def outputs(source):
            return self.call("plot-map.js", "outputsOf", turns, source)
        self.assertEqual(outputs(3), [3, 7])
        self.assertEqual(outputs(4), [4], "a freeze is one visit, from its beginning")
        self.assertEqual(outputs(5), [], "what a cut leaps over isn't shown")
        self.assertEqual(outputs(8), [9])
        self.assertEqual(self.call("plot-map.js", "sourceAt", turns, 8), 7)
        self.assertEqual(
            [self.call("plot-map.js", "speedAt", turns, t) for t in (1, 5, 7, 8, 9)],
            [1, 0, -1, 1, 1])

    def test_the_curve_is_read_right_of_a_jump(self):
        curve = {"u": [0, 0.5, 0.5, 1], "speed": [1, 1, 0, 0], "scale": [1, 1, None, None]}
        self.assertEqual(self.call("plot-map.js", "curveSpeedAt", curve, 0.49), 1)
        self.assertEqual(self.call("plot-map.js", "curveSpeedAt", curve, 0.5), 0)
        self.assertEqual(self.call("plot-map.js", "curveScaleAt", curve, 0.25), 1)
        self.assertIsNone(self.call("plot-map.js", "curveScaleAt", curve, 0.75))

    def test_a_long_map_is_read_as_the_program_made_it(self):
        sources, outputs = RAMP["map"]["source"], RAMP["map"]["output"]
        for i in range(0, len(sources), 100):
            self.assertAlmostEqual(
                self.call("plot-map.js", "sourceAt", RAMP["map"], outputs[i]), sources[i], 9)
            self.assertAlmostEqual(
                self.call("plot-map.js", "outputOf", RAMP["map"], sources[i]), outputs[i], 9)

    def test_axes_have_round_numbers(self):
        ticks = self.page.evaluate("""async () => {
            const { timeTicks, valueTicks, speedScale, timeScaleScale } = await import("/plot-scales.js");
            const round = [speedScale(0.3, 3, { isEdited: false }), speedScale(-1, 2, { isEdited: true }),
                timeScaleScale(0.5, 2)].map((scale) => [0.1, 0.5, 0.9].map((share) =>
                scale.share(scale.value(share))));
            return { round,
                times: [timeTicks(0, 10, 11), timeTicks(5, 7, 5), timeTicks(0, 36000, 6)],
                speeds: valueTicks(speedScale(0.3, 3, { isEdited: false }), 0.1),
                reverse: valueTicks(speedScale(-1, 2, { isEdited: true }), 0.09),
                scales: valueTicks(timeScaleScale(0.5, 2), 0.2),
                wide: speedScale(1 / 16, 16, { isEdited: false }).kind,
            };
        }""")
        self.assertEqual(ticks["times"], [
            list(range(11)), [5, 5.5, 6, 6.5, 7], [0, 7200, 14400, 21600, 28800, 36000]])
        self.assertEqual(ticks["speeds"], [0.25, 0.5, 1, 2, 4])
        self.assertEqual(ticks["reverse"], [-2, -1, -0.5, 0, 0.5, 1, 2, 4])
        self.assertEqual(ticks["scales"], [0, 0.5, 1, 1.5, 2])
        self.assertEqual(ticks["wide"], "log")
        for shares in ticks["round"]:
            for share, wanted in zip(shares, (0.1, 0.5, 0.9)):
                self.assertAlmostEqual(share, wanted, 9)

    def test_instants_keep_their_unit(self):
        def parsed(text):
            return self.call("keyframe-text.js", "parseAt", text)
        self.assertEqual(parsed("40%"), {"unit": "percent", "value": 40})
        self.assertEqual(parsed("0.4"), {"unit": "share", "value": 0.4})
        self.assertEqual(parsed("6s"), {"unit": "seconds", "value": 6})
        self.assertEqual(parsed("1:30s"), {"unit": "seconds", "value": 90})
        self.assertEqual(parsed("1500ms"), {"unit": "seconds", "value": 1.5})
        for text in ("", "x", "140%", "-1s", "1.2", "1:2:3:4s", "4%%"):
            self.assertIsNone(parsed(text), text)
        def printed(*arguments):
            return self.call("keyframe-text.js", "printAt", *arguments)
        self.assertEqual(printed(0.4, "percent", 10), "40%")
        self.assertEqual(printed(1 / 3, "percent", 10), "33.33%")
        self.assertEqual(printed(1 / 3, "share", 10), "0.3333")
        self.assertEqual(printed(0.25, "seconds", 10), "2.5s")
        self.assertEqual(printed(1, "seconds", 10.0339), "10.033s", "never beyond the end")
        # One millisecond in ten hours.
        self.assertEqual(printed(0.50000003, "percent", 36000), "50.000003%")

    def test_easings_are_read_and_written(self):
        def parsed(text):
            return self.call("keyframe-text.js", "parseEasing", text)
        self.assertEqual(parsed("hold"), {"kind": "hold", "handles": None})
        self.assertEqual(parsed("bezier(0.3, 0,.7,1)"), {"kind": "bezier", "handles": [0.3, 0, 0.7, 1]})
        for text in ("bounce", "bezier(1,2,3)", "bezier(1.2,0,0,1)", "bezier(a,0,0,1)"):
            self.assertIsNone(parsed(text), text)
        self.assertEqual(
            self.call("keyframe-text.js", "printBezier", [-1, 0.12345, 2, -0.5]),
            "bezier(0,0.123,1,-0.5)")

    def test_a_new_keyframe_on_the_curve_keeps_its_shape(self):
        def speeds(keyframes):
            """The speed at many places; `bezier` easings are solved here by bisection."""
            found = []
            for step in range(101):
                place = step / 100
                before = max(i for i, each in enumerate(keyframes[:-1])
                             if float(each["at"][:-1]) / 100 <= place)
                one, two = keyframes[before:before + 2]
                start, end = (float(each["at"][:-1]) / 100 for each in (one, two))
                x1, y1, x2, y2 = json.loads(one["easing"].replace("bezier(", "[").replace(")", "]"))

                def at(t, first, second):
                    return 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t * t * second + t ** 3
                low, high = 0, 1
                for _ in range(50):
                    middle = (low + high) / 2
                    late = at(middle, x1, x2) < (place - start) / (end - start)
                    low, high = (middle, high) if late else (low, middle)
                found.append(one["speed"] + at(low, y1, y2) * (two["speed"] - one["speed"]))
            return found
        old = [{"at": "0%", "speed": 1, "easing": "bezier(0.6,0,0.3,0.8)"},
               {"at": "100%", "speed": 4, "easing": "smooth"}]
        before = speeds(old)
        new = self.call("keyframe-edits.js", "added", old,
                        {"place": 0.4, "speed": before[40]}, {"duration": 10, "least": 0.003})
        self.assertEqual(len(new["keyframes"]), 3)
        for a, b in zip(before, speeds(new["keyframes"])):
            self.assertAlmostEqual(a, b, delta=0.01)

    def test_edits_give_new_lists(self):
        def edit(function, *arguments):
            return self.call("keyframe-edits.js", function, KEYFRAMES, *arguments)
        moved = edit("moved", 2, {"place": 0.61234, "speed": 0.33333}, AXIS)
        self.assertEqual(moved[2], {"at": "6.123s", "speed": 0.333, "easing": "smooth"})
        self.assertEqual(edit("moved", 1, {"place": 0.9}, AXIS)[1]["at"], "54%", "not past another")
        self.assertEqual(edit("moved", 0, {"speed": 0.004}, AXIS)[0]["speed"], 0)
        result = edit("added", {"place": 0.4, "speed": 0.25}, AXIS)
        self.assertEqual(result["index"], 2)
        self.assertEqual(
            result["keyframes"][2], {"at": "40%", "speed": 0.25, "easing": "linear"})
        placed = edit("placed", 0, 0.9, AXIS)
        self.assertEqual((placed["index"], placed["keyframes"][3]["at"]), (3, "90%"))
        self.assertIsNone(edit("placed", 0, 0.301, AXIS))
        self.assertEqual(len(edit("deleted", 1)), 4)
        two = KEYFRAMES[:2]
        self.assertEqual(self.call("keyframe-edits.js", "deleted", two, 1), two)
        self.assertEqual(edit("eased", 0, "hold")[0]["easing"], "hold")
        self.assertEqual(edit("eased", 0, "bezier")[0]["easing"], "bezier(0.333,0,0.667,1)")
        self.assertEqual(
            edit("handleMoved", 0, 1, {"x": 1.4, "y": -0.25})[0]["easing"],
            "bezier(0.333,0,1,-0.25)")

    def test_a_mirrored_list_plays_backwards(self):
        given = [{"at": "0", "speed": 1, "easing": "bezier(0.1,0.2,0.6,0.9)"},
                 {"at": "20%", "speed": 0.5, "easing": "hold"}, {"at": "9s", "speed": 2}]
        mirrored = self.call("keyframe-edits.js", "mirrored", given, 10)
        self.assertEqual(mirrored, [
            {"at": "1s", "speed": 2, "easing": "hold"},
            {"at": "80%", "speed": 0.5, "easing": "bezier(0.4,0.1,0.9,0.8)"},
            {"at": "1", "speed": 1, "easing": "smooth"}])

    def test_steps_of_speed_stop_at_a_freeze_and_at_normal_speed(self):
        axis = {**AXIS, "frame": 1 / 300}
        def up(speed, coarse=False, by=1):
            keyframes = [{"at": "0", "speed": speed}, {"at": "1", "speed": 1}]
            return self.call("keyframe-edits.js", "nudged", keyframes, 0, {"speed": by}, coarse,
                             axis)[0]["speed"]
        self.assertEqual(up(0.25), 0.3)
        self.assertEqual(up(0.98), 1)
        self.assertEqual(up(1), 1.05)
        self.assertEqual(up(0.25, coarse=True, by=-1), 0)
        self.assertEqual(up(0, coarse=True, by=-1), -0.5)

    def test_snapping(self):
        snap = {"length": 10, "width": 1000, "frameRate": 25, "offset": 0.01, "dot": 3.3}
        def place(seconds):
            found = self.call("plot-snap.js", "snapPlace", seconds, snap)
            return round(found["seconds"], 6), found["guide"]
        self.assertEqual(place(5.05), (5, True), "a quarter")
        self.assertEqual(place(3.27), (3.3, True), "the playing position")
        self.assertEqual(place(4.104), (4.11, False), "a whole frame of the clip")
        found = self.page.evaluate("""async () => {
            const { snapSpeed } = await import("/plot-snap.js");
            return [0.98, 0.4, 1.52, -0.03].map((speed) => snapSpeed(speed, [1.5], (v) => v * 100));
        }""")
        self.assertEqual([each["speed"] for each in found], [1, 0.4, 1.5, 0])
