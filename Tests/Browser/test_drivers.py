"""What drives Firefox and WebKit: a browser that hangs ends a test, not the run."""

import http.server
import socket
import threading
import unittest
from unittest import mock

import webdriver
from webdriver import Firefox, Program, WebDriverError, WebKit


class HangingBrowser(unittest.TestCase):
    """Something that takes connections and never answers."""

    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listener.close)
        for each in ("SECONDS_TO_ANSWER", "SECONDS_TO_START_WEBKIT"):
            patience = mock.patch.object(webdriver, each, 1)
            patience.start()
            self.addCleanup(patience.stop)
        self.program = Program(["sleep", "600"])
        self.addCleanup(self.program.end)

    @property
    def port(self):
        return self.listener.getsockname()[1]

    def test_firefox(self):
        driver = Firefox.__new__(Firefox)
        driver._program, driver._bytes, driver._count = self.program, b"", 0
        driver._socket = socket.create_connection(("127.0.0.1", self.port), timeout=1)
        for _ in range(2):
            with self.assertRaises(WebDriverError):
                driver.command("Refresh")

    def test_webkit(self):
        driver = WebKit.__new__(WebKit)
        driver._program, driver._port, driver._session = self.program, self.port, "/session/1"
        for _ in range(2):
            with self.assertRaises(WebDriverError):
                driver.command("Refresh")

    def test_a_webkit_that_does_not_start_is_started_again(self):
        class Answering(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"value": {"sessionId": "2"}}')

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Answering)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        driver = WebKit.__new__(WebKit)
        driver._program, driver._port, driver._session = self.program, self.port, None

        def start():
            driver._program, driver._port = Program(["sleep", "600"]), server.server_port
            self.addCleanup(driver._program.end)

        with mock.patch.object(driver, "_start", start):
            driver.renew()
        self.assertEqual(driver._session, "/session/2")


if __name__ == "__main__":
    unittest.main()
