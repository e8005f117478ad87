"""A package that depends on the library, as the library's users have one."""

import json
import os
import subprocess
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


def write(path, text):
    """Writes a file only if its text has changed, so that an unchanged file isn't built again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class GuestPackage(unittest.TestCase):
    def swift(self, folder, *words):
        swift = os.environ.get("SWIFT", "swift")
        done = subprocess.run([swift, *words], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        return done.stdout

    def test_it_fetches_two_packages_builds_and_runs(self):
        # Build products stay for the next run, but dependencies are resolved again.
        folder = ROOT / ".build/test-guest"
        sources = folder / "Sources/Guest"
        sources.mkdir(parents=True, exist_ok=True)
        (folder / "Package.resolved").unlink(missing_ok=True)
        write(folder / "Package.swift", MANIFEST % ROOT)
        write(sources / "main.swift", PROGRAM)
        self.swift(folder, "package", "resolve")
        pins = json.loads((folder / "Package.resolved").read_text())["pins"]
        self.assertEqual(
            sorted(pin["identity"] for pin in pins), ["swift-collections", "swift-log"])
        self.swift(folder, "build", "--disable-index-store")
        done = subprocess.run([folder / ".build/debug/Guest"], capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["1.5", "true"])


if __name__ == "__main__":
    unittest.main()
