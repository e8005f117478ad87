"""The frames of a render as arrays, through a pipe and without a file."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

from .calls import plan
from .jobs import Audio, Job, Output, Video
from .nut import NutReader
from .program import events, started

if TYPE_CHECKING:
    import numpy

#: By pixel format, how many values a pixel has, and their type.
FORMATS = {"rgb24": (3, "u1"), "rgb48le": (3, "<u2"), "rgba": (4, "u1")}


@dataclass
class Frame:
    """A frame of the output.

    Attributes:
        time: when it is shown, in seconds.
        image: height × width × 3 (or 4 with alpha) of red, green and blue. Upright, as players show it. It may be kept and
            changed.
    """

    time: Fraction
    image: numpy.ndarray[Any, Any]


def frames(job: Job, *, pixel_format: str = "rgb24",
           cancelled: Optional[threading.Event] = None) -> Iterator[Frame]:
    """Renders a job, and yields its frames as they come. Sound isn't rendered, and nothing is written.

    The program goes on only as far as frames are taken, so memory stays the same for hours of video. Closing the iterator,
    or leaving its loop, ends the program.

    Args:
        job: what is rendered. Where its output would go, and in which codec, doesn't matter.
        pixel_format: rgb24, rgb48le (0 to 65535) or rgba.

    Raises:
        TimeWarpError: it failed, at once or in between.
        ValueError: the pixel format is another one, or there is no video.
        ImportError: there is no numpy.
    """
    if pixel_format not in FORMATS:
        raise ValueError(f"frames come as one of {', '.join(FORMATS)}, not as {pixel_format}")
    piped = _piped(job, pixel_format)
    tracks = plan(piped).video
    if not tracks:
        raise ValueError("the job has no video")
    # Players turn the frames of phones, by what the file says; what comes through a pipe doesn't say it.
    turns = round((tracks[0].rotation_degrees or 0) / 90) % 4
    return _frames(piped, *FORMATS[pixel_format], turns, cancelled)


def _frames(piped: Job, depth: int, kind: str, turns: int, cancelled: Optional[threading.Event]) -> Iterator[Frame]:
    import numpy

    with started(["render", "-"], subprocess.PIPE, piped.to_json(), cancelled) as process:
        assert process.stdout
        # What is said is read beside the frames, so that neither waits for the other.
        failures: list[BaseException] = []
        listener = threading.Thread(target=_listen, args=(process, failures), daemon=True)
        listener.start()
        try:
            reader = NutReader(process.stdout)
            shape = (reader.height, reader.width, depth)
            for time, data in reader:
                image = numpy.frombuffer(data, dtype=kind).reshape(shape)
                yield Frame(time, numpy.ascontiguousarray(numpy.rot90(image, -turns)))
        except EOFError:
            pass
        listener.join()
        if failures:
            raise failures[0]


def _piped(job: Job, pixel_format: str) -> Job:
    piped = deepcopy(job)
    piped.output = Output(path="-", container="nut", range=job.output.range)
    video = piped.video = piped.video or Video()
    video.codec, video.pixel_format, video.quality, video.preset = "rawvideo", pixel_format, None, None
    video.bit_rate = video.hardware = video.smart = None
    piped.audio = Audio(mode="mute")
    return piped


def _listen(process: subprocess.Popen[bytes], failures: list[BaseException]) -> None:
    try:
        for _ in events(process):
            pass
    except BaseException as error:  # It is raised where frames are taken.
        failures.append(error)
