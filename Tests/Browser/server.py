"""The plainest web server: it serves whole files, without ranges or compression."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TOOLS = Path(__file__).parent / "tools"


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
        if any(part in self.path for part in self.server.broken):
            self.send_error(503)
            return
        super().do_GET()

    def log_message(self, *_):
        pass


class Server:
    """Serves a folder on the loopback interface until `close`.

    `requests` lists the requested paths. A request fails if its path contains a part that is in `broken`.
    """

    def __init__(self, folder):
        handler = functools.partial(_Handler, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.requests, self._server.broken = [], set()
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

    def close(self):
        self._server.shutdown()
        self._server.server_close()
