"""The engine that the tests run in, and what its driver lacks.

TIMEWARP_ENGINE names the engine: chromium (as if it isn't set), firefox or webkit.
"""

import os
import unittest

ENGINE = os.environ.get("TIMEWARP_ENGINE", "chromium")
DRIVEN = ("firefox", "webkit")

# What tests need that not every engine or its driver can do: which can't, and why.
LACKING = {
    "tabs": (DRIVEN, "the driver of the other engines has one window"),
    "clipboard": (DRIVEN, "WebDriver doesn't let a page read the clipboard unasked"),
    "cookies": (DRIVEN, "the driver of the other engines doesn't remove cookies"),
    "touch": (DRIVEN, "WebDriver's fingers are mice here"),
    "thread time": (DRIVEN, "only Chromium tells how long a page's thread has computed"),
    "emulation": (DRIVEN, "WebDriver doesn't set what a page is told of the user's wishes"),
    "exact frames": (DRIVEN, "other engines don't show each frame at a join: guides/stories.md has the figures"),
    "sound alone": (["firefox"], "Firefox plays sound without video only where there is a sound device"),
    "exact sound": (DRIVEN, "Firefox gives a page sound only where there is a sound device; WebKit doesn't trim it at a join"),
    "held keys": (["webkit"], "WebKit's driver presses a key that is held down only once"),
    "narrow windows": (["webkit"], "MiniBrowser's window is at least as wide as its bar of buttons"),
    "managed media source": (["chromium", "firefox"], "only WebKit has the Media Source of phones"),
    "picture in picture": (["webkit"], "WebKitGTK has none"),
    "seeks taken back in files": (["webkit"], "all of WebKitGTK hangs now and then when a seek in a file is taken back"),
    "quick drawing": (["webkit"], "WebKitGTK draws everything in software: guides/studio.md has the figures"),
}

# The colour schemes in which a page can be shown.
SCHEMES = ("light",) if ENGINE in DRIVEN else ("light", "dark")


def needs(ability):
    """A test that needs something that not every engine or its driver can do; see ``LACKING``."""
    engines, reason = LACKING[ability]
    return unittest.skipIf(ENGINE in engines, reason)


def lack(ability):
    """Skips the test that is running, in an engine whose driver can't do what it needs."""
    raise unittest.SkipTest(LACKING[ability][1])
