"""Compiles programs against the library that `make build` has built: seconds, not minutes."""

import json
import os
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The modules of the library's products, and those of other packages that they use.
MODULES = [
    "Alignment", "Documents", "Exchange", "Media", "Overview", "Playback", "Plotting", "Stories",
    "StoryBuilding", "TimeMaps", "TimeWarp", "Verification", "Pages",
    "ContainersPreview", "DequeModule", "InternalCollectionsUtilities", "Logging",
    "OrderedCollections",
]
C_MODULES = ["CLibAV", "CCairo", "CLibXML2"]
C_LIBRARIES = [
    "libavformat", "libavcodec", "libavutil", "libswscale", "libswresample", "cairo", "libxml-2.0",
]
CACHE = ROOT / ".build/test-guest/module-cache"


def folder():
    """The folder of the program under test, with the modules and objects it was linked from."""
    return Path(os.environ["TIMEWARP"]).resolve().parent


def swift():
    return os.environ.get("SWIFT", "swift")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_swift(*words):
    """Runs the compiler that belongs to the swift command, with the modules of the C libraries."""
    target = json.loads(output(swift(), "-print-target-info"))
    compiler = Path(target["paths"]["runtimeResourcePath"]) / "../../bin/swiftc"
    maps = list(ROOT.glob("Sources/*/module.modulemap"))
    extra = [f"-fmodule-map-file={path}" for path in maps]
    extra += shlex.split(output("pkg-config", "--cflags-only-I", *C_LIBRARIES))
    command = [compiler, "-swift-version", "6", "-module-cache-path", CACHE, *words]
    for word in extra:
        command += ["-Xcc", word]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"doesn't compile:\n{done.stdout}{done.stderr}"[-6000:])


def build_program(path, *sources):
    """Compiles a program, and links it with the library's objects."""
    objects = [file for name in MODULES for file in folder().glob(f"{name}.build/**/*.o")]
    compile_swift(
        "-Onone", "-suppress-warnings", "-module-name", "Guest", "-I", folder() / "Modules",
        *sources, *objects, "-o", path, *shlex.split(output("pkg-config", "--libs", *C_LIBRARIES)))
