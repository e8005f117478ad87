"""Runs commands and interrupts them: by signals at any instant, and by failing disks.

`python interruption.py` does it many times over and prints counts; test_interruption.py takes a few
moments that are told by how much has been computed. TIMEWARP names the program.
"""

import collections
import contextlib
import errno
import functools
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("TIMEWARP", str(ROOT / ".build/release/timewarp"))
SECONDS = 4

# Each command reads files of the folder that it runs in. Its output is named after -o.
FAST = ["--preset", "ultrafast", "--progress", "none"]
COMMANDS = {
    "warp": ["warp", "in.mp4", "-o", "out.mp4", *FAST],
    # Little memory, so that frames are spilled to disk.
    "reverse": ["reverse", "in.mp4", "-o", "out.mkv", "--memory", "1MiB", *FAST],
    "copy": ["copy", "in.mp4", "-o", "out.mkv"],
    "stretch": ["stretch", "in.wav", "-o", "out.wav", "--by", "+500ms", "--progress", "none"],
    "compose": ["compose", "in.mp4", "b.mp4", "-o", "out.mp4", *FAST],
    "story": ["story", "build", "story.json", "-o", "out", "--preset", "ultrafast",
              "--progress", "none"],
}


def ffmpeg(*arguments):
    return subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y", *map(str, arguments)],
        check=True, capture_output=True, text=True)


def make_inputs(folder):
    """Makes the inputs: two clips, a recording and a story, of a few seconds."""
    for name, frequency in (("in.mp4", 440), ("b.mp4", 660)):
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=192x108:rate=30:duration={SECONDS}",
               "-f", "lavfi", "-i", f"sine=frequency={frequency}:duration={SECONDS}",
               "-c:v", "libx264", "-preset", "ultrafast", "-g", "60", "-pix_fmt", "yuv420p",
               "-c:a", "aac", folder / name)
    ffmpeg("-f", "lavfi", "-i", "sine=frequency=330:duration=240", "-c:a", "pcm_s16le",
           folder / "in.wav")
    (folder / "story.json").write_text(json.dumps({
        "timewarp": "story/1", "title": "Short", "start": "one",
        "segments": {
            "one": {"media": "in.mp4", "range": ["0s", "0.5s"], "then": "two"},
            "two": {"media": "b.mp4", "range": ["1s", "1.5s"], "role": "epilogue"},
        },
    }))


def defaults():
    """Restores the default signal handlers: a shell without job control has its children ignore SIGINT."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(arguments, folder, prepare=defaults, **more):
    """Starts the program. `more` goes to Popen, except `env`, which adds to the environment."""
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "TMPDIR": str(folder),
                   **more.pop("env", {})}
    return subprocess.Popen(
        [PROGRAM, *map(str, arguments)], cwd=folder, env=environment, preexec_fn=prepare,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
           "text": True, **more})


def run(arguments, folder, timeout=120, **more):
    """Runs the program and returns exit code, stdout and stderr."""
    process = start(arguments, folder, **more)
    try:
        output, words = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return process.returncode, output, words


def sentences(words):
    """The program's error messages, without its notes and its description of the plan."""
    return [line for line in words.splitlines()
            if line.startswith("timewarp: ") and not line.startswith("timewarp: note: ")]


def contents(folder):
    """Every file below a folder, with a digest of its bytes."""
    return {
        str(path.relative_to(folder)): digest(path, unchanged(path.stat()))
        for path in sorted(Path(folder).rglob("*")) if path.is_file()
    }


