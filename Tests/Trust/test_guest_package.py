"""A package that depends on the library, as its users have one."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Guest",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "timewarp", path: "%s")],
    targets: [
        .executableTarget(
            name: "Guest", dependencies: [.product(name: "TimeWarp", package: "timewarp")])
    ]
)
"""

PROGRAM = """import TimeWarp

let map = try BuiltInCurve.triangle.timeScale(factor: 3, modifier: 0.5)
print(map.integral(to: 1))
do {
    _ = try Asset(at: "none.mp4")
} catch let error as MediaError {
    print(error.code == .noInput)
}
"""


class GuestPackage(unittest.TestCase):
    def swift(self, folder, *words):
        swift = os.environ.get("SWIFT", "swift")
        done = subprocess.run([swift, *words], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        return done.stdout

    def test_it_fetches_two_packages_builds_and_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = Path(folder) / "Sources/Guest"
            sources.mkdir(parents=True)
            (Path(folder) / "Package.swift").write_text(MANIFEST % ROOT)
            (sources / "main.swift").write_text(PROGRAM)
            self.swift(folder, "package", "resolve")
            pins = json.loads((Path(folder) / "Package.resolved").read_text())["pins"]
            self.assertEqual(
                sorted(pin["identity"] for pin in pins), ["swift-collections", "swift-log"])
            printed = self.swift(folder, "run", "--quiet")
            self.assertEqual(printed.split(), ["1.5", "true"])


if __name__ == "__main__":
    unittest.main()
