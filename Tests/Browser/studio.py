"""The studio of the program, in a workspace of its own, and Debian's Chromium with its page.

TIMEWARP names the program.
"""

import base64
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from playwright.sync_api import sync_playwright

import frame_barcode
from browser import ARGUMENTS, CHROMIUM
from fixture import make_clip
from story import ROOT

FRAMES = 120  # of the clip, at 30 a second
PATIENCE = 10_000  # ms
INTERRUPTED = 130

CELLS = """(id) => {
    const video = document.getElementById(id), canvas = document.createElement("canvas");
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const [width, height] = [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    const { output } = video.dataset;
    context.drawImage(video, 0, 0);
    const levels = [];
    for (let row = 0; row < 2; row += 1) {
        for (let column = 0; column < 22; column += 1) {
            const x = Math.floor((column + 0.5) * width / 22), y = (18.5 + row) * height / 20;
            levels.push(context.getImageData(x, Math.floor(y), 1, 1).data[1]);
        }
    }
    return { levels, output: Number(output), time: video.currentTime };
}"""

DROP = """async ([name, data]) => {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name));
    for (const kind of ["dragover", "drop"]) {
        const event = new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
    }
}"""


def number_in(levels):
    """The number that a picture's cells say, or None."""
    middle = (min(levels) + max(levels)) / 2
    word = 0
    for place, level in enumerate(levels):
        if place in (0, 21, 22, 43):
            continue
        word = word << 1 | (level > middle)
    word ^= frame_barcode.WHITENING
    number = word & 0xFFFFFF
    return number if frame_barcode.checksum(number) == word >> 24 else None


def source_at(time_map, output):
    """The source time that a map shows at an output time."""
    outputs, sources = time_map["output"], time_map["source"]
    for at in range(len(outputs) - 1):
        start, end = outputs[at], outputs[at + 1]
        if start <= output < end:
            share = (output - start) / (end - start)
            return sources[at] + share * (sources[at + 1] - sources[at])
    return sources[-1]


class Studio:
    """`timewarp studio`, until `close`."""

    def __init__(self, workspace):
        program = os.environ.get("TIMEWARP", ROOT / ".build-tests/release/timewarp")
        self._process = subprocess.Popen(
            [program, "studio", "--port", "0", "--workspace", workspace],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            # Who is started in the background is deaf to Ctrl-C, and so are those it starts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self._errors = []
        threading.Thread(
            target=lambda: self._errors.extend(self._process.stderr), daemon=True).start()
        for line in self._process.stdout:
            if line.startswith("http://127.0.0.1:"):
                self.url = line.strip()
                return
        raise AssertionError("the studio printed no address: " + "".join(self._errors))

    @property
    def process(self):
        """Its number."""
        return self._process.pid

    def forget(self):
        """Has no working state to come back to."""
        address = urlsplit(self.url)
        token = parse_qs(address.query)["token"][0]
        urlopen(Request(
            f"http://{address.netloc}/api/desk", b"null", method="PUT",
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})).close()

    def close(self):
        """Ends it as Ctrl-C does; what it exits with."""
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(20)
        self._process.stdout.close()
        return code


class StudioTest(unittest.TestCase):
    """A test with a studio and a browser, shared by the class."""

    scheme = "light"
    size = (1440, 900)

    @classmethod
    def setUpClass(cls):
        cls.workspace = Path(tempfile.mkdtemp(prefix="studio-"))
        cls.folder = Path(tempfile.mkdtemp(prefix="studio-clips-"))
        cls.clip = cls.folder / "barcodes.mov"
        make_clip(cls.clip, FRAMES)
        cls.studio = Studio(cls.workspace)
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        code = cls.studio.close()
        shutil.rmtree(cls.workspace)
        shutil.rmtree(cls.folder)
        assert code in (0, INTERRUPTED), code

    def setUp(self):
        self.errors, self.allowed = [], ["422"]
        self.context = self.page = None
        self.studio.forget()
        self.renew_page()

    def tearDown(self):
        self.context.close()
        self.assertEqual(self.errors, [])

    def renew_page(self, **options):
        """The page in a browser that knows nothing."""
        if self.context:
            self.context.close()
        width, height = options.pop("size", self.size)
        self.context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=options.pop("scheme", self.scheme), **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._on_console)
        self.page.goto(self.studio.url)
        self.wait_until("document.documentElement.dataset.ready === 'true'")

    def _on_console(self, message):
        # A refusal by the page's content security policy comes as a message only.
        isAllowed = any(text in message.text for text in self.allowed)
        if message.type == "error" and not isAllowed:
            self.errors.append(message.text)

    # Looking

    def wait_until(self, condition, **options):
        self.page.wait_for_function(f"() => {condition}", **options)

    def api(self, path, body=None):
        """What the server answers to the page."""
        return self.page.evaluate(
            """async ([path, body]) => {
                const options = body === null ? {} : { method: "POST", body: JSON.stringify(body) };
                return (await fetch(path, options)).json();
            }""", [path, body])

    @property
    def count(self):
        """Redraws of the plot so far."""
        return self.page.evaluate("Number(document.documentElement.dataset.evaluated ?? 0)")

    def evaluated(self, act):
        """Does something, and waits until the plot has been redrawn because of it."""
        before = self.count
        act()
        self.wait_until(f"Number(document.documentElement.dataset.evaluated) > {before}")

    def order(self):
        """What the page last kept as its draft."""
        return self.api("/api/desk")["desk"]["draft"]

    def text(self, selector):
        return self.page.locator(selector).inner_text()

    def becomes(self, selector, text):
        """Waits until an element says something."""
        self.page.wait_for_function(
            "([selector, text]) => document.querySelector(selector).textContent === text",
            arg=[selector, text])

    def shown(self, video):
        """`(number, output)`: the picture in a player, and its preview's time."""
        look = self.page.evaluate(CELLS, video)
        return number_in(look["levels"]), look["output"]

    # Doing

    def drop(self, path):
        data = base64.b64encode(path.read_bytes()).decode()
        self.page.evaluate(DROP, [path.name, data])

    def use_clip(self):
        """Has the clip of barcodes in the source player, ready to be played."""
        names = [each["name"] for each in self.api("/api/media")["media"]]
        if self.clip.name in names:
            row = self.page.locator("#media button.pick", has_text=self.clip.name)
            if row.get_attribute("aria-current") != "true":
                row.click()
        else:
            self.drop(self.clip)
        self.wait_until(f"document.getElementById('source-name').textContent === '{self.clip.name}'")
        self.wait_until("document.getElementById('source-video').readyState >= 2")
        self.wait_until("document.getElementById('figure-length').textContent !== '–'")

    def choose_curve(self, name):
        self.page.locator("#curve-menu label").get_by_text(name, exact=True).click()

    def set_number(self, name, value):
        field = self.page.get_by_role("spinbutton", name=f"{name} value", exact=True)
        field.fill(str(value))
        field.press("Enter")

    def region(self, name):
        return self.page.get_by_role("region", name=name, exact=True)

    def render(self):
        """Renders the present order; waits for its result in the player."""
        self.page.get_by_role("button", name="Render", exact=True).click()
        self.wait_until("document.querySelector('#renders > .running, #renders > .queued')")
        self.wait_until(
            "!document.querySelector('#renders > .running, #renders > .queued')", timeout=30_000)
        self.wait_until("document.getElementById('result-video').readyState >= 2")
