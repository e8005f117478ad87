"""Several keyframes at once, selected, moved, copied and pasted by hand."""

from engines import needs
from test_studio_plot import KEYFRAMES, PlotTest


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
