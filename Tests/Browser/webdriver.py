"""Firefox and WebKit by WebDriver: Firefox speaks it as Marionette over a socket, WebKit over HTTP.

`command` takes the standard's commands by their names in Marionette.
"""

import atexit
import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

FIREFOX = "/usr/bin/firefox-esr"
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
SECONDS_TO_START = 60
# ms: anything that takes this long hangs. What is slow only because the machine is busy mustn't fail.
PATIENCE = 60_000
# ms: a test may have more patience, but not more than this.
LONGEST_SCRIPT = 150_000
# A browser that takes longer than this to answer hangs.
SECONDS_TO_ANSWER = 180
# WebKit's driver sometimes waits for ever for the browser that it has just started, mostly on a busy machine.
SECONDS_TO_START_WEBKIT, STARTS = 45, 3

# Films may play before the viewer has done anything, as in the tests' Chromium, and Firefox asks and fetches nothing.
PREFERENCES = {
    "media.autoplay.default": 0, "app.update.auto": False, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "browser.startup.homepage_override.mstone": "ignore",
    "app.normandy.enabled": False, "extensions.getAddons.cache.enabled": False,
    "toolkit.legacyUserProfileCustomizations.stylesheets": True,
}
# A window may be as narrow as a phone.
STYLE = ":root { min-width: 0 !important; }"

# Method and path of each command, for WebKit.
PATHS = {
    "Navigate": ("POST", "/url"), "Refresh": ("POST", "/refresh"),
    "ExecuteAsyncScript": ("POST", "/execute/async"), "SetTimeouts": ("POST", "/timeouts"),
    "SetWindowRect": ("POST", "/window/rect"), "TakeScreenshot": ("GET", "/screenshot"),
    "ElementClick": ("POST", "/element/{id}/click"), "PerformActions": ("POST", "/actions"),
    "ReleaseActions": ("DELETE", "/actions"),
}


class WebDriverError(Exception):
    """What the browser answered to a command that it couldn't carry out."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A program whose whole session ends with this process, or by `end`."""

    def __init__(self, arguments, environment=None):
        self._process = subprocess.Popen(
            arguments, env={**os.environ, **(environment or {})}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.end)

    def end(self, how=signal.SIGTERM):
        atexit.unregister(self.end)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, how)
        self._process.wait()


def patiently(connect):
    """What `connect` gives as soon as the program listens."""
    deadline = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            return connect()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


class Firefox:
    keeps_wheels = False

    def __init__(self):
        self._socket = None
        self._start()

    def _start(self):
        profile = Path(tempfile.mkdtemp(prefix="firefox-"))
        port = free_port()
        preferences = {**PREFERENCES, "marionette.port": port}
        (profile / "user.js").write_text("".join(
            f'user_pref("{name}", {json.dumps(value)});\n' for name, value in preferences.items()))
        (profile / "chrome").mkdir()
        (profile / "chrome/userChrome.css").write_text(STYLE)
        atexit.register(shutil.rmtree, profile, ignore_errors=True)
        self._program = Program([FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", profile])
        self._socket = patiently(
            lambda: socket.create_connection(("127.0.0.1", port), timeout=SECONDS_TO_ANSWER))
        self._bytes, self._count = b"", 0
        self._read()
        self.command("NewSession", capabilities={})

    def renew(self):
        """One window serves all tests, unless Firefox has ended."""
        if self._socket is None:
            self._start()

    def command(self, name, **parameters):
        self._count += 1
        message = json.dumps([0, self._count, f"WebDriver:{name}", parameters]).encode()
        if self._socket is None:
            raise WebDriverError("Firefox has ended")
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        if error:
            raise WebDriverError(f"{error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def _read(self):
        while b":" not in self._bytes:
            self._receive()
        length, _, _ = self._bytes.partition(b":")
        start = len(length) + 1
        while len(self._bytes) < start + int(length):
            self._receive()
        message = self._bytes[start:start + int(length)]
        self._bytes = self._bytes[start + int(length):]
        return json.loads(message)

    def _receive(self):
        try:
            data = self._socket.recv(1 << 16)
        except TimeoutError:
            data = b""
        if not data:
            # What comes next starts it again.
            self._socket.close()
            self._socket = None
            self._program.end(signal.SIGKILL)
            raise WebDriverError("Firefox hangs or has ended")
        self._bytes += data


class WebKit:
    """WebKitGTK's MiniBrowser, on a screen of its own in memory."""

    # It zooms the page with Control and the wheel, and the page isn't told.
    keeps_wheels = True

    def __init__(self):
        self._program = self._session = None
        self._start()

    def _start(self):
        self._port = free_port()
        self._program = Program(
            ["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24", "WebKitWebDriver", f"--port={self._port}"],
            # The tests already run in a container of their own; bubblewrap can't make another one there. Mesa's software
            # renderer, which WebKit draws by, once crashed beside threads of its own: it gets none.
            {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LP_NUM_THREADS": "0"})
        patiently(lambda: self._request("GET", "/status"))

    def renew(self):
        """Starts another browser, so that no test meets one that an earlier test has left hanging."""
        if self._session:
            with contextlib.suppress(WebDriverError):
                self._request("DELETE", self._session)
            self._session = None
        browser = next(Path("/").glob(MINI_BROWSER.lstrip("/")))
        options = {"binary": str(browser), "args": ["--automation", "--autoplay-policy=allow"]}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        for start in range(STARTS):
            if self._program is None:
                self._start()
            try:
                session = self._request(
                    "POST", "/session", {"capabilities": capabilities}, SECONDS_TO_START_WEBKIT)
            except WebDriverError as error:
                print(f"\n  {error}, start {start + 1} of {STARTS}", flush=True)
            else:
                self._session = f"/session/{session['sessionId']}"
                return
        raise WebDriverError("WebKit doesn't start")

    def command(self, name, **parameters):
        if self._session is None:
            raise WebDriverError("WebKit has ended")
        method, path = PATHS[name]
        path = self._session + path.format(**parameters)
        return self._request(method, path, parameters if method == "POST" else None)

    def _request(self, method, path, body=None, seconds=None):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=seconds or SECONDS_TO_ANSWER)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            response = connection.getresponse()
            value = json.loads(response.read())["value"]
        except TimeoutError:
            # What comes next starts it again.
            self._program.end(signal.SIGKILL)
            self._program = self._session = None
            raise WebDriverError("WebKit hangs") from None
        finally:
            connection.close()
        if response.status != 200:
            raise WebDriverError(f"{value['error']}: {value['message']}")
        return value
