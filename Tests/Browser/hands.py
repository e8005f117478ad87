"""Keyboard and mouse of a page that WebDriver drives, with Playwright's methods."""

# WebDriver's code points of keys that have no character.
KEYS = {
    "Enter": "\uE007", "Tab": "\uE004", "Escape": "\uE00C", "Backspace": "\uE003", "Delete": "\uE017",
    "ArrowLeft": "\uE012", "ArrowUp": "\uE013", "ArrowRight": "\uE014", "ArrowDown": "\uE015",
    "Home": "\uE011", "End": "\uE010", "PageUp": "\uE00E", "PageDown": "\uE00F", "Space": " ",
    "Shift": "\uE008", "Control": "\uE009", "Alt": "\uE00A", "Meta": "\uE03D",
}

# For a browser that keeps the wheel to itself while a key is held.
WHEEL = """([x, y, deltaX, deltaY, keys]) => {
    const held = Object.fromEntries(keys.map((key) => [`${key === "Control" ? "ctrl" : key.toLowerCase()}Key`, true]));
    document.elementFromPoint(x, y).dispatchEvent(new WheelEvent("wheel", {
        clientX: x, clientY: y, deltaX, deltaY, bubbles: true, cancelable: true, ...held }));
}"""


class Keyboard:
    def __init__(self, page):
        self.page, self.held = page, []

    def press(self, keys):
        """A key, or several that are held together: "Shift+ArrowLeft"."""
        names = [KEYS.get(key, key) for key in (["+"] if keys == "+" else keys.split("+"))]
        self._perform([{"type": "keyDown", "value": name} for name in names]
                      + [{"type": "keyUp", "value": name} for name in reversed(names)])

    def down(self, key):
        self.held.append(key)
        self._perform([{"type": "keyDown", "value": KEYS.get(key, key)}])

    def up(self, key):
        self.held.remove(key)
        self._perform([{"type": "keyUp", "value": KEYS.get(key, key)}])

    def _perform(self, actions):
        perform(self.page, {"type": "key", "id": "keyboard", "actions": actions})


class Mouse:
    def __init__(self, page):
        self.page, self._place = page, (0, 0)

    def move(self, x, y, steps=1):
        """WebDriver's pointers don't leave the window: what lies beyond its edge is the edge."""
        start = self._place
        width, height = self.page.evaluate("[innerWidth, innerHeight]")
        x, y = self._place = min(max(0, x), width - 1), min(max(0, y), height - 1)
        self._perform(*({
            "type": "pointerMove", "duration": 0,
            "x": round(start[0] + (x - start[0]) * step / steps),
            "y": round(start[1] + (y - start[1]) * step / steps),
        } for step in range(1, steps + 1)))

    def down(self):
        self._perform({"type": "pointerDown", "button": 0})

    def up(self):
        self._perform({"type": "pointerUp", "button": 0})

    def click(self, x, y):
        self.move(x, y)
        self.down()
        self.up()

    def dblclick(self, x, y):
        self.move(x, y)
        self._perform(*2 * ({"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}))

    def wheel(self, across, down):
        x, y = self._place
        held = self.page.keyboard.held
        if held and self.page.driver.keeps_wheels:
            self.page.evaluate(WHEEL, [x, y, across, down, held])
            return
        perform(self.page, {"type": "wheel", "id": "wheel", "actions": [{
            "type": "scroll", "duration": 0, "origin": "viewport", "x": round(x), "y": round(y),
            "deltaX": across, "deltaY": down}]})

    def _perform(self, *actions):
        perform(self.page, {"type": "pointer", "id": "mouse", "actions": list(actions)})


def perform(page, source):
    page.driver.command("PerformActions", actions=[source])
