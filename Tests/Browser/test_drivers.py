"""What drives Firefox and WebKit: a browser that hangs ends a test, not the run."""

import socket
import unittest
from unittest import mock

import webdriver
from webdriver import Firefox, Program, WebDriverError, WebKit


class HangingBrowser(unittest.TestCase):
    """Something that takes connections and never answers."""

    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listener.close)
        patience = mock.patch.object(webdriver, "SECONDS_TO_ANSWER", 0.2)
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
        driver._socket = socket.create_connection(("127.0.0.1", self.port), timeout=0.2)
        for _ in range(2):
            with self.assertRaises(WebDriverError):
                driver.command("Refresh")

    def test_webkit(self):
        driver = WebKit.__new__(WebKit)
        driver._program, driver._port, driver._session = self.program, self.port, "/session/1"
        for _ in range(2):
            with self.assertRaises(WebDriverError):
                driver.command("Refresh")


if __name__ == "__main__":
    unittest.main()
