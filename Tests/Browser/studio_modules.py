"""Imports the studio's modules into a page without the studio's server. Tests make the responses here."""

import functools
import json
import math
import shutil
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

from engines import DRIVEN, ENGINE
from server import Server
from shared import PATIENCE, browser, closing
from story import ROOT, timewarp

PAGES = ROOT / "Sources/Pages"
SAMPLES = 512


def from_program(*options, duration=10, start=0, title="from the program"):
    """An evaluation of a curve over the source, with the numbers of `timewarp plot`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "curve.json"
        timewarp("plot", *options, "--duration", str(duration), "-o", path)
        plot = json.loads(path.read_text())
    places = [sample["u"] for sample in plot["samples"]]
    scale = [sample["scale"] for sample in plot["samples"]]
    landed = [duration * sample["integral"] for sample in plot["samples"]]
    return _evaluation(
        title, "source", places, [1 / s for s in scale], landed,
        [duration * u for u in places], duration, start)


def over_output(speed, title="over output"):
    """An evaluation of a speed curve over the output. The source times follow from the speeds.

    At speed 1, a second of output shows a second of source.
    """
    count = 2 * SAMPLES
    places = [i / count for i in range(count + 1)]
    sums = [0]
    for a, b in zip(places, places[1:]):
        # Simpson's rule is exact enough for straight lines and for smooth curves.
        middle = 4 * speed((a + b) / 2)
        sums.append(sums[-1] + (speed(a) + middle + speed(b)) * (b - a) / 6)
    low, high = min(sums), max(sums)
    seconds = 10 / (high - low)
    source = [(each - low) * seconds for each in sums]
    return _evaluation(title, "output", places, [speed(u) for u in places],
                       [seconds * u for u in places], source, 10, 0)


def _evaluation(title, over, places, speed, output, source, duration, start):
    scale = [None if v == 0 else 1 / v for v in speed]
    known = [s for s in scale if s is not None]
    return {
        "title": title, "sourceStart": start, "sourceDuration": duration,
        "outputDuration": output[-1], "frames": round(30 * output[-1]), "averageFrameRate": 30,
        "minimum": min(known), "maximum": None if None in scale else max(known),
        "curve": {"over": over, "u": places, "scale": scale, "speed": speed},
        "map": {"output": output, "source": source},
        "rising": all(a <= b for a, b in zip(source, source[1:])),
        "warnings": [], "command": "timewarp warp clip.mp4 -o clip-warped.mp4", "curveFile": None,
    }


def waveform(columns=2000):
    """A tone that swells eight times."""
    loud = [abs(math.sin(8 * math.pi * i / columns)) * 0.9 for i in range(columns)]
    return {"minimum": [-each for each in loud], "maximum": loud}


def strip_png(path, count=24, width=16, height=9):
    """Frames side by side. Frame n has the grey 10·n, so that frames can be told apart."""
    line = b"\0" + b"".join(bytes([10 * n]) * width for n in range(count))
    header = struct.pack(">IIBBBBB", count * width, height, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(line * height)), (b"IEND", b"")]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks))
    return {"url": f"/{path.name}", "count": count, "width": width, "height": height}


@functools.cache
def modules_server():
    """A server of the studio's files, and the description of the film strip that it serves."""
    folder = Path(tempfile.mkdtemp(prefix="studio-modules-"))
    closing.callback(shutil.rmtree, folder)
    shutil.copytree(PAGES, folder, dirs_exist_ok=True)
    strip = strip_png(folder / "strip.png")
    server = Server(folder)
    closing.callback(server.close)
    return server, strip


@functools.cache
def harness_pages():
    """The pages that all tests share, by the options of their browser contexts."""
    return {}


def close_harness_pages():
    for page in harness_pages().values():
        page.context.close()
    harness_pages().clear()


class ModulesTest(unittest.TestCase):
    """A test with the studio's files on a plain server, in a page that other tests use too."""

    errors = []  # of all pages

    @classmethod
    def setUpClass(cls):
        cls.server, cls.strip = modules_server()
        if ENGINE in DRIVEN:
            # They have one page at a time.
            cls.addClassCleanup(close_harness_pages)

    def setUp(self):
        self.errors.clear()

    def tearDown(self):
        self.assertEqual(self.errors, [])

    def open(self, width=960, height=900, color_scheme="light", **options):
        """Resets the page. It is loaded only if no test has asked for the same browser options before."""
        pages, kind = harness_pages(), json.dumps([color_scheme, options])
        size = {"width": width, "height": height}
        if kind not in pages:
            if ENGINE in DRIVEN:
                close_harness_pages()
            pages[kind] = browser().new_context(viewport=size, color_scheme=color_scheme, **options).new_page()
            self._watch(pages[kind])
            pages[kind].goto(self.server.url + "-test/plot-harness.html")
            pages[kind].wait_for_function("() => window.harness")
        self.page = pages[kind]
        self.page.set_viewport_size(size)
        self.page.mouse.move(0, 0)
        self.page.evaluate("() => harness.renew()")
        return self.page

    def _watch(self, page):
        errors = self.errors
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type == "error"
                and errors.append(message.text))
