"""Opens the player's page in a fresh browser context, and records what is seen and heard there."""

import base64
import json
import struct
import unittest

from engines import DRIVEN, ENGINE
from fixture import FRAME_RATE
from server import TOOLS
from shared import PATIENCE, browser, story, story_server
from story import SEGMENTS
from walk import AROUND, Walk

SIZE = {"width": 960, "height": 640}
# The speed of the film where only what the page does is judged, and not when which frame is seen. It is slow where the viewer
# in the page is to choose.
QUICK = 2
# Other engines have one window, which is renewed for each test.
SHARES = ENGINE not in DRIVEN
# A script for a page that is opened as if for the first time: what earlier pages have stored is gone, but not at a reload.
FORGET = """if (name !== "%s") {
    name = "%s";
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, value] of %s) localStorage.setItem(key, value);
}"""
# ms: how long the player waits before it fetches again what it couldn't fetch.
RETRIES = (400, 1200, 3000)


def offered(segment, key, *phases):
    """A move: the viewer in the page presses a key as soon as a segment offers its choices, or has ended and waits for one."""
    return {"segment": segment, "phases": phases or ["choosing", "waiting"], "key": key, "frames": None}


def close_to_end(segment, left, key):
    """A move: the viewer presses a key during the last `left` frames of a segment."""
    end = SEGMENTS[segment].end
    return {"segment": segment, "phases": ["choosing", "waiting"], "key": key,
            "frames": [end - left, end]}


def once_round(segment):
    """Moves that let a segment play to its end and start again."""
    return [offered(segment, None), offered(segment, None, "playing")]


class SharedPage:
    """A page that one test after another opens anew: a new one would have a process of its own, which takes longer to start
    than the page. It is closed when a test wants other options."""

    present = None
    opened = 0

    def __init__(self, options):
        self.options, self.test = options, None
        self.context = browser().new_context(viewport=SIZE, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.test.errors.append(str(error)))
        self.page.on("console", lambda message: self.test.on_console(message))

    @classmethod
    def of(cls, options):
        if cls.present and (cls.present.options != options or cls.present.page.is_closed()):
            cls.close()
        cls.present = cls.present or cls(options)
        return cls.present

    @classmethod
    def close(cls):
        if cls.present:
            cls.present.context.close()
        cls.present = None

    def open(self, test, viewport, stored):
        """Opens the page of a test in a browser in which only that is stored."""
        self.leave()
        self.test = test
        self.page.unroute_all()
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(color_scheme=self.options.get("color_scheme", "light"))
        SharedPage.opened += 1
        test.server.scripts[:] = [FORGET % (SharedPage.opened, SharedPage.opened, json.dumps(stored)), *test.scripts]
        self.page.goto(test.server.url)

    def leave(self):
        """Ends the page of a test."""
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")