def unchanged(status):
    """A key that changes whenever somebody writes to the file, because ctime can't be set back."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


@functools.cache
def digest(path, _):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def names(folder):
    return sorted(os.listdir(folder))


def measured(path):
    """How many frames and samples ffmpeg decodes from a media file, or from all files of a story's folder.

    Raises AssertionError if ffmpeg complains or fails."""
    if path.is_dir():
        manifest = json.loads((path / "story.json").read_text())
        head = (path / manifest["media"]["init"]).read_bytes()
        counts = []
        for segment in manifest["segments"].values():
            whole = path.parent / "whole.mp4"
            whole.write_bytes(head + (path / segment["file"]).read_bytes())
            counts.append(measured(whole))
            whole.unlink()
        return counts
    decoding = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-xerror", "-i", str(path), "-f", "framemd5", "-"],
        capture_output=True, text=True)
    assert decoding.returncode == 0 and not decoding.stderr, f"{path}: {decoding.stderr}"
    rows = [row.split(",") for row in decoding.stdout.splitlines() if not row.startswith("#")]
    return sorted(collections.Counter(row[0] for row in rows).items())


# A run that wasn't interrupted: seconds that it took, and of processor time, and what its output measures.
Whole = collections.namedtuple("Whole", "seconds computed measured")


def processor_seconds_of_children():
    """Seconds of processor time of all processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Workplace:
    """A folder with the inputs. Knows each command's complete output and how long the command takes."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="timewarp-interruption-"))
        self.earlier = Path(tempfile.mkdtemp(prefix="timewarp-interruption-"))
        make_inputs(self.folder)
        self.inputs = contents(self.folder)

    def remove(self):
        shutil.rmtree(self.folder)
        shutil.rmtree(self.earlier)

    def output(self, command):
        arguments = COMMANDS[command]
        return self.folder / arguments[arguments.index("-o") + 1]

    def clear(self):
        for name in names(self.folder):
            if name not in self.inputs:
                path = self.folder / name
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    @functools.cache  # noqa: B019 (there is one workplace)
    def whole(self, command):
        """What a run of the command takes, and what its output measures, which is kept."""
        self.clear()
        begin, computed = time.monotonic(), processor_seconds_of_children()
        code, _, words = run(COMMANDS[command], self.folder)
        seconds, computed = time.monotonic() - begin, processor_seconds_of_children() - computed
        assert code == 0, words
        result = measured(self.output(command))
        os.makedirs(self.earlier / command)
        shutil.move(self.output(command), self.earlier / command)
        return Whole(seconds, computed, result)

    def require_sound(self, command, old=None):
        """Checks that the output is absent, as it was, or complete, and returns which.

        `old` is what was there before, as `contents` returns it."""
        output = self.output(command)
        now = contents(self.folder)
        for name, digest in self.inputs.items():
            assert now[name] == digest, f"{name} was changed"
        if not output.exists():
            assert not old, f"{output.name} is gone"
            return "absent"
        if old and now == old:
            return "as it was"
        assert measured(output) == self.whole(command).measured, f"{output.name} isn't whole"
        return "whole"

    def ready(self, command, has_old=False):
        """Prepares the folder for a command; returns its arguments, and the contents from before if `has_old`.

        With `has_old` the output of an earlier run is there, and the arguments say to replace it."""
        self.whole(command)
        self.clear()
        arguments = list(COMMANDS[command])
        if not has_old:
            return arguments, None
        output = self.output(command)
        earlier = self.earlier / command / output.name
        copy = shutil.copytree if earlier.is_dir() else shutil.copy
        copy(earlier, output)
        return arguments + ["--overwrite"], contents(self.folder)

    def require_clean(self, command):
        """Checks that only the inputs and the output are in the folder."""
        left = [name for name in names(self.folder)
                if name not in self.inputs and name != self.output(command).name]
        assert not left, f"left behind: {left}"


def poll(is_so, text, seconds=60):
    """Waits until a condition holds that nothing announces; `text` says what is wrong if it never does.

    This is the only place where these tests ask the same thing over and over.
    """
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, text
        time.sleep(0.001)


def at_instant(seconds):
    """A moment of a run: this many seconds after its start.

    The wait is what is tried: a random instant, which may be at any step and in the middle of one."""
    return lambda process: time.sleep(seconds)


def once_computed(place, command, share):
    """A moment of a run: when it has computed for this share of what a whole run does, or has ended.

    Other work on the machine doesn't move this moment."""
    wanted = share * place.whole(command).computed
    return lambda process: poll(
        lambda: process.poll() is not None or processor_seconds(process) >= wanted,
        f"{command} neither computes for {wanted:.3f} s nor ends")


def processor_seconds(process):
    """Seconds of processor time that a running process has spent."""
    if sys.platform == "linux":
        # The clock that clock_getcpuclockid(3) gives for a process. A process that has just ended has none.
        with contextlib.suppress(OSError):
            return time.clock_gettime((~process.pid << 3) | 2)
        return 0
    told = subprocess.run(["ps", "-o", "time=", "-p", str(process.pid)], capture_output=True, text=True)
    minutes, _, seconds = told.stdout.strip().rpartition(":")
    return 60 * float(minutes or 0) + float(seconds or 0)


