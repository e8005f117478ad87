"""Functions that run commands: their arguments become a command line, and what comes back a value."""

from __future__ import annotations

import functools
import inspect
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional, Protocol, TypeVar, Union, cast

from . import program
from .curves import scale_curve, speed_curve
from .jobs import Job
from .program import ProgressListener
from .results import Drift, Plan, Report, Verification
from .values import File, Number, Time, from_json, text

if TYPE_CHECKING:
    from typing_extensions import ParamSpec
    Arguments = ParamSpec("Arguments")
else:
    Arguments = TypeVar("Arguments")

Result = TypeVar("Result")

#: What an option takes: a number, or a text as on the command line.
Value = Union[Number, str]
#: A formula in t as a text, or a Python function of t, which is sampled into keyframes: see `speed_curve`.
Formula = Union[str, Callable[[float], float]]
#: Speeds at instants: as a text, or as pairs. An instant that is a number is a share of the clip, from 0 to 1.
Keyframes = Union[str, Mapping[Value, Number], Sequence[tuple[Value, Number]]]
#: A part: as a text such as "1:30..1:45", or as a pair; None is where the clip begins or ends.
Range = Union[str, tuple[Optional[Time], Optional[Time]]]
#: A command that found a fault says so by this code, and in its report.
FOUND = 1


