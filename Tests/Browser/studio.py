"""Runs the program's studio in a workspace of its own, and opens its page in a browser.

TIMEWARP names the program.
"""

import base64
import functools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from urllib.parse import parse_qs, quote, urljoin, urlsplit
from urllib.request import Request, urlopen

from engines import DRIVEN, ENGINE
from fixture import make_clip
from frame_barcode import number_in
from server import TOOLS
from shared import PATIENCE, browser, closing, poll, sooner
from story import ROOT

# The other engines have one window, in which each test loads its page.
SHARES = ENGINE not in DRIVEN
FRAMES = 120  # of the clip, which has 30 frames a second
INTERRUPTED = 130

CELLS = """(id, frame) => {
    const video = document.getElementById(id) ?? document.querySelector(id), canvas = document.createElement("canvas");
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const [width, height] = [canvas.width, canvas.height] = [video.videoWidth ?? video.width, video.videoHeight ?? video.height];
    const { output } = video.dataset;
    // Before anything is shown there is no number.
    if (width === 0) return { levels: Array(44).fill(0), output: Number(output), time: video.currentTime };
    context.drawImage(frame ?? video, 0, 0);
    const levels = [];
    for (let row = 0; row < 2; row += 1) {
        const { data } = context.getImageData(0, Math.floor((18.5 + row) * height / 20), width, 1);
        for (let column = 0; column < 22; column += 1) levels.push(data[4 * Math.floor((column + 0.5) * width / 22) + 1]);
    }
    return { levels, output: Number(output), time: video.currentTime };
}"""

WATCH = """() => {
    const look = %s, looks = [];
    let goesOn = true;
    const next = () => {
        const maximum = document.getElementById("figure-maximum").textContent;
        looks.push({ ...look("source-video"), now: performance.now(), maximum });
        if (goesOn) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    globalThis.looksAtPreview = () => looks.filter(({ output }) => !Number.isNaN(output)).length;
    globalThis.endLooks = () => {
        goesOn = false;
        return looks;
    };
}""" % CELLS

DROP = """async ([name, data]) => {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name));
    for (const kind of ["dragover", "drop"]) {
        const event = new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
    }
}"""

START_AGAIN = (TOOLS / "start-again.js").read_text()
# Nothing fades in or out, which would be drawn again and again; other engines' drivers can't be told.
CALM = {"reduced_motion": "reduce"} if SHARES else {}
# ms: after how long a rest the page stores its state, saves an edit, says an error, and looks closely at what is zoomed.
RESTS = (400, 500, 800, 150)


def job_request(media, segment=None, carries="both", output=None, **settings):
    """What the page sends to have a clip evaluated or rendered: the job of one segment."""
    track = {"carries": carries, "segments": [{"media": media, **(segment or {})}]}
    return {"job": {
        "timewarp": "job/1", "timeline": {"format": "source", "tracks": [track]},
        "output": {"path": "made.mp4", **(output or {})}, **settings}}


def source_at(time_map, output):
    """The source time that a map shows at an output time."""
    outputs, sources = time_map["output"], time_map["source"]
    for at in range(len(outputs) - 1):
        start, end = outputs[at], outputs[at + 1]
        if start <= output < end:
            share = (output - start) / (end - start)
            return sources[at] + share * (sources[at + 1] - sources[at])
    return sources[-1]