def interrupt(place, command, number, moment, has_old):
    """Ends a command by a signal at a moment of its run, which waits for it; what became of it, in words."""
    arguments, old = place.ready(command, has_old)
    process = start(arguments, place.folder)
    moment(process)
    process.send_signal(number)
    _, words = process.communicate(timeout=60)
    code = process.returncode
    # Until the program handles signals, a signal ends it directly, as SIGKILL always does.
    assert code in (0, 128 + number, -number), f"exit code {code}: {words}"
    state = place.require_sound(command, old)
    if code == 0:
        assert state in ("whole", "as it was"), f"exit code 0, and the output is {state}"
    if number != signal.SIGKILL:
        place.require_clean(command)
    else:
        again = COMMANDS[command] + (["--overwrite"] if state != "absent" else [])
        code, _, words = run(again, place.folder)
        assert code == 0, words
        assert place.require_sound(command) == "whole"
        place.require_clean(command)
    return f"{signal.Signals(number).name}: {state}"


@functools.cache
def failing_disk():
    """The preloaded library, compiled; None on macOS, where there is none."""
    if sys.platform != "linux":
        return None
    library = Path(tempfile.mkdtemp(prefix="timewarp-failing-disk-")) / "failing_disk.so"
    compiler = shutil.which("cc") or shutil.which("clang")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library,
         Path(__file__).with_name("failing_disk.c"), "-ldl"], check=True)
    return library


def failing(call, after, error, file=None):
    """Environment variables that simulate a failing disk."""
    more = {"FAILING_FILE": file} if file else {}
    return {"LD_PRELOAD": str(failing_disk()), "FAILING_CALL": call, "FAILING_AFTER": str(after),
            "FAILING_ERROR": str(error), **more}


def fill(place, command, call, after, error, has_old):
    """Runs a command on a failing disk, and returns the outcome in words."""
    arguments, old = place.ready(command, has_old)
    code, _, words = run(arguments, place.folder, env=failing(call, after, error))
    return judge(place, command, code, words, old, os.strerror(error))


def limit_size(place, command, most):
    """Runs a command that may write files of at most `most` bytes, and returns the outcome in words."""
    arguments, _ = place.ready(command)

    def prepare():
        defaults()
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    code, _, words = run(arguments, place.folder, prepare=prepare)
    return judge(place, command, code, words, None, os.strerror(errno.EFBIG))


def judge(place, command, code, words, old, reason):
    state = place.require_sound(command, old)
    place.require_clean(command)
    if code == 0:
        # The failure came when nothing was written any more.
        assert state != "absent", "exit code 0, and no output"
        return f"went well: {state}"
    assert code == 74, f"exit code {code}: {words}"
    assert len(sentences(words)) == 1 and reason in sentences(words)[0], words
    return f"exit code 74: {state}"


def size(path):
    """The size of a file, or of all files of a folder, in bytes."""
    return sum(each.stat().st_size for each in [path, *path.rglob("*")] if each.is_file())


def interrupt_many(place, count, chance):
    """Interrupts commands at `count` random instants, and returns counts of the outcomes."""
    counts = collections.Counter()
    for number in range(count):
        command = list(COMMANDS)[number % len(COMMANDS)]
        by = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM][number // len(COMMANDS) % 3]
        seconds = place.whole(command).seconds
        counts[interrupt(
            place, command, by, at_instant(chance.uniform(0, 1.05 * seconds)),
            chance.random() < 0.3)] += 1
    return counts


def fill_many(place, count, chance):
    """Runs commands on disks that fail at `count` random places, and returns counts of the outcomes."""
    counts = collections.Counter()
    for number in range(count):
        command = list(COMMANDS)[number % len(COMMANDS)]
        place.whole(command)
        place.clear()
        run(COMMANDS[command], place.folder)
        bytes_written = size(place.output(command))
        error = [errno.ENOSPC, errno.EDQUOT, errno.EIO][number % 3]
        has_old = chance.random() < 0.3
        if number % 5 == 4:
            outcome = fill(
                place, command, ["fsync", "rename"][number // 5 % 2], 0, error, has_old)
        elif number % 5 == 3:
            outcome = limit_size(place, command, chance.randrange(bytes_written))
        else:
            outcome = fill(
                place, command, "write", chance.randrange(bytes_written), error, has_old)
        counts[outcome] += 1
    return counts


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    place = Workplace()
    try:
        for title, many, count in (("kills", interrupt_many, 102), ("full disks", fill_many, 30)):
            print(f"{count} {title}", flush=True)
            for outcome, times in sorted(many(place, count, chance).items()):
                print(f"  {times:4}  {outcome}", flush=True)
    finally:
        place.remove()


if __name__ == "__main__":
    main()
