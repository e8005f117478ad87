"""Several keyframes at once: selected, moved, copied and pasted."""

import json

from engines import needs
from studio_modules import ModulesTest
from test_studio_plot import KEYFRAMES, PlotTest

AXIS = {"duration": 10, "least": 1 / 300}


def keyframes(*pairs):
    return [{"at": at, "speed": speed, "easing": "smooth"} for at, speed in pairs]


class Edits(ModulesTest):
    LIST = keyframes(("0%", 1), ("20%", 2), ("40%", 0.5), ("60%", 0.5), ("100%", 1))

    def setUp(self):
        super().setUp()
        self.open()

    def places(self, list):
        return [each["at"] for each in list]

    def moved(self, indexes, change, list=None):
        return self.call("keyframe-groups.js", "movedTogether", list or self.LIST, indexes, change, AXIS)

    def test_they_keep_their_distances(self):
        result = self.moved([1, 2], {"by": 0.1})
        self.assertEqual(self.places(result), ["0%", "30%", "50%", "60%", "100%"])
        # The second of them would meet the one after it.
        result = self.moved([1, 2], {"by": 0.5})
        self.assertEqual(self.places(result), ["0%", "39.67%", "59.67%", "60%", "100%"])
        result = self.moved([0, 1, 2, 3, 4], {"by": 0.5})
        self.assertEqual(self.places(result), self.places(self.LIST))

    def test_speeds_change_by_one_factor_or_by_as_much(self):
        result = self.moved([1, 2], {"from": 2, "to": 3})
        self.assertEqual([each["speed"] for each in result], [1, 3, 0.75, 0.5, 1])
        resting = keyframes(("0%", 1), ("50%", 0), ("100%", -1))
        result = self.moved([0, 1, 2], {"from": 1, "to": 1.5}, resting)
        self.assertEqual([each["speed"] for each in result], [1.5, 0.5, -0.5])

    def test_two_are_left(self):
        self.assertEqual(len(self.call("keyframe-groups.js", "withoutAll", self.LIST, [0, 1, 2])), 2)
        self.assertEqual(len(self.call("keyframe-groups.js", "withoutAll", self.LIST, [0, 1, 2, 3])), 5)

    def test_copies_are_a_curve_file_and_pasted_at_a_place(self):
        text = self.call("keyframe-groups.js", "copiedText", self.LIST, [2, 3], 10)
        self.assertEqual(json.loads(text)["keyframes"], [
            {"at": "0s", "speed": 0.5, "easing": "smooth"}, {"at": "2s", "speed": 0.5, "easing": "smooth"}])
        copies = self.call("keyframe-groups.js", "keyframesIn", text, 10)
        result = self.call("keyframe-groups.js", "pasted", self.LIST, copies, 0.8, AXIS)
        # The second replaces the one at the end.
        self.assertEqual(self.places(result["keyframes"]), ["0%", "20%", "40%", "60%", "80%", "100%"])
        self.assertEqual(result["indexes"], [4, 5])
        self.assertEqual(result["keyframes"][5]["speed"], 0.5)
        result = self.call("keyframe-groups.js", "pasted", self.LIST, copies, 0.9, AXIS)
        self.assertEqual(result["indexes"], [4])

    def test_what_is_no_keyframe_is_not_pasted(self):
        for text in ("", "hello", "[]", "{}", '{"keyframes":[]}', '{"keyframes":[{"at":"x","speed":1}]}',
                     '{"keyframes":[{"at":"0s","speed":"fast"}]}', '{"keyframes":[null]}',
                     '{"keyframes":[{"at":"0s","speed":1,"easing":"bounce"}]}', "null"):
            self.assertIsNone(self.call("keyframe-groups.js", "keyframesIn", text, 10), text)


class Hands(PlotTest):
    def selected(self):
        return self.page.evaluate("""() => [...document.querySelectorAll(".plot-keyframe")]
            .flatMap((each, i) => (each.classList.contains("is-selected") ? [i] : []))""")

    def click(self, index, *keys):
        self.page.locator(".plot-keyframe").nth(index).click(modifiers=list(keys))

    def test_clicks_select(self):
        self.show()
        self.click(1)
        self.click(3, "Control")
        self.assertEqual(self.selected(), [1, 3])
        self.click(3, "Control")
        self.assertEqual(self.selected(), [1])
        self.click(4, "Shift")
        self.assertEqual(self.selected(), [1, 2, 3, 4])
        self.click(2)
        self.assertEqual(self.selected(), [2])
        self.page.keyboard.press("Control+a")
        self.assertEqual(self.selected(), [0, 1, 2, 3, 4])
        self.assertEqual(self.page.locator(".plot-easing-handle:visible").count(), 0)

    def test_they_are_dragged_nudged_and_deleted_together(self):
        self.show(snap=False)
        self.click(1)
        self.click(2, "Control")
        _, _, width, _ = self.box()
        self.drag(self.centre(".plot-keyframe", 2), (10, 0), (0.1 * width, 0))
        found = self.keyframes()
        self.assertAlmostEqual(float(found[1]["at"][:-1]), 40, delta=0.1)
        self.assertAlmostEqual(float(found[2]["at"][:-1]), 6.5, delta=0.01)
        self.assertEqual(self.selected(), [1, 2])
        self.page.keyboard.press("ArrowUp")
        self.assertEqual([each["speed"] for each in self.keyframes()], [1, 0.3, 0.3, 2, 1])
        self.page.keyboard.press("Delete")
        self.assertEqual(len(self.keyframes()), 3)
        self.assertEqual(self.keyframes()[1]["speed"], 2)

    @needs("clipboard")
    def test_copy_and_paste_at_the_playing_position(self):
        self.show()
        context = self.page.context
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.evaluate("() => harness.plot.moveDot({ source: 8.5, output: null })")
        self.click(1)
        self.click(2, "Control")
        self.page.keyboard.press("Control+c")
        self.page.keyboard.press("Control+v")
        places = [each["at"] for each in self.keyframes()]
        # The second would be beyond the end.
        self.assertEqual(places, ["0%", "30%", "5.5s", "0.8", "85%", "100%"])
        self.assertEqual(self.selected(), [4])
        self.assertEqual(self.keyframes()[4]["speed"], 0.25)
        self.page.keyboard.press("Control+x")
        self.assertEqual([each["at"] for each in self.keyframes()], [each["at"] for each in KEYFRAMES])

    def test_text_fields_keep_their_clipboard(self):
        self.show()
        field = self.page.locator("tr input").nth(2)
        field.focus()
        field.press("Control+a")
        field.press("Control+c")
        field.press("Control+v")
        self.assertEqual(self.keyframes(), KEYFRAMES)