class ServedPage:
    """A running command of `timewarp` that serves a page, until `close`."""

    def __init__(self, *arguments):
        program = os.environ.get("TIMEWARP", ROOT / ".build/release/timewarp")
        self._process = subprocess.Popen(
            [program, *arguments, "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            # Background processes ignore Ctrl-C, and so do their children. The command must react to it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self._errors = []
        self._reader = threading.Thread(target=lambda: self._errors.extend(self._process.stderr), daemon=True)
        self._reader.start()
        for line in self._process.stdout:
            if line.startswith("http://127.0.0.1:"):
                self.url = line.split()[0]
                return
        raise AssertionError("the command printed no address: " + "".join(self._errors))

    @property
    def process(self):
        """The studio's process number."""
        return self._process.pid

    @property
    def computed(self):
        """Seconds of processor time that it has spent so far; 0 where there is no /proc."""
        try:
            fields = Path(f"/proc/{self.process}/stat").read_text().rsplit(")", 1)[1].split()
        except FileNotFoundError:
            return 0
        # As proc(5) numbers them: utime and stime are 14 and 15, and the first here is 3.
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self):
        """Its resident memory, in bytes, from /proc."""
        status = Path(f"/proc/{self.process}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def close(self):
        """Ends the command with Ctrl-C, and returns its exit code."""
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(60)
        self._process.stdout.close()
        self._reader.join()
        self._process.stderr.close()
        return code


class Studio(ServedPage):
    """A running `timewarp studio`."""

    def __init__(self, workspace):
        super().__init__("studio", "--workspace", workspace)

    def ask(self, method, path, content=None):
        """The body of the response to a request with the token. The content is bytes, or sent as JSON."""
        address = urlsplit(self.url)
        token = parse_qs(address.query)["token"][0]
        data = None if method == "GET" else content if isinstance(content, bytes) else json.dumps(content).encode()
        kind = "application/octet-stream" if isinstance(content, bytes) else "application/json"
        with urlopen(Request(
                f"http://{address.netloc}{path}", data, method=method,
                headers={"Authorization": f"Bearer {token}", "Content-Type": kind})) as response:
            return response.read()

    def json(self, method, path, content=None):
        return json.loads(self.ask(method, path, content))

    def keep(self, stored):
        """Replaces the working state, with which the next page starts; None for a fresh one."""
        self.ask("PUT", "/api/session", stored)

    def upload(self, path):
        """Brings a file, and returns its id once all has been made that the page shows of it."""
        media = self.json("POST", f"/api/uploads?name={quote(path.name)}", path.read_bytes())["id"]

        def is_ready():
            return self.json("GET", f"/api/media/{media}")["analysis"] != "waiting"
        poll(is_ready, f"{path.name} is never ready")
        return media


@functools.cache
def fresh_workspace():
    """A workspace as a studio has made it, with its sample. Making that takes longer than most tests, so it is copied."""
    workspace = Path(tempfile.mkdtemp(prefix="studio-fresh-"))
    closing.callback(shutil.rmtree, workspace)
    studio = Studio(workspace)

    def is_ready():
        media = json.loads(studio.ask("GET", "/api/media"))["media"]
        return media and all(each["analysis"] != "waiting" for each in media)
    poll(is_ready, "the sample is never ready")
    assert studio.close() in (0, INTERRUPTED)
    return workspace


class Workshop:
    """A studio in a new workspace, and a clip in a folder outside that workspace. The workspace and the folder may be copies
    of another workshop's, which has ended."""

    def __init__(self, other=None):
        self.workspace = Path(tempfile.mkdtemp(prefix="studio-"))
        shutil.copytree(other.workspace if other else fresh_workspace(), self.workspace, dirs_exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="studio-clips-"))
        self.clip, self._brought = self.folder / "barcodes.mov", {}
        if other:
            shutil.copytree(other.folder, self.folder, dirs_exist_ok=True)
            self._brought = {name: (self.folder / name, media) for name, (_, media) in other._brought.items()}
        else:
            make_clip(self.clip, FRAMES)
        self.start()

    def start(self):
        self.studio = Studio(self.workspace)

    def bring(self, name, frames):
        """The path and the id of a clip with this many frames, of which all has been made that the page shows."""
        if name not in self._brought:
            path = self.folder / name
            if not path.exists():
                make_clip(path, frames)
            self._brought[name] = path, self.studio.upload(path)
        return self._brought[name]

    def end(self):
        code = self.studio.close()
        assert code in (0, INTERRUPTED), code

    def remove(self):
        shutil.rmtree(self.workspace)
        shutil.rmtree(self.folder)

    def close(self):
        try:
            self.end()
        finally:
            self.remove()


# The clips that tests of the page begin with, and how many frames they have.
CLIPS = {"barcodes.mov": FRAMES, "short.mov": 60, "second.mov": 30}


@functools.cache
def stocked_workshop():
    """A workshop with the clips of the tests, which has ended. Other workshops are copies of it."""
    workshop = Workshop()
    for name, frames in CLIPS.items():
        workshop.bring(name, frames)
    workshop.end()
    closing.callback(workshop.remove)
    return workshop


@functools.cache
def shared_workshop():
    """One workshop for all classes of a module that don't need a fresh one. It is closed after the module."""
    workshop = Workshop(stocked_workshop())
    unittest.addModuleCleanup(workshop.close)
    unittest.addModuleCleanup(shared_workshop.cache_clear)
    return workshop


class StudioPage:
    """A page of the studio in a browser context of its own. One test after another may use it."""

    def __init__(self, test, path, scheme, size):
        self.test, self.path = test, path
        width, height = size
        self.context = browser().new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **CALM)
        self.page = self.context.new_page()
        self.page.add_init_script(sooner(*RESTS) + START_AGAIN)
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.test.errors.append(str(error)))
        self.page.on("console", lambda message: self.test.on_console(message))
        self.page.goto(test.studio.url)
        if path != "/":
            self.page.goto(urljoin(test.studio.url, path))

    @property
    def is_elsewhere(self):
        return urlsplit(self.page.url).path != self.path

    def begin(self, test):
        """Starts the page again for another test, as if it were loaded."""
        self.test = test
        self.context.clear_permissions()
        self.page.unroute_all()
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.page.evaluate("startAgain.begin()")

    def leave(self):
        """Ends what the page does, without saving a draft that the next page would find."""
        self.page.evaluate("startAgain.leave()")


