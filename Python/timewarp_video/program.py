"""Runs the program `timewarp`, and turns what it says into values and exceptions."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Callable, Optional, Union

from .errors import Cancelled, TimeWarpError
from .results import Progress
from .values import from_json

#: What is called with each `Progress` of a render. What it raises cancels the render, and is raised.
ProgressListener = Callable[[Progress], object]
#: Systems without fonts have the one that the wheel carries.
FONTS = str(Path(__file__).parent / "fonts" / "fonts.conf")
#: After this many seconds of cleaning up, what was cancelled is killed.
PATIENCE = 20
#: An option in a sentence, perhaps with its value.
OPTION = re.compile(r"(?:pass )?--([a-z]+(?:-[a-z]+)*)(?: (any|copy|keep|mute)\b)?")
INTERRUPTED = {-signal.SIGTERM, -signal.SIGINT, 128 + signal.SIGTERM, 128 + signal.SIGINT}


def path() -> str:
    """Where the program is: what `$TIMEWARP` names, else the wheel's own, else the first on the `PATH`.

    Raises:
        FileNotFoundError: there is none.
    """
    own = Path(__file__).parent / "bin" / "timewarp"
    found = os.environ.get("TIMEWARP") or (str(own) if own.exists() else shutil.which("timewarp"))
    if not found:
        raise FileNotFoundError("there is no program `timewarp`: install the wheel of timewarp-video, "
                                "or set TIMEWARP to where it is")
    return found


def run(arguments: Iterable[str], *, given: Optional[str] = None, progress: Optional[ProgressListener] = None,
        cancelled: Optional[threading.Event] = None, accepted: Iterable[int] = ()) -> tuple[str, Any]:
    """Runs a command to its end.

    Args:
        arguments: the command line after the name of the program.
        given: what it reads from stdin.
        progress: is called as it gets on.
        cancelled: cancels it once it is set.
        accepted: exit codes beside 0 that are no failure.

    Returns:
        What it wrote to stdout, and the report of the render as JSON, or None.

    Raises:
        TimeWarpError: it failed.
        Cancelled: it was cancelled.
    """
    with tempfile.TemporaryFile() as output:
        with started(arguments, output, given, cancelled) as process:
            report = None
            for event in events(process, accepted):
                if event["event"] == "finished":
                    report = event["report"]
                elif event["event"] == "progress" and progress:
                    progress(from_json(Progress, event))
        output.seek(0)
        return output.read().decode(), report


@contextmanager
def started(arguments: Iterable[str], output: Union[IO[bytes], int], given: Optional[str] = None,
            cancelled: Optional[threading.Event] = None) -> Iterator[subprocess.Popen[bytes]]:
    """A running command, whose messages are events for programs. Leaving the block ends it, and waits for that."""
    with tempfile.TemporaryFile() as file:
        file.write((given or "").encode())
        file.seek(0)
        process = subprocess.Popen(
            [path(), *arguments], stdin=file, stdout=output, stderr=subprocess.PIPE,
            env={"FONTCONFIG_FILE": FONTS, **os.environ, "TIMEWARP_MESSAGES": "json"},
            # A Ctrl-C in the terminal is for Python, which ends the program once.
            start_new_session=True)
    is_over = threading.Event()
    try:
        if cancelled:
            threading.Thread(target=_watch, args=(process, cancelled, is_over), daemon=True).start()
        yield process
    finally:
        is_over.set()
        _end(process)


def events(process: subprocess.Popen[bytes], accepted: Iterable[int] = ()) -> Iterator[dict[str, Any]]:
    """What a command says, until it has ended.

    Raises:
        TimeWarpError: it failed.
    """
    failure: dict[str, Any] = {}
    others = []
    assert process.stderr
    for line in process.stderr:
        try:
            event = json.loads(line)
            kind = event["event"]
        except (KeyError, TypeError, ValueError):
            others.append(line.decode(errors="replace"))
            continue
        if kind == "failed":
            failure = event
        else:
            yield event
    code = process.wait()
    if code in INTERRUPTED:
        raise Cancelled("it was cancelled", 130)
    if code != 0 and code not in accepted:
        message = failure.get("message") or "".join(others).strip() or f"timewarp ended with {code}"
        raise TimeWarpError(_worded(message), code, failure.get("file"), failure.get("reason"),
                            failure.get("remedy") and _worded(failure["remedy"]))


def _worded(text: str) -> str:
    """A sentence with options as the keyword arguments that they are here."""
    def named(match: re.Match[str]) -> str:
        name = match[1].replace("-", "_")
        if name == "overwrite":
            return "pass overwrite=True"
        return f'{name}="{match[2]}"' if match[2] else name
    return OPTION.sub(named, text)


def _watch(process: subprocess.Popen[bytes], cancelled: threading.Event, is_over: threading.Event) -> None:
    while not is_over.is_set():
        if cancelled.wait(0.05):
            process.terminate()
            return


def _end(process: subprocess.Popen[bytes]) -> None:
    # A program that waits for a full pipe notices no signal.
    if process.stdout:
        process.stdout.close()
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stderr:
        process.stderr.close()
