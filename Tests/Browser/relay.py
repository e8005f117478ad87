"""A server between a browser and the server of a page, for browsers whose drivers don't watch, hold or answer requests, or
run scripts before a page's own. Requests, routes and responses have those of Playwright's methods that the tests use.
"""

import http.client
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps, loads

from server import TOOLS, with_script

BLANK, SCRIPTS = "/-test/blank.html", "/-test/before.js"
# What concerns one connection, and isn't passed on.
OWN_HEADERS = {"connection", "keep-alive", "transfer-encoding", "content-length"}
PART = 1 << 16


def matcher(pattern):
    """A test of addresses: a function is one; in a text, `*` is anything but a slash, and `**` is anything."""
    if callable(pattern):
        return pattern
    parts = re.split(r"(\*\*?)", pattern)
    kinds = {"**": ".*", "*": "[^/]*"}
    expression = re.compile("".join(kinds.get(part) or re.escape(part) for part in parts))
    return lambda exchange: expression.fullmatch(exchange.url) is not None


class Request:
    def __init__(self, method, url, body):
        self.method, self.url, self._body = method, url, body

    @property
    def post_data_json(self):
        return loads(self._body)


class Response:
    def __init__(self, url, status, headers=(), body=b""):
        self.url, self.status, self.headers, self.body = url, status, list(headers), body

    def text(self):
        return self.body.decode()

    def header_value(self, name):
        return next((value for each, value in self.headers if each.lower() == name), None)

    def finished(self):
        """Responses are told of once they have been passed on."""


class Route:
    """A request that waits until it is decided what becomes of it."""

    def __init__(self, request, fetch):
        self.request, self._fetch = request, fetch
        self._decided = threading.Event()
        self._answer = None

    def fetch(self):
        """The server's response, which isn't passed on yet."""
        return self._fetch()

    def continue_(self):
        self._decide(self._fetch)

    def fulfill(self, response=None, status=200, json=None, body=""):
        if response is None:
            kind = "text/plain" if json is None else "application/json"
            data = (body if json is None else dumps(json)).encode()
            response = Response(self.request.url, status, [("Content-Type", kind)], data)
        self._decide(lambda: response)

    def abort(self):
        self._decide(lambda: None)

    def _decide(self, answer):
        self._answer = answer
        self._decided.set()

    def wait(self):
        """The response; None if the request breaks off."""
        self._decided.wait()
        return self._answer()


@dataclass
class Rules:
    """What becomes of the requests of a page."""

    # What runs before the page's own scripts.
    scripts: list = field(default_factory=list)
    # Pairs of a matcher and a function that is given the `Route` of a request. The last that matches decides.
    routes: list = field(default_factory=list)
    # Functions that are called with each request, and with each response that was passed on.
    on_request: list = field(default_factory=list)
    on_response: list = field(default_factory=list)


class Relay:
    """Passes on what a browser asks of a server on this machine, by the `rules` of the page that it shows."""

    def __init__(self, target):
        self.target, self.rules = target, Rules()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.relay = self
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def netloc(self):
        return f"127.0.0.1:{self._server.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _rules(self):
        return self.server.relay.rules

    def _answer(self):
        if self.path == BLANK:
            self._send(200, [("Content-Type", "text/html")], (TOOLS / "blank.html").read_bytes())
        elif self.path == SCRIPTS:
            script = ";".join(self._rules.scripts)
            self._send(200, [("Content-Type", "text/javascript; charset=utf-8")], script.encode())
        else:
            self._exchange()

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = _answer

    def _exchange(self):
        rules = self._rules
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = Request(self.command, f"http://{self.server.relay.target}{self.path}", body)
        for act in list(rules.on_request):
            act(request)
        decide = next((act for is_meant, act in reversed(rules.routes) if is_meant(request)), None)
        if decide:
            route = Route(request, lambda: self._whole(body))
            decide(route)
            response = route.wait()
            if response is None:
                self.close_connection = True
                return
            self._send(response.status, response.headers, response.body)
        else:
            response = self._pass_on(body)
        for act in list(rules.on_response):
            act(Response(request.url, response.status, dict(response.headers).items()))

    def _ask(self, body):
        """The server's response, which is still to be read."""
        relay = self.server.relay
        headers = {name: value.replace(relay.netloc, relay.target) for name, value in self.headers.items()
                   if name.lower() not in OWN_HEADERS}
        if self._is_page():
            # A page that the browser has kept may have been given other scripts.
            headers = {name: value for name, value in headers.items() if not name.lower().startswith("if-")}
        if body or self.command in ("POST", "PUT"):
            headers["Content-Length"] = str(len(body))
        connection = http.client.HTTPConnection(relay.target)
        connection.request(self.command, self.path, body or None, headers)
        return connection, connection.getresponse()

    def _is_page(self):
        return self.command == "GET" and self.headers.get("Accept", "").startswith("text/html")

    def _whole(self, body):
        connection, response = self._ask(body)
        try:
            return Response(self.path, response.status, self._kept(response), response.read())
        finally:
            connection.close()

    def _kept(self, response):
        return [(name, value) for name, value in response.getheaders() if name.lower() not in OWN_HEADERS]

    def _pass_on(self, body):
        connection, response = self._ask(body)
        try:
            kind = response.headers.get("Content-Type", "")
            if self._is_page() and kind.startswith("text/html"):
                page = with_script(response.read().decode(), f'<script src="{SCRIPTS}"></script>')
                self._send(response.status, self._kept(response), page.encode())
                return response
            length = response.headers.get("Content-Length")
            has_body = self.command != "HEAD" and response.status not in (204, 304)
            self.send_response_only(response.status)
            for name, value in self._kept(response):
                self.send_header(name, value)
            if length is not None:
                self.send_header("Content-Length", length)
            elif has_body:
                # The end of the connection is the end of the response, as of events, which never end.
                self.send_header("Connection", "close")
                self.close_connection = True
            self.end_headers()
            while has_body and (part := response.read1(PART)):
                self.wfile.write(part)
                self.wfile.flush()
            return response
        finally:
            connection.close()

    def _send(self, status, headers, body):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle(self):
        # The browser may leave, and the server may end, at any time.
        try:
            super().handle()
        except (OSError, http.client.HTTPException):
            self.close_connection = True

    def log_message(self, *_):
        pass