class Rendering(Protocol[Arguments]):
    """A function that renders, and makes jobs."""

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Report:
        """Renders."""
        ...

    def job(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Job:
        """The job that would be rendered, with absolute paths. Its media are opened, and nothing is written."""
        ...


def rendering(command: str) -> Callable[[Callable[Arguments, None]], Rendering[Arguments]]:
    """A function whose command renders."""
    def decorate(function: Callable[Arguments, None]) -> Rendering[Arguments]:
        @functools.wraps(function)
        def render(*args: Any, **kwargs: Any) -> Report:
            options, listeners = _command_line(command, function, args, kwargs)
            _, report = program.run(options, **listeners)
            return from_json(Report, report)

        def job(*args: Any, **kwargs: Any) -> Job:
            options, listeners = _command_line(command, function, args, kwargs, "--print-job")
            listeners.pop("progress", None)
            return Job.from_json(program.run(options, **listeners)[0])

        render.job = job  # type: ignore[attr-defined]
        return cast("Rendering[Arguments]", _returning(Report, function, render))
    return decorate


def reading(command: str, kind: type[Result]) -> Callable[[Callable[Arguments, None]], Callable[Arguments, Result]]:
    """A function whose command prints JSON."""
    def decorate(function: Callable[Arguments, None]) -> Callable[Arguments, Result]:
        @functools.wraps(function)
        def read(*args: Any, **kwargs: Any) -> Result:
            options, listeners = _command_line(command, function, args, kwargs, "--json")
            return _read(kind, options, accepted=[FOUND], **listeners)
        return cast("Callable[Arguments, Result]", _returning(kind, function, read))
    return decorate


def telling(command: str) -> Callable[[Callable[Arguments, None]], Callable[Arguments, str]]:
    """A function whose command prints text, or nothing."""
    def decorate(function: Callable[Arguments, None]) -> Callable[Arguments, str]:
        @functools.wraps(function)
        def tell(*args: Any, **kwargs: Any) -> str:
            options, listeners = _command_line(command, function, args, kwargs)
            return program.run(options, **listeners)[0]
        return cast("Callable[Arguments, str]", _returning(str, function, tell))
    return decorate


def _read(kind: type[Result], options: list[str], **running: Any) -> Result:
    """What a command prints as JSON."""
    output, _ = program.run(options, **running)
    return from_json(kind, json.loads(output))


# Jobs


def render(job: Union[Job, File], output: Optional[File] = None, *, overwrite: bool = False,
           progress: Optional[ProgressListener] = None, cancelled: Optional[threading.Event] = None) -> Report:
    """Renders a job.

    Args:
        job: a job, whose relative paths start at the working directory, or a job file, where they start at its folder.
        output: the file to write, in place of the job's own.
        overwrite: whether a file that exists is replaced.
        progress: is called as it gets on; what it raises cancels the render.
        cancelled: cancels it once it is set.

    Raises:
        TimeWarpError: it failed. Nothing half-written stays.
    """
    options = [] if output is None else [f"--output={_output(output)}"]
    options += ["--overwrite"] * overwrite
    name, given = _named(job)
    _, report = program.run(
        ["render", name, *options], given=given, progress=progress, cancelled=cancelled)
    return from_json(Report, report)


def plan(job: Union[Job, File]) -> Plan:
    """What rendering a job would do: opens its media, checks and decides everything, and writes nothing.

    Raises:
        TimeWarpError: the job can't be rendered.
    """
    name, given = _named(job)
    return _read(Plan, ["render", name, "--dry-run", "--json"], given=given)


def verify_job(job: Union[Job, File], output: Optional[File] = None) -> Verification:
    """Measures the file that a job wrote, against the job's media.

    Args:
        output: the file, if it isn't where the job puts it.
    """
    name, given = _named(job)
    measured = text(_written(job) if output is None else output)
    return _read(Verification, ["verify", measured, f"--job={name}", "--json"], given=given, accepted=[FOUND])


def drift(recording: File, reference: File, *, cancelled: Optional[threading.Event] = None) -> Drift:
    """Finds out how the clocks of two recordings of one event differ, from their sound. Nothing is written: see `stretch`.

    Raises:
        TimeWarpError: they have too little sound in common.
    """
    return _read(Drift, ["stretch", text(recording), f"--match={text(reference)}", "--json"], cancelled=cancelled)


def plan_pieces(job: Union[Job, File], folder: File, pieces: int, *, overwrite: bool = False) -> None:
    """Plans a job in pieces, for many machines: see `render_pieces` and `join`.

    Args:
        folder: the folder for the plan and the pieces, which all machines see.
        pieces: how many pieces of about equal work.
    """
    name, given = _named(job)
    program.run(["render", name, f"--plan={text(folder)}", f"--pieces={pieces}", *["--overwrite"] * overwrite],
                given=given)


def render_pieces(folder: File, index: Optional[int] = None, *,
                  cancelled: Optional[threading.Event] = None) -> None:
    """Renders a piece of a planned job, or, without an index, pieces until all are there, beside other machines."""
    which = "--all" if index is None else f"--index={index}"
    program.run(["piece", text(folder), which], cancelled=cancelled)


def join(folder: File, *, overwrite: bool = False, clean: bool = False,
         progress: Optional[ProgressListener] = None, cancelled: Optional[threading.Event] = None) -> Report:
    """Joins the pieces of a planned job into its output.

    Args:
        clean: whether the plan and the pieces are removed afterwards.
    """
    options = ["--overwrite"] * overwrite + ["--clean"] * clean
    _, report = program.run(["join", text(folder), *options], progress=progress, cancelled=cancelled)
    return from_json(Report, report)


def _named(job: Union[Job, File]) -> tuple[str, Optional[str]]:
    """The argument that names a job, and what is given on stdin."""
    return ("-", job.to_json()) if isinstance(job, Job) else (text(job), None)


def _written(job: Union[Job, File]) -> File:
    """The file that a job writes; the paths of a job file start at its folder."""
    if isinstance(job, Job):
        return job.output.path
    return Path(job).parent / Job.from_json(Path(job).read_text(encoding="utf-8")).output.path


# Command lines


def _returning(kind: type[Any], function: Callable[..., Any], wrapper: Any) -> Any:
    """The wrapper, of which help says what it returns."""
    wrapper.__signature__ = inspect.signature(function).replace(return_annotation=kind.__name__)
    return wrapper


def _command_line(command: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any],
                  *flags: str) -> tuple[list[str], dict[str, Any]]:
    """The arguments of the program, and those of `program.run`."""
    signature = inspect.signature(function)
    given = signature.bind(*args, **kwargs).arguments
    listeners: dict[str, Any] = {name: given.pop(name) for name in ("progress", "cancelled") if name in given}
    options = list(flags)
    places: list[str] = []
    for name, value in given.items():
        is_place = signature.parameters[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        if value is None or value is False:
            continue
        if name == "output":
            options.append(f"--output={_output(value)}")
        elif is_place:
            places += map(text, value if isinstance(value, (list, tuple)) else [value])
        else:
            options += _option(name, value)
    return [*command.split(), *options, "--", *places], listeners


def _option(name: str, value: Any) -> list[str]:
    flag = "--" + name.rstrip("_").replace("_", "-")
    if value is True:
        return [flag]
    if name == "keyframes":
        return [f"{flag}={_keyframes(value)}"]
    if name == "range" and isinstance(value, (tuple, list)):
        start, end = value
        return [f"{flag}={'' if start is None else text(start)}..{'' if end is None else text(end)}"]
    if callable(value):
        curve = {"speed": speed_curve, "scale": scale_curve}[name](value)
        pairs = [(each.at, each.speed) for each in curve.keyframes or []]
        return [f"--keyframes={_keyframes(pairs)}", "--easing=linear"]
    values = value if isinstance(value, (tuple, list)) else [value]
    return [f"{flag}={text(each)}" for each in values]


def _keyframes(value: Keyframes) -> str:
    if isinstance(value, str):
        return value
    pairs = value.items() if isinstance(value, Mapping) else value
    return ", ".join(f"{text(at)}:{text(_decimal(speed))}" for at, speed in pairs)


def _decimal(speed: Number) -> Union[float, str]:
    """Speeds of keyframes are decimals."""
    return speed if isinstance(speed, str) else float(speed)


def _output(file: File) -> str:
    name = text(file)
    if name == "-":
        raise ValueError('the output is a file; `frames` yields frames without one')
    return name
