"""The plainest web server: it serves whole files, without ranges or compression."""

import functools
import re
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TOOLS = Path(__file__).parent / "tools"


SCRIPTS = "/-test/scripts.js"


def with_script(page, script):
    """A page that runs a script before its own. Not every browser's driver can add one."""
    return re.sub(r"(<meta charset=[^>]*>)", lambda found: found[0] + script, page, count=1)


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript", ".m4s": "video/iso.segment", ".vtt": "text/vtt",
    }

    def translate_path(self, path):
        if path.startswith("/-test/"):
            return str(TOOLS / Path(path).name)
        return super().translate_path(path)

    def do_GET(self):
        self.server.requests.append(self.path)
        self.server.held.wait(self.path)
        if any(part in self.path for part in self.server.broken):
            self.send_error(503)
        elif self.path == SCRIPTS:
            self._send(";".join(self.server.scripts), "text/javascript")
        elif self.path == "/" and self.server.scripts:
            page = (Path(self.directory) / "index.html").read_text()
            self._send(with_script(page, f'<script src="{SCRIPTS}"></script>'), "text/html")
        else:
            super().do_GET()

    def end_headers(self):
        # What is held or broken must be asked for, whatever tests before have loaded.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def do_POST(self):
        self.server.requests.append(f"POST {self.path}")
        self.send_error(405)

    def _send(self, text, kind):
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Held:
    """Requests that are to wait: those whose path contains a part that is held."""

    def __init__(self):
        self._parts, self._changed = set(), threading.Condition()

    def add(self, part):
        self._parts.add(part)

    def clear(self):
        with self._changed:
            self._parts.clear()
            self._changed.notify_all()

    def wait(self, path):
        with self._changed:
            self._changed.wait_for(lambda: not any(part in path for part in self._parts))


class Server:
    """Serves a folder on the loopback interface until `close`.

    `requests` lists the requested paths, those of POST with that word before them. A request fails if its path contains a
    part that is in `broken`, and waits as long as it contains one that is in `held`. The scripts in `scripts` run in the
    first page before its own.
    """

    def __init__(self, folder):
        handler = functools.partial(_Handler, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.requests, self._server.broken, self._server.scripts = [], set(), []
        self._server.held = Held()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_port}/"

    @property
    def requests(self):
        return self._server.requests

    @property
    def broken(self):
        return self._server.broken

    @property
    def held(self):
        return self._server.held

    @property
    def scripts(self):
        return self._server.scripts

    def close(self):
        self.held.clear()
        self._server.shutdown()
        self._server.server_close()
