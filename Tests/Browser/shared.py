"""Expensive resources: one browser, one story and its server for all tests of a process."""

import atexit
import contextlib
import functools
import shutil
import time

from driven import DrivenBrowser
from engines import ENGINE
from playwright.sync_api import sync_playwright
from server import TOOLS, Server
from story import SHARED, built
from webdriver import PATIENCE, Firefox, WebKit

CHROMIUM = "/usr/bin/chromium-headless-shell"
ARGUMENTS = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--disable-gpu"]
# A script that defines `manualClock`.
MANUAL_CLOCK = (TOOLS / "manual-clock.js").read_text()
# Seconds between two looks at something that doesn't tell when it changes.
LOOK_AGAIN = 0.05

def sooner(*delays):
    """A script: in the page, timers of this many milliseconds take a twentieth of it."""
    return f"""(() => {{
        const start = globalThis.setTimeout, delays = {list(delays)};
        globalThis.setTimeout = (act, delay, ...given) =>
            start(act, delays.includes(delay) ? delay / 20 : delay, ...given);
    }})();"""


closing = contextlib.ExitStack()
atexit.register(closing.close)


def poll(is_so, text):
    """Waits until a condition holds that nothing announces; `text` says what is wrong if it never does.

    What a page can wait for by itself is waited for there, by `wait_for_function` and its kin. This is
    the only place where these tests ask the same thing over and over.
    """
    deadline = time.monotonic() + PATIENCE / 1000
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(text)
        time.sleep(LOOK_AGAIN)


def computing(page, act):
    """Does something; returns what it gives, and the seconds that the page's main thread computed meanwhile.

    Waiting for a processor is no computing: other work on the machine doesn't lengthen it.
    """
    session = page.context.new_cdp_session(page)

    def computed():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "ThreadTime")
    try:
        session.send("Performance.enable")
        before = computed()
        result = act()
        return result, computed() - before
    finally:
        session.detach()


@functools.cache
def browser():
    """One of Debian's browsers. Each test uses its own context, and contexts share nothing."""
    others = {"firefox": Firefox, "webkit": WebKit}
    return DrivenBrowser(others[ENGINE]()) if ENGINE in others else chromium()


def chromium():
    playwright = sync_playwright().start()
    closing.callback(playwright.stop)
    launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    closing.callback(launched.close)
    return launched


@functools.cache
def story():
    """The folder with the story's source, and the built story in film/."""
    folder = built()
    if not SHARED:
        closing.callback(shutil.rmtree, folder.parent)
    return folder


@functools.cache
def story_server():
    server = Server(story() / "film")
    closing.callback(server.close)
    return server
