"""A package that depends on all products of the library, as its users have one, and on Examples/library.

Building it plainly compiles the whole library again, which takes minutes. So its build is only
planned, and its programs are linked with what `make build` has built. TEST_GUESTS=whole builds it
plainly.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import guides
from built import C_MODULES, ROOT, build_program, compile_swift, swift

FOLDER = ROOT / ".build/test-guest"
EXAMPLE = ROOT / "Examples/library"
PRODUCTS = [
    "Alignment", "Documents", "Exchange", "Overview", "Playback", "Plotting", "Stories", "TimeMaps",
    "TimeWarp", "Verification",
]
IS_WHOLE = os.environ.get("TEST_GUESTS") == "whole"

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let products = %s
let package = Package(
    name: "Guest",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "timewarp", path: "%s"), .package(path: "%s")],
    targets: [
        .executableTarget(
            name: "Guest",
            dependencies: products.map { .product(name: $0, package: "timewarp") } + [
                .product(name: "WarpWithClosures", package: "library")
            ])
    ]
)
"""


def write(path, text):
    """Writes a file only if its text has changed, so that an unchanged file isn't built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class GuestPackage(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp(prefix="timewarp-guest-"))
        self.addCleanup(shutil.rmtree, self.scratch)

    def run_in(self, folder, *words, seconds=600):
        """What the command prints, and what it prints to stderr."""
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=seconds)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        return done.stdout, done.stderr

    def write_package(self):
        write(FOLDER / "Package.swift", MANIFEST % (json.dumps(PRODUCTS), ROOT, EXAMPLE))
        if not (FOLDER / "Sources/Guest/main.swift").exists():
            write(FOLDER / "Sources/Guest/main.swift", "")

    def programs(self):
        """The paths of the guest's program and of the example package's program."""
        sources = guides.write_examples(self.scratch / "examples")
        if not IS_WHOLE:
            build_program(self.scratch / "Guest", *sources)
            build_program(self.scratch / "WarpWithClosures", *EXAMPLE.glob("Sources/*/*.swift"))
            return [self.scratch / "Guest", self.scratch / "WarpWithClosures"]
        self.write_package()
        for source in sources:
            write(FOLDER / "Sources/Guest" / source.name, source.read_text())
        self.run_in(FOLDER, swift(), "build", seconds=3600)
        return [FOLDER / ".build/debug/Guest", FOLDER / ".build/debug/WarpWithClosures"]

    def test_it_fetches_two_packages_and_its_build_is_planned(self):
        # Build products stay for the next run, but dependencies are resolved again.
        (FOLDER / "Package.resolved").unlink(missing_ok=True)
        self.write_package()
        self.run_in(FOLDER, swift(), "package", "resolve")
        pins = json.loads((FOLDER / "Package.resolved").read_text())["pins"]
        self.assertEqual(
            sorted(pin["identity"] for pin in pins), ["swift-collections", "swift-log"])
        self.run_in(FOLDER, swift(), "build", "--print-manifest-job-graph")

    def test_the_c_libraries_can_be_indexed_beside_foundation(self):
        # A plain build in debug also indexes what it imports, and then Swift compares all declarations.
        lines = "".join(f"import {name}\n" for name in ["Foundation", *C_MODULES])
        (self.scratch / "imports.swift").write_text(lines)
        compile_swift(
            "-c", self.scratch / "imports.swift", "-o", self.scratch / "imports.o",
            "-index-store-path", self.scratch / "index")

    def test_its_programs_use_every_product_and_the_guides_examples_run(self):
        guest, closures = self.programs()
        guides.write_inputs(self.scratch / "inputs")
        runs = self.scratch / "runs"
        runs.mkdir()
        said, logged = self.run_in(runs, guest, self.scratch / "inputs")
        # FFmpeg's log is the process's own until the program has it captured.
        self.assertEqual(logged.count("moov atom not found"), 1, logged)
        self.assertRegex(said, r"damaged: (?!.*moov)")
        self.assertRegex(said, "damaged, with FFmpeg's words: .*moov atom not found")
        self.assertIn("plotting: -1.0", said)
        self.assertIn("guide Compositions: done", said)
        self.run_in(runs, closures, self.scratch / "inputs/in.mp4", "closures.mp4")
        self.assertTrue((runs / "closures.mp4").exists())


class OwnPackage(unittest.TestCase):
    def test_the_manifest_has_what_fuzzing_and_the_benchmarks_build(self):
        for variable, target in (("TIMEWARP_FUZZING", "fuzz"), ("TIMEWARP_BENCHMARKS", "MediaKernels")):
            with self.subTest(variable):
                described = subprocess.run(
                    [swift(), "package", "dump-package"], cwd=ROOT, env={**os.environ, variable: "1"}, check=True,
                    stdout=subprocess.PIPE).stdout
                self.assertIn(target, [each["name"] for each in json.loads(described)["targets"]])


if __name__ == "__main__":
    unittest.main()
