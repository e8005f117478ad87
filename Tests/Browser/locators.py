"""Elements of a page that WebDriver drives, with the methods of Playwright's locators that the tests use."""

from server import TOOLS
from webdriver import PATIENCE, WebDriverError

FIND = (TOOLS / "find.js").read_text()
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

IS_VISIBLE = "first && first.getClientRects().length > 0 && getComputedStyle(first).visibility === 'visible'"

# The middle of an element in the page's window, also of one inside a frame.
MIDDLE = """(element) => {
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    let { x, y, width, height } = element.getBoundingClientRect();
    [x, y] = [x + width / 2, y + height / 2];
    for (let { frameElement } = element.ownerDocument.defaultView; frameElement;
        { frameElement } = frameElement.ownerDocument.defaultView) {
        const box = frameElement.getBoundingClientRect();
        [x, y] = [x + box.x + frameElement.clientLeft, y + box.y + frameElement.clientTop];
    }
    return [x, y];
}"""

# Text is typed over what is there, so that the browser itself tells of the change when the field is left.
FILL = """(element, text) => {
    element.focus();
    if (element.type !== "range") {
        element.select();
        element.ownerDocument.execCommand(text ? "insertText" : "delete", false, text);
        return;
    }
    element.value = text;
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
}"""

# The option that is meant, of a menu that may still be filled.
OPTION = "[...element.options].find((each) => each.value === value || each.label === label)"

SELECT = """(element, { value, label }) => {
    const option = %s;
    element.value = option.value;
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
}""" % OPTION


class Locator:
    """Elements of the page, found anew whenever something is done with them."""

    def __init__(self, page, steps):
        self.page, self.steps = page, steps

    def _and(self, **step):
        return Locator(self.page, (*self.steps, step))

    # Which elements

    def locator(self, selector, has_text=None):
        found = self._and(by="css", selector=selector)
        return found.filter(has_text) if has_text else found

    def frame_locator(self, selector):
        return self._and(by="frame", selector=selector)

    def get_by_role(self, role, name=None, exact=False):
        return self._and(by="role", role=role, name=name, exact=exact)

    def get_by_text(self, name, exact=False):
        return self._and(by="text", name=name, exact=exact)

    def filter(self, has_text):
        return self._and(by="having", name=has_text)

    def nth(self, index):
        return self._and(by="nth", index=index)

    @property
    def first(self):
        return self.nth(0)

    @property
    def last(self):
        return self.nth(-1)

    def all(self):
        return [self.nth(index) for index in range(self.count())]

    # Looking

    def count(self):
        return self._look("(found) => found.length")

    def all_inner_texts(self):
        return self._look("(found) => found.map((each) => each.innerText.trim())")

    def all_text_contents(self):
        return self._look("(found) => found.map((each) => each.textContent)")

    def _look(self, act, arg=None):
        return self.page.evaluate(
            f"([steps, arg]) => ({act})(({FIND})(steps), arg)", [list(self.steps), arg])

    def evaluate(self, act, arg=None):
        """Calls a function with the element as soon as there is one."""
        self.wait_for("attached")
        return self._look(f"([first], arg) => ({act})(first, arg)", arg)

    def wait_for(self, state="visible", timeout=PATIENCE):
        is_so = {"attached": "Boolean(first)", "visible": f"Boolean({IS_VISIBLE})", "hidden": f"!({IS_VISIBLE})"}[state]
        self.page.wait_for_function(
            f"(steps) => {{ const [first] = ({FIND})(steps); return {is_so}; }}", list(self.steps), timeout)

    def inner_text(self):
        return self.evaluate("(element) => element.innerText.trim()")

    def text_content(self):
        return self.evaluate("(element) => element.textContent")

    def get_attribute(self, name):
        return self.evaluate("(element, name) => element.getAttribute(name)", name)

    def input_value(self):
        return self.evaluate("(element) => element.value")

    def is_checked(self):
        return self.evaluate("(element) => element.checked")

    def is_visible(self):
        return self._look(f"([first]) => Boolean({IS_VISIBLE})")

    def bounding_box(self):
        return self.evaluate("(element) => (({ x, y, width, height }) => ({ x, y, width, height }))"
                             "(element.getBoundingClientRect())")

    # Acting

    def _element(self):
        """The element, for WebDriver, when it can be seen."""
        self.wait_for()
        return self.page.driver.command(
            "ExecuteAsyncScript", script=f"arguments[1](({FIND})(arguments[0])[0]);",
            args=[list(self.steps)])[ELEMENT]

    def _middle(self):
        self.wait_for()
        return self.evaluate(MIDDLE)

    def scroll_into_view_if_needed(self):
        self.evaluate(MIDDLE)

    def click(self, modifiers=(), force=False, trial=False):
        """With `force` also if it is disabled or covered; with `trial` it is only waited until a click would reach it."""
        is_inside = any(step["by"] == "frame" for step in self.steps)
        if force:
            self.evaluate("(element) => element.click()")
        elif trial:
            self._wait_to_be_reached()
        elif modifiers or is_inside:
            for key in modifiers:
                self.page.keyboard.down(key)
            self.page.mouse.click(*self._middle())
            for key in modifiers:
                self.page.keyboard.up(key)
        else:
            self._click()

    def _click(self):
        """The page may replace an element after it was found. WebKit's driver finds parts of drawings, and what has to be
        scrolled into view, not interactable."""
        while True:
            try:
                self.page.driver.command("ElementClick", id=self._element())
                return
            except WebDriverError as error:
                if "not interactable" in str(error):
                    self._wait_to_be_reached()
                    self.page.mouse.click(*self._middle())
                    return
                if "stale element" not in str(error):
                    raise

    def _wait_to_be_reached(self):
        self.page.wait_for_function(f"""(steps) => {{
            const [element] = ({FIND})(steps);
            // Away from what stays at an edge while the rest scrolls.
            element?.scrollIntoView({{ block: "center" }});
            return Boolean(element) && element.contains(document.elementFromPoint(...({MIDDLE})(element)));
        }}""", list(self.steps))

    def dblclick(self):
        self.page.mouse.dblclick(*self._middle())

    def hover(self):
        self.page.mouse.move(*self._middle())

    def tap(self):
        """WebDriver has no touch here; what is tapped is clicked."""
        self.click()

    def check(self, force=False):
        self._switch(True)

    def uncheck(self):
        self._switch(False)

    def _switch(self, is_on):
        """Switches are drawn beside their boxes, which can't be seen."""
        self.evaluate("(element, isOn) => element.checked !== isOn && element.click()", is_on)

    def select_option(self, value=None, label=None):
        wanted = {"value": value, "label": label}
        self.wait_for("attached")
        self.page.wait_for_function(
            f"([steps, {{ value, label }}]) => {{ const [element] = ({FIND})(steps); return Boolean({OPTION}); }}",
            [list(self.steps), wanted])
        self.evaluate(SELECT, wanted)

    def fill(self, text):
        self.evaluate(FILL, text)

    def press(self, key):
        self.focus()
        self.page.keyboard.press(key)

    def focus(self):
        self.evaluate("(element) => element.focus()")
