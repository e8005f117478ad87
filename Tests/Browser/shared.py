"""Expensive resources: one browser, one story and its server for all tests of a process."""

import atexit
import contextlib
import functools
import shutil

from playwright.sync_api import sync_playwright

from server import Server
from story import built

CHROMIUM = "/usr/bin/chromium-headless-shell"
ARGUMENTS = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--disable-gpu"]
# ms: anything that takes this long hangs. What is slow only because the machine is busy mustn't fail.
PATIENCE = 60_000

closing = contextlib.ExitStack()
atexit.register(closing.close)


@functools.cache
def browser():
    """Debian's Chromium. Each test uses its own context, and contexts share nothing."""
    playwright = sync_playwright().start()
    closing.callback(playwright.stop)
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    closing.callback(chromium.close)
    return chromium


@functools.cache
def story():
    """The folder with the built story in film/ and as film.html."""
    folder = built()
    closing.callback(shutil.rmtree, folder)
    return folder


@functools.cache
def story_server():
    server = Server(story() / "film")
    closing.callback(server.close)
    return server
