"""A page of Firefox or WebKit with those of Playwright's methods that the tests use: a test is written once.

Whatever waits, waits in the page. Between the browser and each server lies a relay, which watches, holds and answers requests
and adds scripts that run before a page's own (see relay.py).
"""

import atexit
import base64
import contextlib
import json
import queue
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from engines import lack
from hands import Keyboard, Mouse
from locators import Locator
from relay import BLANK, Relay, Rules, matcher
from server import TOOLS
from webdriver import LONGEST_SCRIPT, PATIENCE, WebDriverError

ERRORS = (TOOLS / "errors.js").read_text()

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

# Waits until a function of the page gives something. Where it never does, the error tells how the videos are and what
# happened to them last.
WAIT = """async (given) => {
    const isSo = (%s), end = performance.now() + %d;
    for (;;) {
        const value = typeof isSo === "function" ? await isSo(given) : isSo;
        if (value) return value;
        if (performance.now() > end) break;
        await new Promise((resume) => setTimeout(resume, 10));
    }
    const videos = [...document.querySelectorAll("video")].map((video) => ({
        time: video.currentTime, paused: video.paused, seeking: video.seeking, ended: video.ended, ready: video.readyState,
        network: video.networkState, error: video.error?.message, rate: video.playbackRate,
        buffered: Array.from(video.buffered, (_, range) => [video.buffered.start(range), video.buffered.end(range)]),
        around: { ...video.closest("[data-phase]")?.dataset },
    }));
    const events = typeof record === "undefined" ? [] : record.happened.slice(-12).map(({ type, at }) => `${type} ${at}`);
    throw new Error(`it never came to be; videos: ${JSON.stringify(videos)}; last events: ${events.join(", ")}`);
}"""

# Fetches what the page would have the browser download, and keeps its name and bytes: drivers tell nothing of downloads.
CATCH_DOWNLOADS = """() => {
    if (globalThis.downloadsForTests) return;
    globalThis.downloadsForTests = [];
    // The page's policy doesn't let it fetch the addresses of blobs.
    const { createObjectURL } = URL, blobs = new Map();
    URL.createObjectURL = (blob) => {
        const url = createObjectURL.call(URL, blob);
        blobs.set(url, blob);
        return url;
    };
    const keep = async (link) => {
        const found = blobs.get(link.href) ?? await fetch(link.href);
        const disposition = found.headers?.get("Content-Disposition") ?? "";
        const named = /filename\\*=UTF-8''([^;]+)/.exec(disposition)?.[1] ?? /filename="([^"]+)"/.exec(disposition)?.[1];
        const bytes = new Uint8Array(await found.arrayBuffer());
        let text = "";
        for (const byte of bytes) text += String.fromCharCode(byte);
        downloadsForTests.push([link.download || decodeURIComponent(named ?? ""), btoa(text)]);
    };
    const isDownload = (link) => link?.hasAttribute("download") || link?.pathname.endsWith("/download");
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function () {
        if (isDownload(this)) keep(this);
        else click.call(this);
    };
    addEventListener("click", (event) => {
        const link = event.target.closest?.("a[href]");
        if (!isDownload(link)) return;
        event.preventDefault();
        keep(link);
    }, true);
}"""


# A browser whose viewer reads another language.
LANGUAGE = """for (const [name, value] of [["language", "%s"], ["languages", ["%s"]]]) {
    Object.defineProperty(Navigator.prototype, name, { get: () => value, configurable: true });
}"""


class DrivenBrowser:
    """One window, which one context at a time uses."""

    def __init__(self, driver):
        self.driver = driver
        self._relays = {}

    def relay(self, target):
        """The relay of a server on this machine."""
        if target not in self._relays:
            self._relays[target] = Relay(target)
        return self._relays[target]

    def new_context(self, **options):
        self.driver.renew()
        self.driver.command("SetTimeouts", script=LONGEST_SCRIPT, pageLoad=PATIENCE)
        return DrivenContext(self, **options)

    def new_page(self):
        return self.new_context().new_page()


class DrivenContext:
    """Starts without anything stored, but for what `storage_state` says, as Playwright's contexts do. Touch is clicking, and a
    phone is a window of its size."""

    def __init__(self, browser, viewport=None, storage_state=None, has_touch=False, is_mobile=False, locale=None,
                 color_scheme="light", **wishes):
        if wishes or color_scheme != "light":
            lack("emulation")
        self.browser, self.viewport, self.page = browser, viewport, None
        self.scripts = [LANGUAGE % (locale, locale)] if locale else []
        self.stored = {
            each["origin"]: {entry["name"]: entry["value"] for entry in each["localStorage"]}
            for each in (storage_state or {}).get("origins", [])}
        self.visited = set()

    def new_page(self):
        self.page = DrivenPage(self)
        if self.viewport:
            self.page.set_viewport_size(self.viewport)
        return self.page

    def new_cdp_session(self, _):
        lack("thread time")

    def close(self):
        if self.page:
            self.page.close()
        self.page = None


