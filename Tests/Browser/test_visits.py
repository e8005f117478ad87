"""What authors learn of visits: a log by `story play --log`, an address of their own, and the counts in the graph."""

import json
import os
import subprocess
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from browser import QUICK, PlayerTest, offered
from server import Server
from shared import poll, story
from story import BUILD, ROOT, timewarp
from studio import INTERRUPTED, ServedPage

PROGRAM = os.environ.get("TIMEWARP", ROOT / ".build/release/timewarp")


# A story that tells an address of its visits, once it has one. `story()` has its clip.
TELLING = {
    "timewarp": "story/1", "title": "A telling story", "start": "prologue",
    "segments": {
        "prologue": {"range": ["0", "0.5"], "role": "prologue", "then": "door"},
        "door": {
            "range": ["1.5", "2.5"], "events": [{"at": "1.7", "do": "showControls"}],
            "choices": [{"label": "Walk away", "goto": "tower"}]},
        "tower": {"range": ["6.1", "7"], "role": "epilogue"},
    },
}


class _Collector(BaseHTTPRequestHandler):
    """The author's server: it keeps the bodies that it is sent."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.bodies.append((self.path, self.headers.get_content_type(), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Visits(PlayerTest):
    def setUp(self):
        super().setUp()
        folder = TemporaryDirectory(prefix="visits-")
        self.addCleanup(folder.cleanup)
        self.log = Path(folder.name) / "visits.jsonl"

    def played(self):
        """The address of the story, served with a log."""
        served = ServedPage("story", "play", story() / "film", "--log", self.log, "--no-open")
        self.addCleanup(lambda: self.assertIn(served.close(), (0, INTERRUPTED)))
        return served.url

    def lines(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def wait_for(self, kind, count=1):
        poll(lambda: sum(line["type"] == kind for line in self.lines()) >= count, f"no {kind} in the log")

    def test_a_visit_is_written_down_and_drawn(self):
        self.open_page(self.played())
        self.begin(moves=[offered("door", "o"), offered("hall", "2"), offered("garden", "1")], speed=QUICK)
        self.wait("tower", "ended")
        self.wait_for("end")
        self.page.locator("#card").get_by_role("button", name="Back").click()
        self.wait_for("back")
        lines = self.lines()
        self.assertEqual(len({line["visit"] for line in lines}), 1)
        self.assertEqual({line["story"] for line in lines}, {self.manifest["id"]})
        self.assertEqual(sorted(lines, key=lambda line: line["at"]), lines)
        told = [{key: value for key, value in line.items() if key not in ("visit", "story", "at", "time")}
                for line in lines]
        loops = [line for line in told if line.get("by") == "loop"]
        self.assertEqual([line for line in told if line.get("by") != "loop"], [
            {"type": "start", "segment": "prologue"},
            {"type": "way", "from": "prologue", "to": "door", "by": "then"},
            {"type": "choice", "segment": "door", "choice": 0, "label": "Open it"},
            {"type": "event", "segment": "door", "name": "knock"},
            {"type": "way", "from": "door", "to": "hall", "by": "choice", "choice": 0},
            {"type": "choice", "segment": "hall", "choice": 1, "label": "Out to the garden"},
            *[line for line in told if line.get("name") == "echo"],
            {"type": "way", "from": "hall", "to": "garden", "by": "choice", "choice": 1},
            {"type": "choice", "segment": "garden", "choice": 0, "label": "The tower"},
            {"type": "way", "from": "garden", "to": "tower", "by": "choice", "choice": 0},
            {"type": "end", "segment": "tower"},
            {"type": "back", "segment": "garden"},
        ], loops)
        knock = next(line for line in lines if line.get("name") == "knock")
        # It is told with the first frame that is shown then, before the segment decides.
        self.assertTrue(1 <= knock["time"] < 1.7)
        # The graph has the counts, and a torn last line is left out.
        with self.log.open("a") as file:
            file.write('{"visit":"00')
        graph = self.log.with_suffix(".svg")
        result = subprocess.run(
            [PROGRAM, "story", "check", story() / "test.json", "--graph", graph, "--log", self.log],
            check=True, capture_output=True, text=True)
        self.assertIn(f"visits.jsonl:{len(lines) + 1}: the last line is incomplete", result.stderr)
        svg = graph.read_text()
        self.assertIn("1 visit<", svg)
        self.assertIn("Open it · 1 (100 %)", svg)
        self.assertIn("Walk away [cou… · 0 (0 %)", svg)
        self.assertIn(">1×, 1 ended<", svg)
        # The next time, the torn line is removed from the file.
        self.open_page(self.played())
        self.assertEqual(self.lines(), lines)

    def test_the_log_takes_only_valid_lines_from_its_own_page(self):
        url = self.played()
        line = {"visit": "0123456789abcdef", "story": "x", "at": "2026-03-01T10:00:00Z",
                "type": "start", "segment": "door"}

        def send(body, **headers):
            try:
                request = Request(url + "visits", body.encode(), method="POST", headers=headers)
                with urlopen(request) as response:
                    return response.status
            except HTTPError as error:
                with error:
                    return error.code
        good = json.dumps(line)
        self.assertEqual(send(good + "\n" + good), 204)
        self.assertEqual(self.lines(), [line, line])
        self.assertEqual(send(good + "\n{}"), 400, "all or nothing")
        self.assertEqual(send(good, Origin="http://example.org"), 403)
        self.assertEqual(send(good + " " * 70_000), 413)
        with self.assertRaises(HTTPError) as refused:
            urlopen(url + "visits")
        self.assertEqual(refused.exception.code, 405)
        refused.exception.close()
        self.assertEqual(self.lines(), [line, line])

    def test_another_file_is_never_appended_to(self):
        for content in ("{}\n", "notes", "x" * 20_000):
            self.log.write_text(content)
            result = subprocess.run(
                [PROGRAM, "story", "play", story() / "film", "--log", self.log, "--no-open"],
                capture_output=True, text=True)
            self.assertIn("it isn't a log of visits", result.stderr)
            self.assertNotEqual(result.returncode, 0)
            self.assertEqual(self.log.read_text(), content)

    def test_a_log_whose_only_line_is_torn_is_begun_anew(self):
        self.log.write_text('{"at":"2026-03-01T10:0')
        self.open_page(self.played())
        self.begin()
        self.wait_for("start")
        self.assertEqual(self.lines()[0]["type"], "start")

    def test_an_authors_address_gets_beacons_and_nothing_else_leaves_the_page(self):
        collector = ThreadingHTTPServer(("127.0.0.1", 0), _Collector)
        collector.bodies = []
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        self.addCleanup(collector.server_close)
        self.addCleanup(collector.shutdown)
        address = f"http://127.0.0.1:{collector.server_port}/v?film=1"
        telling = self.log.parent / "telling.json"
        clip = {"media": str(story() / "clip.mov")}
        segments = {name: {**clip, **each} for name, each in TELLING["segments"].items()}
        telling.write_text(json.dumps({**TELLING, "segments": segments, "analytics": address}))
        checked = timewarp("story", "check", telling, "--without-media")
        self.assertIn("note: analytics: The page sends what viewers choose", checked)
        film = self.log.parent / "film"
        timewarp(*BUILD, telling, "-o", film)
        page = (film / "index.html").read_text()
        self.assertIn(f"connect-src 'self' http://127.0.0.1:{collector.server_port};", page)
        server = Server(film)
        self.addCleanup(server.close)
        self.open_page(server.url)
        self.begin(moves=[offered("door", "1")])
        self.wait("door", "locked")
        # What waits is sent when the viewer leaves.
        self.page.reload()
        poll(lambda: "Walk away" in "".join(body for _, _, body in collector.bodies), "no choice was sent")
        self.assertEqual({(path, kind) for path, kind, _ in collector.bodies}, {("/v?film=1", "text/plain")})
        lines = [json.loads(line) for _, _, body in collector.bodies for line in body.splitlines()]
        self.assertEqual([line["type"] for line in lines][:3], ["start", "way", "choice"])
        self.assertTrue(all(set(line) <= {
            "visit", "story", "at", "type", "segment", "from", "to", "by", "choice", "label", "name", "time",
        } for line in lines))


class Silence(PlayerTest):
    before_load = """
        globalThis.beacons = [];
        navigator.sendBeacon = (...given) => beacons.push(given);
    """

    def test_by_default_nothing_is_sent(self):
        self.open_saved("hall")
        self.begin("Resume", [offered("hall", "1")], QUICK)
        self.wait("tower", "ended")
        self.page.evaluate("dispatchEvent(new Event('pagehide'))")
        self.assertEqual(self.page.evaluate("beacons"), [])
        # Another way to send something would be a request that isn't for a file of the story.
        files = {"/" + str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}
        asked = {path for path in self.server.requests if not path.startswith("/-test/")}
        # Browsers themselves ask for an icon.
        self.assertEqual(asked - files - {"/favicon.ico"}, {"/"})


if __name__ == "__main__":
    unittest.main()