@functools.cache
def shared_pages():
    """The module's pages that tests share, by where they begin and how they look."""
    pages = {}
    unittest.addModuleCleanup(close_all, pages)
    unittest.addModuleCleanup(shared_pages.cache_clear)
    return pages


def close_all(pages):
    for page in pages.values():
        page.context.close()
    pages.clear()


class StudioTest(unittest.TestCase):
    """A test with a page of the module's shared studio.

    The page is as if it had been loaded for the test: see `StartAgain` in test_studio_page.py.
    """

    # A test sets this if no other can use its page.
    isSpoiled = False
    # The clip in the source player at the start.
    startsWith = "barcodes.mov"
    path = "/"
    scheme = "light"
    size = (1440, 900)

    @classmethod
    def setUpClass(cls):
        workshop = shared_workshop()
        cls.workspace, cls.folder, cls.clip = workshop.workspace, workshop.folder, workshop.clip
        cls.studio = workshop.studio
        if cls.startsWith:
            cls.clip, cls.media = workshop.bring(cls.startsWith, CLIPS[cls.startsWith])

    def run(self, result=None):
        super().run(result)
        # What a test has left in the middle isn't for others.
        if SHARES and result.wasSuccessful() and not self.isSpoiled:
            if not any(page.is_elsewhere for page in shared_pages().values()):
                return
        close_all(shared_pages())

    def setUp(self):
        self.open_page()

    def tearDown(self):
        self.leave()

    def leave(self):
        self._visited.leave()
        self.assertEqual(self.errors, [])

    def open_page(self, path=None, stored=None):
        """Opens the page, with the working state that an earlier page may have left in the studio."""
        self.errors, self.allowed = [], ["422"]
        kind, pages = (path or self.path, self.scheme, self.size), shared_pages()
        self.studio.keep(stored or self.fresh())
        if SHARES and kind in pages:
            pages[kind].begin(self)
        else:
            if not SHARES:
                close_all(pages)
            pages[kind] = StudioPage(self, *kind)
        self._visit(pages[kind])

    def fresh(self):
        """The working state with which a test starts."""
        return {"draft": {"media": self.media}} if self.startsWith else None

    def _visit(self, page):
        self._visited, self.context, self.page = page, page.context, page.page
        self.wait_until("document.documentElement.dataset.ready === 'true'")

    def on_console(self, message):
        # A violation of the page's content security policy is reported only as a console message.
        isAllowed = any(text in message.text for text in self.allowed)
        if message.type == "error" and not isAllowed:
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    # Observing

    def wait_until(self, condition, **options):
        self.page.wait_for_function(f"() => {condition}", **options)

    def api(self, path, body=None):
        """The server's response to a request from the page."""
        return self.page.evaluate(
            """async ([path, body]) => {
                const options = body === null ? {} : { method: "POST", body: JSON.stringify(body) };
                return (await fetch(path, options)).json();
            }""", [path, body])

    @property
    def count(self):
        """The number of times that the plot has been redrawn."""
        return self.page.evaluate("Number(document.documentElement.dataset.evaluated ?? 0)")

    def evaluated(self, act):
        """Calls `act`, and waits until the plot has been redrawn."""
        before = self.count
        act()
        self.wait_until(f"Number(document.documentElement.dataset.evaluated) > {before}")

    def draft(self):
        """The draft that the page saved last."""
        return self.stored().get("draft") or {}

    def stored(self):
        """The working state that the page stored last."""
        return self.studio.json("GET", "/api/session")["session"] or {}

    def text(self, selector):
        return self.page.locator(selector).inner_text()

    def becomes(self, selector, text):
        """Waits until an element has a text."""
        self.page.wait_for_function(
            "([selector, text]) => document.querySelector(selector).textContent === text",
            arg=[selector, text])

    def shown(self, video):
        """`(number, output)`: the number of the frame in a player or a canvas, and the preview's output time."""
        look = self.page.evaluate(CELLS, video)
        return number_in(look["levels"]), look["output"]

    def until(self, is_so, text=None):
        """Waits until a look at the page, or at what its routes were handed, finds something so."""
        def looks():
            # The driver hands requests over when the page is asked.
            self.page.evaluate("1")
            return is_so()
        try:
            poll(looks, text or "it never came to be")
        except AssertionError as error:
            says = self.page.evaluate("""() => [...document.querySelectorAll("[id^=error-], #edit-note")]
                .map(({ id, textContent }) => `${id}: ${textContent}`).filter((each) => !each.endsWith(": "))""")
            raise AssertionError(f"{error}; the page says {says}") from error

    def boxes(self, *locators):
        """Where elements are. What events redraw is gone for an instant."""
        boxes = []

        def found():
            boxes[:] = [each.bounding_box() for each in locators]
            return all(boxes)
        self.until(found)
        return boxes

    def watch(self):
        """Has the page observe the source player on every animation frame."""
        self.page.evaluate(WATCH)

    def watched(self):
        """The page's observations so far, as `(seconds, number, output)`, even if the test itself was delayed."""
        looks = [(look["now"] / 1000, number_in(look["levels"]), look["output"])
                 for look in self.page.evaluate("endLooks()")]
        # None means that no frame, or more than one, was visible; NaN is a time before the preview started.
        return [look for look in looks if look[1] is not None and look[2] == look[2]]

    def watched_outputs(self):
        """The preview's output times so far, one of each animation frame, and the map's maximum at each."""
        looks = self.page.evaluate("endLooks()")
        return [(look["output"], look["maximum"]) for look in looks if look["output"] == look["output"]]

    def requests(self):
        """The addresses that the page asks for from now on."""
        asked = []

        def note(request):
            asked.append(request.url)
        self.page.on("request", note)
        self.addCleanup(self.page.remove_listener, "request", note)
        return asked

    # Acting

    def drop(self, path):
        data = base64.b64encode(path.read_bytes()).decode()
        self.page.evaluate(DROP, [path.name, data])

    def bring(self, path):
        """Drops a file, and waits until it is the source."""
        self.drop(path)
        self.becomes("#source-name", path.name)

    def use_clip(self):
        """Puts the clip with barcodes into the source player and waits until it can play."""
        if self.page.locator("#source-name").text_content() != self.clip.name:
            self.page.locator("#media button.pick", has_text=self.clip.name).click()
        self.page.wait_for_function("""(name) => {
            const of = (id) => document.getElementById(id);
            return of("source-name").textContent === name && of("source-video").readyState >= 2
                && of("figure-length").textContent !== "–";
        }""", arg=self.clip.name)

    def choose_curve(self, name):
        self.page.locator("#curve-menu label").get_by_text(name, exact=True).click()

    def set_number(self, name, value):
        field = self.page.get_by_role("spinbutton", name=f"{name} value", exact=True)
        field.fill(str(value))
        field.press("Enter")

    def use_settings(self, row):
        """Takes the settings of a render, by its row in the list."""
        row.locator(".more summary").click()
        row.get_by_role("button", name="Use its settings").click()

    def region(self, name):
        return self.page.get_by_role("region", name=name, exact=True)

    def render(self):
        """Renders the current draft, and waits for the result in the player."""
        rows = self.page.locator("#renders > li")
        before = rows.count()
        # A short render may have ended before the response arrives, after which the page plays it.
        is_created = lambda answer: answer.url.endswith("/api/renders") and answer.status == 201
        with self.page.expect_response(is_created) as answer:
            self.page.get_by_role("button", name="Render", exact=True).click()
        answer.value.finished()
        self.page.evaluate("new Promise((done) => setTimeout(done))")
        self.until(lambda: rows.count() > before)
        self.wait_until(
            "!document.querySelector('#renders > .running, #renders > .queued')")
        self.wait_until("document.getElementById('result-video').readyState >= 2")