class DrivenPage:
    def __init__(self, context):
        self.context, self.driver = context, context.browser.driver
        self.keyboard, self.mouse = Keyboard(self), Mouse(self)
        self._listeners = []
        self._rules = Rules([ERRORS, *context.scripts])
        self._routes = {}
        self.driver.command("Navigate", url="about:blank")

    def on(self, kind, act):
        """Errors of a page, which tools/errors.js keeps there, are told when it is left."""
        if kind == "pageerror":
            self._listeners.append(act)
        elif kind == "request":
            self._rules.on_request.append(act)

    def remove_listener(self, kind, act):
        """Its requests are told of no longer."""
        assert kind == "request", kind
        self._rules.on_request.remove(act)

    # Requests

    def add_init_script(self, script):
        self._rules.scripts.append(script)

    def route(self, pattern, act):
        self._routes[pattern] = rule = (matcher(pattern), act)
        self._rules.routes.append(rule)

    def unroute(self, pattern):
        self._rules.routes.remove(self._routes.pop(pattern))

    def expect_event(self, kind, predicate):
        assert kind == "response", kind
        return self.expect_response(predicate)

    @contextlib.contextmanager
    def expect_response(self, pattern):
        """Gives a ``Response`` after the block."""
        is_meant, found, expected = matcher(pattern), queue.SimpleQueue(), Expected()
        self._rules.on_response.append(lambda response: is_meant(response) and found.put(response))
        yield expected
        expected.value = found.get(timeout=PATIENCE / 1000)

    def emulate_media(self, color_scheme):
        if color_scheme != "light":
            lack("emulation")

    def set_default_timeout(self, _):
        """All waits have the same patience, unless they say otherwise."""

    # Going somewhere

    def goto(self, url):
        self._leave()
        address = urlsplit(url)
        if address.scheme == "http":
            origin = f"http://{address.netloc}"
            relay = self.context.browser.relay(address.netloc)
            relay.rules = self._rules
            address = address._replace(netloc=relay.netloc)
            if origin not in self.context.visited:
                self.context.visited.add(origin)
                self.driver.command("Navigate", url=f"http://{relay.netloc}{BLANK}")
                self.evaluate("""(entries) => {
                    localStorage.clear();
                    sessionStorage.clear();
                    Object.assign(localStorage, entries);
                }""", self.context.stored.get(origin, {}))
        self.driver.command("Navigate", url=address.geturl())
        self._keep_errors()

    def reload(self):
        self._leave()
        self.driver.command("Refresh")
        self._keep_errors()

    def _keep_errors(self):
        """What goes wrong in the page of a file is noticed once it is loaded."""
        self.evaluate(f"() => {{ if (!globalThis.wrongForTests) {{ {ERRORS} }} }}")

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
        script = EVALUATE % expression.rstrip().removesuffix(";")
        result = self.driver.command("ExecuteAsyncScript", script=script, args=[arg])
        if "error" in result:
            raise WebDriverError(result["error"])
        if "text" not in result:
            return None
        return json.loads(result["text"], object_hook=lambda each:
                          float("nan") if each == {"not a": "number"} else each)[0]

    def wait_for_function(self, expression, arg=None, timeout=PATIENCE):
        value = self.evaluate(WAIT % (expression, timeout), arg)
        return Value(value)

    def wait_for_selector(self, selector, state="visible", timeout=PATIENCE):
        self.locator(selector).wait_for(state, timeout)

    def locator(self, selector, has_text=None):
        return Locator(self, ()).locator(selector, has_text)

    def frame_locator(self, selector):
        return Locator(self, ()).frame_locator(selector)

    def get_by_role(self, role, name=None, exact=False):
        return Locator(self, ()).get_by_role(role, name, exact)

    def get_by_label(self, name, exact=False):
        return Locator(self, ({"by": "label", "name": name, "exact": exact},))

    def get_by_text(self, name, exact=False):
        return Locator(self, ()).get_by_text(name, exact)

    def select_option(self, selector, value):
        self.locator(selector).select_option(value)

    @contextlib.contextmanager
    def expect_download(self):
        """Gives a ``Download`` after the block."""
        self.evaluate(CATCH_DOWNLOADS)
        before = self.evaluate("downloadsForTests.length")
        expected = Expected()
        yield expected
        self.wait_for_function(f"() => downloadsForTests.length > {before}")
        expected.value = Download(*self.evaluate(f"downloadsForTests[{before}]"))


class Value:
    def __init__(self, value):
        self._value = value

    def json_value(self):
        return self._value


class Expected:
    """What is there after a block."""

    value = None


class Download:
    def __init__(self, name, data):
        self.suggested_filename, self._data = name, base64.b64decode(data)

    def path(self):
        """The path of a file with its content, until the tests end."""
        file = tempfile.NamedTemporaryFile(prefix="download-", delete=False)
        with file:
            file.write(self._data)
        atexit.register(Path(file.name).unlink)
        return Path(file.name)