class PlayerTest(unittest.TestCase):
    """A test with a page that is as if it were its own, and is opened on first use."""

    before_load = ""  # a script to run in the page before anything else
    folder = server = None  # the story and its server, unless they are those that all tests share

    def setUp(self):
        self.folder, self.server = self.folder or story() / "film", self.server or story_server()
        self.browser = browser()
        self.server.broken.clear()
        self.server.requests.clear()
        self.server.scripts[:] = self.scripts
        self.context = self._page = None
        self.errors = []

    def run(self, result=None):
        super().run(result)
        if not result.wasSuccessful():
            SharedPage.close()

    def tearDown(self):
        self.server.held.clear()
        self.leave()
        self.assertEqual(self.errors, [])

    def leave(self):
        """Ends what is open."""
        shared = SharedPage.present
        if shared and self.context is shared.context and not shared.page.is_closed():
            shared.leave()
        elif self.context:
            self.context.close()

    @property
    def scripts(self):
        """What runs in the page before anything else."""
        tools = [(TOOLS / name).read_text() for name in ("errors.js", "recorder.js")]
        return [tools[0], self.before_load, tools[1]]

    @property
    def page(self):
        return self._page or self.open_page()

    def open_page(self, url=None, **options):
        """Opens the page in a browser without anything stored; `options` are those of its context."""
        self.leave()
        if SHARES and not url:
            options = dict(options)
            viewport, stored = options.pop("viewport", SIZE), options.pop("storage_state", None)
            shared = SharedPage.of(options)
            self.context, self._page = shared.context, shared.page
            shared.open(self, viewport, [
                [entry["name"], entry["value"]] for origin in (stored or {}).get("origins", [])
                for entry in origin["localStorage"]])
            self.wait_for_card()
            return self._page
        self.context = self.browser.new_context(**{"viewport": SIZE, **options})
        page = self._page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self.on_console)
        if url and url.startswith("http") and not url.startswith(self.server.url):
            # Another server than the tests' own adds no scripts to the page.
            for script in self.scripts:
                page.add_init_script(script)
        page.goto(url or self.server.url)
        self.wait_for_card()
        return page

    def wait_for_card(self):
        self.page.wait_for_selector("#card button")
        self.page.wait_for_function("() => record.video.readyState >= 2")

    def open_saved(self, segment, history=(), courage=0, path=(), **options):
        """Opens the page as a viewer left it during a segment; see `saved`."""
        self.open_page(**options, storage_state=self.saved(segment, history, courage, path))

    def saved(self, segment, history=(), courage=0, path=()):
        """What the browser has stored of a viewer who left during a segment, after decisions in those of the history.

        Each step of the path there is `(segment, choice, decisions before it, courage)`.
        """
        variables = self.manifest["variables"]
        known = lambda courage: {**variables, **({"courage": courage} if courage else {})}
        stored = {"story": {
            "segment": segment, "variables": known(courage), "phase": "playing", "available": [], "next": None, "fired": 0,
            "history": [{"segment": name, "variables": variables} for name in history],
        }}
        if path:
            names = [name for name, *_ in path]
            stored["path"] = [{"segment": name, "choice": choice, "depth": depth, "variables": known(courage)}
                              for name, choice, depth, courage in path]
            stored["seen"] = {"scenes": names, "ways": list(zip(names, names[1:]))}
        entries = [{"name": f"timewarp:{kind}:{self.manifest['id']}", "value": json.dumps(value)}
                   for kind, value in stored.items()]
        return {"cookies": [], "origins": [{"origin": self.server.url.rstrip("/"), "localStorage": entries}]}

    def on_console(self, message):
        # A violation of the page's content security policy is reported only as a console message.
        if message.type == "error" and "503" not in message.text:
            self.errors.append(message.text)

    @property
    def manifest(self):
        return json.loads((self.folder / "story.json").read_text())

    def file(self, segment):
        """The URL path of a segment's media file."""
        return "/" + self.manifest["segments"][segment]["file"]

    def begin(self, label="Play", moves=(), speed=1):
        """Starts the film and the recording. The viewer in the page will make the moves."""
        self.page.evaluate("([moves, speed]) => record.begin(moves, speed)", [list(moves), speed])
        card = self.page.locator("#card")
        card.get_by_role("button", name=label, exact=True).click()

    def do(self, *moves):
        """Adds moves for the viewer in the page."""
        self.page.evaluate("moves => void record.moves.push(...moves)", list(moves))

    def wait(self, segment, phase=None):
        """Waits until a segment plays, and is in a phase if one is given."""
        self.page.wait_for_function(
            "([segment, phase]) => { const { dataset } = document.getElementById('player');"
            " return dataset.segment === segment && (!phase || dataset.phase === phase); }",
            arg=[segment, phase])

    def wait_to_see(self, segment):
        """Waits until so much of a segment has been seen that its join can be judged."""
        first, end = SEGMENTS[segment].first + AROUND, SEGMENTS[segment].end
        self.page.wait_for_function(
            "([first, end]) => record.frames.some(({ number }) => number >= first && number < end)", arg=[first, end])

    def boxes(self, selector):
        """The boxes of all elements that are visible, in one look, with their texts."""
        return self.page.evaluate("""(selector) => [...document.querySelectorAll(selector)]
            .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length > 0)
            .map((each) => {
                const { x, y, width, height } = each.getBoundingClientRect();
                return { x, y, width, height, text: each.innerText };
            })""", selector)

    def record(self):
        return self.page.evaluate("record.all()")

    def assert_goes_on_where_it_was(self):
        """A frame may be on the screen before the browser tells of it, and a page without time is told later."""
        record = self.record()
        numbers = [frame["number"] for frame in record["frames"] if frame["number"] is not None]
        back = max(last - number for last, number in zip(numbers, numbers[1:]))
        late = max((each["now"] - each["from"] for each in record["late"]), default=0) / 1000
        self.assertLessEqual(back, 2 + late * FRAME_RATE, "it goes on where it was")

    def sound(self):
        """The recorded sound in blocks, each as `(first sample, samples)`. Samples of silence are None."""
        for place, text in self.page.evaluate("record.takeSound()"):
            data = base64.b64decode(text)
            yield place, struct.unpack(f"<{len(data) // 4}f", data)

    def seen(self, *names, judge=Walk, **options):
        """Checks that exactly these segments have been seen up to now. Walk documents the options."""
        record = self.record()
        walk = judge(record, **options)
        print(f"\n  {walk}", end=" ")
        self.assertEqual(walk.wrong, [])
        self.assertRegex(" ".join(walk.names), f"^{' '.join(names)}$")
        self.assertEqual(record["moves"], [], "not all was done")
        return walk
