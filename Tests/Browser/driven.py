"""A page of Firefox or WebKit with those of Playwright's methods that the tests use: a test is written once.

Whatever waits, waits in the page. Scripts that must run before the page's own are the server's matter (see server.py).
"""

import base64
import json
from urllib.parse import urlsplit

from server import TOOLS
from webdriver import WebDriverError

# ms: anything that takes this long hangs. What is slow only because the machine is busy mustn't fail.
PATIENCE = 60_000
FIND = (TOOLS / "find.js").read_text()
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# WebDriver's code points of keys that have no character.
KEYS = {
    "Enter": "\uE007", "Tab": "\uE004", "Escape": "\uE00C", "Backspace": "\uE003", "Delete": "\uE017",
    "ArrowLeft": "\uE012", "ArrowUp": "\uE013", "ArrowRight": "\uE014", "ArrowDown": "\uE015",
    "Home": "\uE011", "End": "\uE010", "PageUp": "\uE00E", "PageDown": "\uE00F", "Space": " ",
    "Shift": "\uE008", "Control": "\uE009", "Alt": "\uE00A", "Meta": "\uE03D",
}

# Runs an expression, or calls it if it is a function, and gives the result as text: WebDriver would lose NaN.
# Firefox runs it in a sandbox whose own global object is lost afterwards.
EVALUATE = """const [given, done] = arguments;
(async (globalThis) => {
    const value = (%s);
    return typeof value === "function" ? value(given) : value;
})(window).then(
    (value) => done({ text: JSON.stringify([value], (_, each) =>
        (Number.isNaN(each) ? { "not a": "number" } : each)) }),
    (error) => done({ error: `${error}\\n${error.stack}` }));"""

# Waits until a function of the page gives something.
WAIT = """async (given) => {
    const isSo = (%s), end = performance.now() + %d;
    for (;;) {
        const value = typeof isSo === "function" ? await isSo(given) : isSo;
        if (value) return value;
        if (performance.now() > end) throw new Error("it never came to be");
        await new Promise((resume) => setTimeout(resume, 10));
    }
}"""

class DrivenBrowser:
    """One window, which one context at a time uses."""

    def __init__(self, driver):
        self.driver = driver

    def new_context(self, **options):
        self.driver.renew()
        self.driver.command("SetTimeouts", script=2 * PATIENCE, pageLoad=PATIENCE)
        return DrivenContext(self, **options)

    def new_page(self):
        return self.new_context().new_page()


class DrivenContext:
    """Starts without anything stored, but for what `storage_state` says, as Playwright's contexts do. Touch is clicking."""

    def __init__(self, browser, viewport=None, storage_state=None, has_touch=False, color_scheme="light"):
        self.browser, self.viewport, self.page = browser, viewport, None
        self.stored = {
            each["origin"]: {entry["name"]: entry["value"] for entry in each["localStorage"]}
            for each in (storage_state or {}).get("origins", [])}
        self.visited = set()

    def new_page(self):
        self.page = DrivenPage(self)
        if self.viewport:
            self.page.set_viewport_size(self.viewport)
        return self.page

    def close(self):
        if self.page:
            self.page.close()
        self.page = None


class DrivenPage:
    def __init__(self, context):
        self.context, self.driver = context, context.browser.driver
        self.keyboard, self.mouse = Keyboard(self), Mouse(self)
        self._listeners = []
        self.driver.command("Navigate", url="about:blank")

    def on(self, kind, act):
        """Errors of a page, which tools/errors.js keeps there, are told when it is left."""
        if kind == "pageerror":
            self._listeners.append(act)

    def set_default_timeout(self, _):
        """All waits have the same patience."""

    # Going somewhere

    def goto(self, url):
        self._leave()
        address = urlsplit(url)
        origin = f"{address.scheme}://{address.netloc}"
        if address.netloc and origin not in self.context.visited:
            self.context.visited.add(origin)
            self.driver.command("Navigate", url=f"{origin}/-test/blank.html")
            self.evaluate("(entries) => { localStorage.clear(); Object.assign(localStorage, entries); }",
                          self.context.stored.get(origin, {}))
        self.driver.command("Navigate", url=url)

    def reload(self):
        self._leave()
        self.driver.command("Refresh")

    def _leave(self):
        for text in self.evaluate("globalThis.wrongForTests ?? []"):
            for act in self._listeners:
                act(text)
        self.evaluate("() => { if (globalThis.wrongForTests) wrongForTests.length = 0; }")

    def close(self):
        self._leave()
        self.driver.command("Navigate", url="about:blank")

    def set_viewport_size(self, size):
        """The window becomes so large that the page has this size."""
        for _ in range(2):
            inner, outer = self.evaluate("[[innerWidth, innerHeight], [outerWidth, outerHeight]]")
            self.driver.command(
                "SetWindowRect", x=None, y=None, width=size["width"] + outer[0] - inner[0],
                height=size["height"] + outer[1] - inner[1])
            self.wait_for_function("() => new Promise((resume) => requestAnimationFrame(() => resume(true)))")

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.driver.command("TakeScreenshot")))

    # Looking

    def evaluate(self, expression, arg=None):
        result = self.driver.command("ExecuteAsyncScript", script=EVALUATE % expression, args=[arg])
        if "error" in result:
            raise WebDriverError(result["error"])
        if "text" not in result:
            return None
        return json.loads(result["text"], object_hook=lambda each:
                          float("nan") if each == {"not a": "number"} else each)[0]

    def wait_for_function(self, expression, arg=None):
        value = self.evaluate(WAIT % (expression, PATIENCE), arg)
        return Value(value)

    def wait_for_selector(self, selector):
        self.locator(selector).wait_for()

    def locator(self, selector, has_text=None):
        return Locator(self, ()).locator(selector, has_text)

    def get_by_role(self, role, name=None, exact=False):
        return Locator(self, ()).get_by_role(role, name, exact)

    def get_by_label(self, name, exact=False):
        return Locator(self, ({"by": "label", "name": name, "exact": exact},))

    def get_by_text(self, name, exact=False):
        return Locator(self, ()).get_by_text(name, exact)


