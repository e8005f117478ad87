"""How the pages draw what changes: elements that stay are kept, with their focus, their text and the press upon them."""

from studio_modules import ModulesTest

# Draws a list of names as rows with a field and a button; `pressed` counts the presses of each.
HARNESS = """async () => {
    const { draw, view } = await import("/shared/elements/view.js");
    const host = document.createElement("ul");
    document.body.append(host);
    const pressed = globalThis.pressed = {};
    globalThis.list = host;
    globalThis.drawNames = (...names) => draw(host, ...names.map((name) => view("li", { key: name },
        view("input", { value: name, "aria-label": name, style: "height: 20px" }),
        view("button", { "data-act": "press", style: "height: 40px", onclick: () => {
            pressed[name] = (pressed[name] ?? 0) + 1;
        } }, `Press ${name}`))));
}"""


class ViewTest(ModulesTest):
    def setUp(self):
        super().setUp()
        self.open()
        self.page.evaluate(HARNESS)
        self.addCleanup(lambda: self.page.evaluate("list.remove()"))

    def names(self, *names):
        self.page.evaluate("(names) => drawNames(...names)", list(names))

    def texts(self):
        return self.page.evaluate("[...list.children].map((row) => row.querySelector('button').textContent)")

    def focused(self):
        return self.page.evaluate("document.activeElement.textContent")

    def test_rows_are_added_moved_and_taken_away_and_those_that_stay_are_the_same_elements(self):
        self.names("a", "b", "c")
        self.page.evaluate("() => { globalThis.before = [...list.children]; }")
        self.names("c", "x", "a")
        self.assertEqual(self.texts(), ["Press c", "Press x", "Press a"])
        same = self.page.evaluate("[list.children[0] === before[2], list.children[2] === before[0]]")
        self.assertEqual(same, [True, True])
        self.names()
        self.assertEqual(self.texts(), [])

    def test_the_focus_stays_where_rows_come_and_go_around_it(self):
        self.names("a", "b", "c")
        self.page.get_by_role("button", name="Press b").focus()
        for names in (["x", "a", "b", "c"], ["b", "c"], ["b"]):
            self.names(*names)
            self.assertEqual(self.focused(), "Press b", names)

    def test_if_the_focused_row_goes_the_same_act_in_its_place_gets_the_focus(self):
        self.names("a", "b", "c")
        self.page.get_by_role("button", name="Press b").focus()
        self.names("a", "c")
        self.assertEqual(self.focused(), "Press c")
        self.names("a")
        self.assertEqual(self.focused(), "Press a")

    def test_the_focus_stays_on_a_row_that_is_moved(self):
        self.names("a", "b", "c")
        self.page.get_by_role("button", name="Press b").focus()
        for names in (["b", "c", "a"], ["c", "a", "b"], ["b", "a", "c"]):
            self.names(*names)
            self.assertEqual((self.texts(), self.focused()), ([f"Press {name}" for name in names], "Press b"))

    def test_what_is_typed_stays_until_the_value_changes_or_is_restored(self):
        self.names("a", "b")
        field = self.page.get_by_label("a", exact=True)
        field.fill("typed")
        self.names("x", "a", "b")
        self.assertEqual(field.input_value(), "typed")
        self.page.evaluate("""async () => {
            const { restore } = await import("/shared/elements/view.js");
            restore(list.children[1].querySelector("input"));
        }""")
        self.assertEqual(field.input_value(), "a")

    def test_a_list_waits_while_it_is_pressed_so_that_the_click_goes_where_it_was_aimed(self):
        self.names("a", "b")
        box = self.page.get_by_role("button", name="Press b").bounding_box()
        self.page.mouse.move(box["x"] + 5, box["y"] + 5)
        self.page.mouse.down()
        self.names("x", "y", "a", "b")
        self.assertEqual(self.texts(), ["Press a", "Press b"])
        self.page.mouse.up()
        self.page.wait_for_function("list.children.length === 4")
        self.assertEqual(self.page.evaluate("pressed"), {"b": 1})

    def test_attributes_listeners_and_text_that_change_are_changed_and_others_are_left_alone(self):
        found = self.page.evaluate("""async () => {
            const { draw, view } = await import("/shared/elements/view.js");
            const heard = [];
            draw(list, view("button", { title: "one", hidden: true, onclick: () => heard.push(1) }, "one", false, null));
            const button = list.firstChild;
            button.classList.add("other");
            draw(list, view("button", { lang: "en", onclick: () => heard.push(2) }, "two", view("b", {}, "!")));
            button.click();
            draw(list, view("button", { onclick: null }));
            button.click();
            return [button === list.firstChild, button.className, button.title, button.hidden, button.lang,
                button.textContent, heard];
        }""")
        self.assertEqual(found, [True, "other", "", False, "", "", [2]])

    def test_pictures_and_menus_are_made_of_what_browsers_draw(self):
        found = self.page.evaluate("""async () => {
            const { draw, view } = await import("/shared/elements/view.js");
            const menu = (value, ...names) => view("select", { value },
                ...names.map((name) => view("option", { value: name }, name)));
            draw(list, view("svg", { viewBox: "0 0 4 4" }, view("path", { d: "M0 0h4" })), menu("b", "a", "b"));
            const [picture, select] = list.children, first = select.value;
            draw(list, view("svg", { viewBox: "0 0 4 4" }, view("path", { d: "M0 0v4" })), menu("c", "b", "c"));
            return [picture.firstChild instanceof SVGPathElement, picture.firstChild.getAttribute("d"),
                first, select.value];
        }""")
        self.assertEqual(found, [True, "M0 0v4", "b", "c"])
