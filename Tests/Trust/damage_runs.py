"""Runs timewarp on any file, damaged or not, and judges what it did."""

import dataclasses
import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import threading

# Limits of one run: CPU time, and wall time, which a machine that is busy with other work may take many times of it.
CPU_SECONDS = 20
WALL_SECONDS = 600
# Limits of one run: peak resident memory, and address space.
PEAK_BYTES = 1_500_000_000
ADDRESS_BYTES = 8 << 30

TIME_MAP = {"timewarp": "time-map/1", "points": [
    {"output": 0, "source": 0}, {"output": "0.3s", "source": "0.5s"},
    {"output": "0.4s", "source": "0.5s"}, {"output": "0.8s", "source": "0.1s"}]}

# The commands that take turns, and the file extension of their output: with video, and with sound alone.
COMMANDS = {
    "warp": (["warp", "IN"], "mp4", "m4a"),
    "reverse": (["reverse", "IN"], "mp4", "wav"),
    "copy": (["copy", "IN"], "mkv", "mkv"),
    "any": (["warp", "IN", "--fps", "any"], "mkv", "flac"),
    "stretch": (["stretch", "IN", "--by", "+100ms"], "wav", "wav"),
    "inspect": (["inspect", "IN", "--json"], None, None),
    "verify": (["verify", "OTHER", "IN", "--unchanged", "--json"], None, None),
    "time-map": (["warp", "IN", "--time-map", "MAP"], "mp4", "m4a"),
    "keep-pitch": (
        ["warp", "IN", "--audio", "keep-pitch", "--frames", "blend"], "mkv", "opus"),
    "move": (
        ["scale", "IN", "--speed", "2", "--fps", "any", "--video-codec", "copy"], "mkv", "wav"),
    "compose": (["compose", "IN", "OTHER"], "mp4", "m4a"),
    "boomerang": (["warp", "IN", "--boomerang", "--fps", "any", "--jobs", "2"], "mp4", "wav"),
}
PASSED_ON = {"copy", "move"}


@dataclasses.dataclass
class Outcome:
    """The outcome of one run."""

    command: str
    clip: str
    exit_code: int
    stderr: str
    seconds: float
    peak_bytes: int
    faults: list

    @property
    def kind(self):
        """The column of the table in which this outcome is counted."""
        if self.faults:
            return "fault"
        if self.exit_code == 0:
            return "saved, told" if self.stderr.strip() else "saved"
        return "measured: wrong" if self.exit_code == 1 else f"refused {self.exit_code}"


class Bench:
    """A folder to run in, with the program and everything that each run needs."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.time_map = self.folder / "map.json"
        self.time_map.write_text(json.dumps(TIME_MAP))
        self.other = self.folder / "other.mp4"
        if not self.other.exists():
            subprocess.run(
                ["ffmpeg", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                 "testsrc2=s=64x64:r=15:d=0.5", "-f", "lavfi", "-i", "sine=d=0.5",
                 "-c:v", "libx264", "-pix_fmt", "yuv420p", self.other], check=True)

    def run(self, command, clip, label, has_pictures=True):
        """Runs one of COMMANDS on a clip, in a folder of its own, and judges the run."""
        place = self.folder / f"run-{label}-{command}"
        place.mkdir()
        try:
            return self._judged(command, clip, place, has_pictures)
        finally:
            shutil.rmtree(place)

    def _judged(self, command, clip, place, has_pictures):
        words, ending, ending_of_sound = COMMANDS[command]
        names = {"IN": str(clip), "MAP": str(self.time_map), "OTHER": str(self.other)}
        arguments = [names.get(word, word) for word in words]
        output = None
        if ending:
            output = place / f"out.{ending if has_pictures else ending_of_sound}"
            arguments += ["-o", str(output)]
        before = digest(clip)
        code, stdout, stderr, seconds, peak = limited_run([self.program, *arguments])
        faults = list(faults_of_ending(code, stderr, seconds, peak, command == "verify"))
        left = sorted(each.name for each in place.iterdir())
        if code != 0 and left:
            faults.append(f"left {left}")
        if code == 0 and output:
            # Packets that are copied without decoding keep their damage, but the file around them is whole.
            faults += faults_of_output(output, left, is_passed_on=command in PASSED_ON)
        if code in (0, 1) and not output:
            try:
                json.loads(stdout)
            except ValueError:
                faults.append("no JSON")
        if digest(clip) != before:
            faults.append("the input was changed")
        return Outcome(command, clip.name, code, stderr, seconds, peak, faults)


def digest(path):
    """A digest of the file's contents, and the time of its last change."""
    return hashlib.sha256(path.read_bytes()).digest(), path.stat().st_mtime_ns


def limited_run(command):
    """Runs a command with bounded time and memory.

    Returns its exit code (a negative one is the signal that ended it), stdout and stderr, the seconds it
    took and its peak memory.
    """
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, preexec_fn=limit)
    late = threading.Event()

    def stop():
        late.set()
        process.kill()

    timer = threading.Timer(WALL_SECONDS, stop)
    timer.start()
    outputs = {}

    def read(name, pipe):
        with pipe:
            outputs[name] = pipe.read().decode("utf-8", "replace")

    readers = [threading.Thread(target=read, args=pair)
               for pair in (("out", process.stdout), ("err", process.stderr))]
    for reader in readers:
        reader.start()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    timer.cancel()
    for reader in readers:
        reader.join()
    seconds = WALL_SECONDS if late.is_set() else usage.ru_utime + usage.ru_stime
    return process.returncode, outputs["out"], outputs["err"], seconds, usage.ru_maxrss * 1024


def faults_of_ending(code, stderr, seconds, peak, is_verdict=False):
    """Faults in how the program ended. If a verdict is expected, exit code 1 is right too."""
    if seconds > CPU_SECONDS:
        yield f"hangs: not done after {seconds:.0f} s"
    elif code < 0 or code >= 128 and code != 130:
        yield f"ended by signal {-code if code < 0 else code - 128}"
    elif code == 70:
        yield "calls it its own fault"
    elif code == 74:
        yield "calls bad input a failure of reading or writing"
    elif code not in (0, 64, 65, 66, 73) and not (code == 1 and is_verdict):
        yield f"exit code {code}"
    if peak > PEAK_BYTES:
        yield f"took {peak >> 20} MiB"
    if code > 0 and seconds <= CPU_SECONDS and not (code == 1 and is_verdict):
        if not stderr.strip():
            yield "failed without a word"
        elif "\n\n" in stderr.strip() or len(stderr) > 1500 or stderr.strip().count("\n") > 12:
            yield "says too much"
        elif "timewarp: " not in stderr:
            yield "says nothing of its own"


def faults_of_output(output, left, is_passed_on):
    """Faults of a written file."""
    if left != [output.name]:
        yield f"left {left}"
    if not output.exists():
        yield "wrote nothing"
        return
    witness = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", *([] if is_passed_on else ["-xerror"]),
         "-i", output, "-map", "0:v?", "-map", "0:a?",
         *(["-c", "copy"] if is_passed_on else []), "-f", "null", "-"],
        capture_output=True, text=True, errors="replace", timeout=120)
    # ffmpeg's null writer has a fixed rate and complains about times that are fine in a file.
    words = "\n".join(line for line in witness.stderr.splitlines()
                      if not line.startswith("[null @") and "Last message repeated" not in line)
    if witness.returncode != 0 or words.strip() and not is_passed_on:
        yield f"wrote what can't be decoded: {words.strip()[:300]}"