class Value:
    def __init__(self, value):
        self._value = value

    def json_value(self):
        return self._value


class Locator:
    """Elements of the page, found anew whenever something is done with them."""

    def __init__(self, page, steps):
        self.page, self.steps = page, steps

    def _and(self, **step):
        return Locator(self.page, (*self.steps, step))

    def locator(self, selector, has_text=None):
        found = self._and(by="css", selector=selector)
        return found.filter(has_text) if has_text else found

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

    def all(self):
        return [self.nth(index) for index in range(self.count())]

    def count(self):
        return self._look("(found) => found.length")

    def all_inner_texts(self):
        return self._look("(found) => found.map((each) => each.innerText.trim())")

    def _look(self, act, arg=None):
        return self.page.evaluate(
            f"([steps, arg]) => ({act})(({FIND})(steps), arg)", [list(self.steps), arg])

    def evaluate(self, act, arg=None):
        """Calls a function with the element as soon as there is one."""
        self.wait_for("attached")
        return self._look(f"([first], arg) => ({act})(first, arg)", arg)

    def wait_for(self, state="visible"):
        isSo = "first" if state == "attached" else (
            "first && first.getClientRects().length > 0 && getComputedStyle(first).visibility === 'visible'")
        self.page.wait_for_function(f"(steps) => {{ const [first] = ({FIND})(steps); return {isSo}; }}"
                                    .replace("return first;", "return Boolean(first);"), list(self.steps))

    def _element(self):
        """The element, for WebDriver, when it can be seen."""
        self.wait_for()
        return self.page.driver.command(
            "ExecuteAsyncScript", script=f"arguments[1](({FIND})(arguments[0])[0]);",
            args=[list(self.steps)])[ELEMENT]

    def click(self):
        self.page.driver.command("ElementClick", id=self._element())

    def tap(self):
        """WebDriver has no touch here; what is tapped is clicked."""
        self.click()

    def fill(self, text):
        self.evaluate("""(element, text) => {
            const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value");
            element.focus();
            set.call(element, text);
            element.dispatchEvent(new Event("input", { bubbles: true }));
            element.dispatchEvent(new Event("change", { bubbles: true }));
        }""", text)

    def press(self, key):
        self.focus()
        self.page.keyboard.press(key)

    def focus(self):
        self.evaluate("(element) => element.focus()")

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
        return self._look("([first]) => Boolean(first && first.getClientRects().length > 0"
                          " && getComputedStyle(first).visibility === 'visible')")

    def bounding_box(self):
        return self.evaluate("(element) => (({ x, y, width, height }) => ({ x, y, width, height }))"
                             "(element.getBoundingClientRect())")


class Keyboard:
    def __init__(self, page):
        self.page = page

    def press(self, keys):
        """A key, or several that are held together: "Shift+ArrowLeft"."""
        names = [KEYS.get(key, key) for key in keys.split("+")]
        actions = [{"type": "keyDown", "value": name} for name in names]
        actions += [{"type": "keyUp", "value": name} for name in reversed(names)]
        perform(self.page, {"type": "key", "id": "keyboard", "actions": actions})


class Mouse:
    def __init__(self, page):
        self.page = page

    def move(self, x, y):
        self._perform({"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)})

    def down(self):
        self._perform({"type": "pointerDown", "button": 0})

    def up(self):
        self._perform({"type": "pointerUp", "button": 0})

    def _perform(self, action):
        perform(self.page, {"type": "pointer", "id": "mouse", "actions": [action]})


def perform(page, source):
    page.driver.command("PerformActions", actions=[source])
