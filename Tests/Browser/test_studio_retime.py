"""The menu of commands on a stretch of the curve, by hand and by keys, exact to the frame in what is rendered."""

import json
import tempfile
from pathlib import Path

from accessibility import serious
from fixture import rendered
from story import timewarp
from studio import FRAMES, StudioTest

EVEN = [{"at": at, "speed": 1, "easing": "linear"} for at in ("0%", "33.3333333333%", "66.6666666667%", "100%")]
# The frames at the second and the third keyframe.
FIRST, SECOND = 40, 80


class RetimeTest(StudioTest):
    def fresh(self):
        return {"draft": {"media": self.media, "warp": {"kind": "keyframes", "keyframes": EVEN}}}

    def setUp(self):
        super().setUp()
        self.use_clip()

    def keyframes(self, other_than=EVEN):
        """The saved keyframes, once they are others, and those of the table: a slow drag is saved in its middle too."""
        found = []

        def is_new():
            found[:] = self.draft().get("warp", {}).get("keyframes") or []
            places, speeds = self.page.evaluate("""() => [".keyframes-place", "#keyframes-form [aria-label$=', speed']"].map(
                (all) => [...document.querySelectorAll(all)].map(({ value }) => parseFloat(value)))""")
            return found != other_than and len(found) == len(places) == len(speeds) > 0 and all(
                abs(float(each["at"].rstrip("%s")) - place) < 0.006 and abs(each["speed"] - speed) < 1e-3
                for each, place, speed in zip(found, places, speeds))
        self.until(is_new, "the keyframes didn't change")
        return found

    def seek(self, frame):
        """Puts the playhead at a frame of the clip."""
        self.page.get_by_role("slider", name="Source position").fill(str(frame / 30))
        self.until(lambda: self.shown("source-video")[0] == frame)

    def select(self, *indexes):
        for number, index in enumerate(indexes):
            self.page.locator(".plot-keyframe").nth(index).click(modifiers=["Control"] if number else [])

    def selected(self):
        return self.page.locator(".plot-keyframe").evaluate_all(
            "(all) => all.flatMap((each, i) => each.classList.contains('is-selected') ? [i] : [])")

    def command(self, name, text):
        """Opens the menu, and gives a command with its key."""
        self.page.locator("#source-title").click()
        self.page.keyboard.press("r")
        field = self.page.locator(f"#retime-{name}")
        field.fill(text)
        self.evaluated(lambda: field.press("Enter"))
        self.assertFalse(self.page.locator("#retime-menu").is_visible())

    def rendered(self, keyframes):
        """The numbers of the frames that are rendered with keyframes."""
        with tempfile.TemporaryDirectory() as name:
            curve, out = Path(name) / "curve.json", Path(name) / "out.mkv"
            curve.write_text(json.dumps({"timewarp": "curve/1", "keyframes": keyframes}))
            timewarp("warp", self.clip, "-o", out, "--curve-file", curve)
            return [number for _, number in rendered(out)]

    def test_a_hold_lasts_its_frames_and_moves_nothing_else(self):
        self.seek(FIRST)
        self.command("hold", "12f")
        held = self.keyframes()
        numbers = list(range(FRAMES))
        self.assertEqual(self.rendered(held), numbers[:FIRST] + 12 * [FIRST] + numbers[FIRST:])
        # The freeze is selected, and all was one step.
        self.assertEqual([held[i]["speed"] for i in self.selected()], [0, 0])
        self.evaluated(lambda: self.page.keyboard.press("Control+z"))
        self.assertEqual(self.keyframes(other_than=held), EVEN)

    def test_a_freeze_of_two_seconds_in_a_ramp_takes_three_clicks(self):
        self.evaluated(lambda: self.choose_curve("Triangle"))
        length = float(self.text("#figure-length").split()[0])
        frames = int(self.text("#figure-frames"))
        box = self.page.locator(".plot-surface").bounding_box()
        self.page.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + 0.5 * box["height"])
        self.page.get_by_role("button", name="Retime…").click()
        self.evaluated(lambda: self.page.get_by_role("button", name="Hold").click())
        self.becomes("#figure-length", f"{length + 2:g} s")
        self.assertAlmostEqual(int(self.text("#figure-frames")), frames + 60, delta=1)
        keyframes = self.keyframes()
        numbers = self.rendered(keyframes)
        self.assertGreaterEqual(max(numbers.count(number) for number in set(numbers)), 61)

    def test_a_stretch_gets_a_speed(self):
        self.select(1, 2)
        self.command("speed", "50%")
        numbers = list(range(FRAMES))
        slow = [number for number in numbers[FIRST:SECOND] for _ in range(2)]
        self.assertEqual(self.rendered(self.keyframes()), numbers[:FIRST] + slow + numbers[SECOND:])

    def test_without_a_selection_the_stretch_is_where_the_playhead_is(self):
        self.seek(60)
        self.page.locator("#source-title").click()
        self.page.keyboard.press("r")
        self.assertEqual(self.text(".retime-stretch"), "Stretch: 0:01.333 to 0:02.667 of the clip")
        self.page.keyboard.press("Escape")
        self.command("speed", "2x")
        numbers = list(range(FRAMES))
        self.assertEqual(
            self.rendered(self.keyframes()), numbers[:FIRST] + numbers[FIRST:SECOND:2] + numbers[SECOND:])

    def test_a_keyframe_is_added_at_the_playhead_from_anywhere(self):
        for frame, act in [(FIRST + 20, lambda: self.page.keyboard.press("a")),
                           (SECOND + 20, self.page.get_by_role("button", name="Add keyframe").click)]:
            self.seek(frame)
            self.page.locator("#source-title").click()
            before = self.keyframes(other_than=[])
            act()
            added = [each["at"] for each in self.keyframes(other_than=before) if each not in before]
            self.assertAlmostEqual(float(added[0].rstrip("%")), frame / FRAMES * 100, delta=0.01)
        # The buttons go to those before and after.
        for name, frame in [("Previous keyframe", SECOND), ("Previous keyframe", FIRST + 20), ("Next keyframe", SECOND)]:
            self.page.get_by_role("button", name=name).click()
            self.until(lambda frame=frame: self.shown("source-video")[0] == frame, f"it isn't frame {frame}")
        # There is one already.
        self.page.locator("#source-title").click()
        self.page.keyboard.press("a")
        self.becomes("#live", "A keyframe is there already.")
        # Another curve becomes keyframes, which follow it.
        self.evaluated(lambda: self.choose_curve("Triangle"))
        self.seek(FIRST)
        self.page.locator("#source-title").click()
        self.page.keyboard.press("a")

        def is_there():
            warp = self.draft()["warp"]
            places = [float(each["at"].rstrip("%")) * FRAMES / 100 for each in warp.get("keyframes") or []]
            return warp["kind"] == "keyframes" and any(abs(place - FIRST) < 0.01 for place in places)
        self.until(is_there, "no keyframe was added")

    def test_a_rewind_goes_back_and_plays_again(self):
        self.select(1, 2)
        self.command("rewind", "2")
        numbers = list(range(FRAMES))
        found = self.rendered(self.keyframes())
        self.assertEqual(found[:SECOND], numbers[:SECOND])
        # Backwards, an instant between two frames belongs to the one that comes next.
        self.assertEqual(found[SECOND:SECOND + 20], list(range(SECOND - 1, FIRST, -2)))
        self.assertEqual(found[SECOND + 20:], numbers[FIRST:])

    def test_a_stretch_is_reversed_and_said_to_be(self):
        self.select(1, 2)
        self.seek(FIRST + 5)
        reverse = self.page.locator("#retime-menu").get_by_role("button", name="Reverse", exact=True)
        self.page.locator("#source-title").click()
        self.page.keyboard.press("r")
        self.evaluated(reverse.click)
        numbers = list(range(FRAMES))
        turned = self.keyframes()
        self.assertEqual(self.rendered(turned), numbers[:FIRST] + numbers[FIRST:SECOND][::-1] + numbers[SECOND:])
        cuts = self.page.locator(".keyframes-cut input")
        self.assertEqual([each.input_value() for each in cuts.all()], 2 * ["0:02.667"])
        # Another picture to go on from, which nothing before it changes.
        self.evaluated(lambda: (cuts.nth(1).fill("90f"), cuts.nth(1).press("Enter")))
        self.assertEqual(
            self.rendered(self.keyframes(turned)), numbers[:FIRST] + numbers[FIRST:SECOND][::-1] + numbers[90:])
        cuts.nth(1).fill("5s")
        cuts.nth(1).press("Enter")
        self.assertEqual(self.text(".keyframes-problem"), "A cut goes to a time from 0:00.000 to 0:04.000.")
        self.page.keyboard.press("Escape")
        self.evaluated(self.page.get_by_role("button", name="Undo").click)
        # A film with cuts says itself how long it is.
        self.page.keyboard.press("Control+z")
        self.evaluated(self.page.get_by_role("switch", name="Exact length").check)
        self.page.locator("#source-title").click()
        self.page.keyboard.press("r")
        reverse.click()
        self.page.get_by_text("turn Exact length off first").wait_for()

    def test_a_ramp_to_a_stop_and_to_a_speed(self):
        self.select(1, 2)
        self.command("ramp", "0")
        stopped = self.keyframes()
        # Half as fast on average.
        found = self.rendered(stopped)
        self.assertEqual(found[:FIRST], list(range(FIRST)))
        self.assertEqual(found[FIRST + 80:], list(range(SECOND, FRAMES)))
        self.assertEqual(sorted(found), found)
        self.page.get_by_role("button", name="Undo").click()
        self.keyframes(other_than=stopped)
        self.select(1, 2)
        self.command("ramp", "1/4")
        ramp = self.keyframes()
        found = self.rendered(ramp)
        self.assertEqual([each["speed"] for each in ramp], [1, 1, 0.25, 1])
        share = [(x + 0.5) / 400 for x in range(400)]
        slowness = sum(1 / (1 - 0.75 * x * x * (3 - 2 * x)) for x in share) / 400
        self.assertEqual(found[:FIRST], list(range(FIRST)))
        self.assertAlmostEqual(found.index(SECOND), FIRST + 40 * slowness, delta=1)

    def test_what_cannot_be_read_or_done_is_said(self):
        self.page.locator("#source-title").click()
        self.page.keyboard.press("r")
        menu, field = self.page.locator("#retime-menu"), self.page.locator("#retime-hold")
        for name, text, said in [
                ("hold", "soon", "A time above 0, such as 2s, 60f or 1:30."),
                ("speed", "-1", "A speed from 1% to 1000, such as 50%, 0.5 or 2×."),
                ("ramp", "", "A speed from 0 to 1000, such as 25%, 0.25 or 2×; 0 stops.")]:
            field = self.page.locator(f"#retime-{name}")
            field.fill(text)
            field.press("Enter")
            self.assertEqual(menu.get_by_role("alert").text_content(), said)
            self.assertEqual(field.get_attribute("aria-invalid"), "true")
        self.page.keyboard.press("Escape")
        self.assertFalse(menu.is_visible())
        self.seek(FIRST)
        self.command("hold", "1s")
        held = self.keyframes()
        self.page.keyboard.press("r")
        field = self.page.locator("#retime-speed")
        field.fill("50%")
        field.press("Enter")
        self.assertEqual(menu.get_by_role("alert").text_content(),
                         "A freeze has no speed: choose a stretch that moves.")
        self.page.keyboard.press("Escape")
        self.assertEqual(self.draft()["warp"]["keyframes"], held)

    def test_axe_finds_nothing_in_the_menu(self):
        self.page.get_by_role("button", name="Retime…").click()
        self.assertEqual(serious(self.page, "#retime-menu", ".plot-panel"), [])

    def test_a_right_click_opens_it_at_the_place(self):
        box = self.page.locator(".plot-surface").bounding_box()
        x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
        self.page.mouse.click(x, y, button="right")
        menu = self.page.locator("#retime-menu")
        self.until(menu.is_visible)
        found = menu.bounding_box()
        self.assertAlmostEqual(found["x"], x, delta=2)
        self.until(lambda: abs((self.shown("source-video")[0] or 0) - 60) < 4)
        self.page.mouse.click(5, 5)
        self.until(lambda: not menu.is_visible())
        self.page.set_viewport_size({"width": 1440, "height": 900})
        self.page.locator(".plot-keyframe").nth(2).click(button="right")
        self.until(menu.is_visible)
        self.assertEqual(self.selected(), [2])

    def handles(self):
        """The middles of the keyframes' handles."""
        boxes = self.page.locator(".plot-keyframe").evaluate_all("(all) => all.map((each) => each.getBoundingClientRect())")
        return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]

    def drag(self, start, by):
        """Drags with the mouse, a little at first."""
        (x, y), (dx, dy) = start, by
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        for share in (0.2, 0.5, 0.8, 1):
            mouse.move(x + share * dx, y + share * dy)
        mouse.up()
        # The table shows what came of it.
        self.page.evaluate("() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")

    def test_a_plateau_is_dragged_by_its_line_and_by_its_edges(self):
        self.select(1, 2)
        self.command("speed", "50%")
        slow = self.keyframes()
        (left, top), (right, _) = self.handles()[2:4]
        middle = (left + right) / 2
        # Up and down it has another speed.
        self.evaluated(lambda: self.drag((middle, top), (3, 40)))
        lower = self.keyframes(other_than=slow)
        self.assertEqual([each["at"] for each in lower], [each["at"] for each in slow])
        self.assertEqual([each["speed"] for each in lower[:2] + lower[4:]], [1, 1, 1, 1])
        self.assertEqual(lower[2]["speed"], lower[3]["speed"])
        self.assertLess(lower[2]["speed"], 0.5)
        self.assertEqual(self.selected(), [2, 3])
        self.evaluated(lambda: self.page.keyboard.press("Control+z"))
        self.assertEqual(self.keyframes(other_than=lower), slow, "one step")
        # An edge goes to another picture.
        (x, low), (_, high) = self.handles()[3:5]
        self.evaluated(lambda: self.drag((x, (low + high) / 2), (30, 2)))
        wider = self.keyframes(other_than=slow)
        self.assertEqual(wider[:3] + wider[5:], slow[:3] + slow[5:])
        self.assertEqual(wider[3]["at"], wider[4]["at"])
        self.assertGreater(float(wider[3]["at"][:-1]), 67)
        # Along the line, it is the playhead that is dragged.
        (left, top), (right, _) = self.handles()[2:4]
        self.drag(((left + right) / 2, top), (40, 1))
        self.page.keyboard.press("Control+z")
        self.assertEqual(self.keyframes(other_than=wider), slow)

    def test_what_is_shown_twice_is_found_where_it_was_asked_for(self):
        self.select(1, 2)
        self.command("rewind", "2")
        rewound = self.keyframes()
        # The way back ends at the keyframe before the last but one, where the stretch begins again.
        start, end = [self.handles()[i][0] for i in (-3, -2)]
        x, box = (start + end) / 2, self.page.locator(".plot-surface").bounding_box()
        for keys in [{}, {"button": "right"}]:
            self.page.mouse.click(x, box["y"] + 0.3 * box["height"], **keys)
            self.until(lambda: abs((self.shown("source-video")[0] or 0) - 60) <= 2)
            dot = self.page.locator(".plot-dot").bounding_box()
            self.assertAlmostEqual(dot["x"] + dot["width"] / 2, x, delta=2)
        seconds = [float(rewound[i]["at"][:-1]) / 100 * 6 for i in (-3, -2)]
        self.assertEqual(self.text(".retime-stretch"), "Stretch: {} to {} of the output".format(
            *(f"0:{round(each, 3):06.3f}" for each in seconds)))
        self.page.keyboard.press("Escape")
        # What plays already is sought there too.
        self.page.get_by_role("button", name="Preview").click()
        self.page.keyboard.press("k")
        self.page.mouse.click(x, box["y"] + 0.3 * box["height"])
        output = "Number(document.getElementById('source-video').dataset.output)"
        self.wait_until(f"Math.abs({output} - {sum(seconds) / 2}) < 0.05")

    def test_the_edge_of_a_freeze_changes_how_long_it_is_and_nothing_else(self):
        self.seek(FIRST)
        self.command("hold", "12f")
        held = self.keyframes()
        (x, low), (_, high) = self.handles()[3:5]
        self.evaluated(lambda: self.drag((x, (low + high) / 2), (60, 0)))
        longer = self.rendered(self.keyframes(other_than=held))
        count = longer.count(FIRST)
        self.assertGreater(count, 20)
        numbers = list(range(FRAMES))
        self.assertEqual(longer, numbers[:FIRST] + count * [FIRST] + numbers[FIRST + 1:])

    def test_the_picture_follows_a_keyframe_that_is_selected_or_dragged(self):
        shown = lambda number: self.until(lambda: self.shown("source-video")[0] == number, f"it isn't frame {number}")
        self.page.locator("#source-title").click()
        for key, index, number in [("]", 1, FIRST), ("]", 2, SECOND), ("[", 1, FIRST), ("[", 0, 0)]:
            self.page.keyboard.press(key)
            shown(number)
            self.assertEqual(self.selected(), [index])
        (x, y) = self.handles()[2]
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x - 20, y)
        mouse.move(x - 40, y)
        self.until(lambda: (self.shown("source-video")[0] or SECOND) < SECOND - 3, "the picture doesn't follow")
        mouse.up()
        # In the middle of the drag the page may save a place as well.
        self.until(lambda: self.shown("source-video")[0] == round(float(self.keyframes()[2]["at"][:-1]) / 100 * FRAMES))

    def test_the_picture_follows_the_pointer_and_the_ends_of_the_used_part(self):
        box = self.page.locator(".plot-surface").bounding_box()
        canvas = self.page.locator(".plot-lane-canvas").bounding_box()
        mouse = self.page.mouse
        for share in (0.3, 0.72):
            mouse.move(canvas["x"] + share * canvas["width"], box["y"] + 30)
            # When the pointer rests, the very frame is shown.
            self.until(lambda share=share: abs((self.shown(".plot-label canvas")[0] or 0) - int(share * FRAMES)) <= 1)
        trim = self.page.locator(".plot-trim-canvas").bounding_box()
        for end, from_, to, frame in [("out", 1, 0.75, 0.75 * FRAMES - 1), ("in", 0, 0.25, 0.25 * FRAMES)]:
            grip = self.page.locator(f".plot-end-{end} .plot-grip").bounding_box()
            x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
            mouse.move(x, y)
            mouse.down()
            mouse.move(x + 0.5 * (to - from_) * trim["width"], y)
            mouse.move(x + (to - from_) * trim["width"], y)
            self.until(lambda frame=frame: abs((self.shown("source-video")[0] or 0) - frame) <= 1, f"it isn't frame {frame}")
            mouse.up()

    def test_keyframes_stay_at_their_pictures_when_another_part_is_used(self):
        field = self.page.get_by_label("In", exact=True)
        self.evaluated(lambda: field.fill("10f"))
        field.press("Enter")
        places = [float(each["at"].rstrip("%")) for each in self.keyframes()]
        for place, frame in zip(places, (0, FIRST - 10, SECOND - 10, FRAMES - 10)):
            self.assertAlmostEqual(place / 100 * (FRAMES - 10), frame, delta=0.01)
        # What was cut off is there again.
        self.evaluated(self.page.get_by_role("button", name="Whole clip").click)
        self.assertEqual(self.keyframes(other_than=[]), EVEN)

    def test_with_an_exact_length_a_hold_lasts_its_time(self):
        self.evaluated(self.page.get_by_role("switch", name="Exact length").check)
        self.becomes("#figure-length", "4 s")
        self.seek(FIRST)
        self.command("hold", "1s")
        self.becomes("#figure-length", "4 s")
        held = self.keyframes()
        start, end = [float(held[i]["at"].rstrip("%s")) for i in self.selected()]
        unit = 4 / 100 if held[0]["at"].endswith("%") else 4 / float(held[-1]["at"].rstrip("s"))
        self.assertAlmostEqual((end - start) * unit, 1, delta=0.001)
        self.page.keyboard.press("r")
        field = self.page.locator("#retime-hold")
        field.fill("5s")
        field.press("Enter")
        self.assertEqual(self.page.locator("#retime-menu").get_by_role("alert").text_content(),
                         "The exact length is shorter than that.")
