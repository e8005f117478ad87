"""Jobs as values: see the guide on jobs for what each key does.

Written by Scripts/python-module: change what it is made from, and run that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Optional, Union

from .document import Document
from .values import File, Time


@dataclass
class CurveComponent:
    """An item of `components`.

    Attributes:
        curve: The curve of the part.
        range: Where the part starts and ends, on [0,1].
    """

    curve: Curve
    range: list[float]

    is_document: ClassVar[bool] = True


@dataclass
class Keyframe:
    """An item of `keyframes`.

    Attributes:
        at: A share of the clip, such as 0.5 or 50%, or a time such as 4s.
        speed: The speed; 0 freezes, and below 0 it plays backwards.
        easing: How the speed changes up to the next keyframe: linear, smooth, hold, or bezier(x1,y1,x2,y2).
        source: The instant of the clip to which it cuts.
    """

    at: str
    speed: float
    easing: Optional[str] = None
    source: Optional[str] = None

    is_document: ClassVar[bool] = True


@dataclass
class Curve:
    """A curve of a job.

    Attributes:
        components: Curves on parts of the clip; in between the speed is 1.
        curve: A built-in curve.
        factor: How strong it is: 2 slows to half speed, 0.5 doubles it.
        flip: Whether it is mirrored, from its end to its start.
        integral: The antiderivative of the time scale as a formula in t on [0,1].
        keyframes: Speeds at instants.
        modifier: The share of the clip that it fills, or how fast it swings.
        scale: The time scale as a formula in t on [0,1]: 2 is half speed.
        speed: The speed as a formula in t on [0,1]: 2 is double speed.
    """

    components: Optional[list[CurveComponent]] = None
    curve: Optional[Literal["constant", "cosine", "double-smoothstep", "power", "ramp", "sine", "smoothstep",
        "tapered-cosine", "tapered-sine", "triangle"]] = None
    factor: Optional[float] = None
    flip: Optional[bool] = None
    integral: Optional[str] = None
    keyframes: Optional[list[Keyframe]] = None
    modifier: Optional[float] = None
    scale: Optional[str] = None
    speed: Optional[str] = None

    is_document: ClassVar[bool] = True


@dataclass
class Anchor:
    """An item of `anchors`.

    Attributes:
        output: An instant of the output.
        source: The instant of the source that is heard then.
    """

    output: Time
    source: Time

    is_document: ClassVar[bool] = True


@dataclass
class GainPoint:
    """An item of `gain`.

    Attributes:
        at: An instant of the segment.
        d_b: The gain there, in decibels.
    """

    at: Time
    d_b: float

    is_document: ClassVar[bool] = True


@dataclass
class Marker:
    """An item of `markers`.

    Attributes:
        at: An instant of the segment.
        name: What it is called.
        colour: The name of its colour.
        comment: A remark.
        duration: How long what it marks lasts.
    """

    at: Time
    name: str
    colour: Optional[str] = None
    comment: Optional[str] = None
    duration: Optional[Time] = None

    is_document: ClassVar[bool] = True


@dataclass
class TimeMapPoint:
    """An item of `time_map`.

    Attributes:
        output: An instant of the output.
        source: The instant of the source that is shown then.
    """

    output: Time
    source: Time

    is_document: ClassVar[bool] = True


@dataclass
class Segment:
    """A segment of a job.

    Attributes:
        anchors: On a track of sound alone: which instants are heard when; in between, time is stretched evenly.
        dissolve: For how long it dissolves from the segment before.
        duration: How long it lasts; a curve keeps its shape.
        fade_out: For how long it fades out at its end.
        freeze: The instant of the media that is shown all the time.
        gain: The gain of its sound in decibels, or a list of gains by instants.
        gap: Instead of media: nothing, for this long.
        longer_by: Instead of a duration: by how many seconds longer it lasts.
        markers: Markers on it, for editors.
        media: The media file, or the name of a timeline.
        name: Its name, for editors.
        one_way: How long each way lasts, with thereAndBack.
        play: forward or reversed.
        range: The part of the media that is used: its start, and its end or else the media's. Seconds as a number, or a
            time such as 1:30.5 or 2700/25.
        scale: Instead of a duration: by how much longer it lasts; 2 is half speed.
        speed: Instead of a duration: how many times faster it plays.
        there_and_back: Whether it plays forwards and then backwards; or the instant of the source where it turns.
        time_map: Points of a time map, joined by straight lines.
        warp: The curve of its speed.
        window: The part of the result that is shown: its start and its end.
    """

    anchors: Optional[list[Anchor]] = None
    dissolve: Optional[Time] = None
    duration: Optional[Time] = None
    fade_out: Optional[Time] = None
    freeze: Optional[Time] = None
    gain: Optional[Union[list[GainPoint], float]] = None
    gap: Optional[Time] = None
    longer_by: Optional[Time] = None
    markers: Optional[list[Marker]] = None
    media: Optional[File] = None
    name: Optional[str] = None
    one_way: Optional[Time] = None
    play: Optional[Literal["forward", "reversed"]] = None
    range: Optional[list[Time]] = None
    scale: Optional[Time] = None
    speed: Optional[Time] = None
    there_and_back: Optional[Union[bool, Time]] = None
    time_map: Optional[list[TimeMapPoint]] = None
    warp: Optional[Curve] = None
    window: Optional[list[Time]] = None

    is_document: ClassVar[bool] = True


@dataclass
class Track:
    """An item of `tracks`.

    Attributes:
        segments: What it plays, one after another.
        carries: What of its media is used: both, video or sound.
        name: Its name.
    """

    segments: list[Segment]
    carries: Optional[Literal["both", "sound", "video"]] = None
    name: Optional[str] = None

    is_document: ClassVar[bool] = True


@dataclass
class Format:
    """The `format` of a job or a timeline.

    Attributes:
        channels: The channel layout, such as stereo or 5.1.
        crossfade: How long sound fades where clips meet.
        rate: Frames a second: a number or a fraction.
        sample_rate: Samples a second.
        size: Width and height in pixels.
    """

    channels: Optional[str] = None
    crossfade: Optional[Time] = None
    rate: Optional[Time] = None
    sample_rate: Optional[int] = None
    size: Optional[list[int]] = None

    is_document: ClassVar[bool] = True


@dataclass
class Timeline:
    """A timeline of a job.

    Attributes:
        tracks: The tracks, the lowest first.
        format: source: the one clip keeps its file's own format and all its tracks; packets: every packet of one whole
            file is passed on; an object, or nothing: clips are converted to one format.
        name: Its name, by which a segment plays it.
        timelines: Timelines that segments play by their names.
    """

    tracks: list[Track]
    format: Optional[Union[Format, str]] = None
    name: Optional[str] = None
    timelines: Optional[list[Timeline]] = None

    is_document: ClassVar[bool] = True


@dataclass
class Output:
    """The `output` of a job or a timeline.

    Attributes:
        path: The file to write; - is stdout, for a pipe.
        container: The container; by default the one that the path's extension says.
        existing: What to do if the file exists: refuse or overwrite.
        index_first: Whether the index stands at the start, for playing over a network.
        metadata: Whether tags, chapters and attachments are kept.
        range: The part of the output to write: its start, and optionally its end.
    """

    path: File
    container: Optional[Literal["flac", "gif", "m4a", "mkv", "mov", "mp3", "mp4", "nut", "ogg", "opus", "wav", "webm",
        "y4m"]] = None
    existing: Optional[Literal["overwrite", "refuse"]] = None
    index_first: Optional[bool] = None
    metadata: Optional[bool] = None
    range: Optional[list[Time]] = None

    is_document: ClassVar[bool] = True


@dataclass
class Audio:
    """The `audio` of a job or a timeline.

    Attributes:
        bit_rate: Bits a second of each audio track, 1000 to 100000000.
        codec: The codec; by default the container's usual one.
        freeze: The sound of a freeze with keep-pitch: silence or hold.
        interpolation: Between samples: sinc is band-limited, smooth and linear are faster.
        mode: varispeed: the pitch follows the speed; keep-pitch: it is stretched; keep: the original speed; mute.
        tune: Tunes keep-pitch for music or for speech.
    """

    bit_rate: Optional[int] = None
    codec: Optional[Literal["aac", "flac", "mp3", "opus", "pcm"]] = None
    freeze: Optional[Literal["hold", "silence"]] = None
    interpolation: Optional[Literal["linear", "sinc", "smooth"]] = None
    mode: Optional[Literal["keep", "keep-pitch", "mute", "varispeed"]] = None
    tune: Optional[Literal["music", "speech"]] = None

    is_document: ClassVar[bool] = True


@dataclass
class Resources:
    """The `resources` of a job or a timeline.

    Attributes:
        hardware_decoding: Whether hardware decodes: off, auto (the first that makes the same frames as software), or
            which.
        jobs: How many chunks of the video are encoded at a time, 1 to 64.
        media_folders: Folders in which media files of projects are looked for.
        memory_bytes: How many bytes of decoded frames a reversal holds in memory.
        pieces: How many pieces of about equal work the render is cut into.
        sequence_rate: Frames a second of inputs that are sequences of images.
        temporary_folder: The folder for what doesn't fit there.
        threads: Threads for each codec, up to 256; 0 uses one for each core.
    """

    hardware_decoding: Optional[Literal["auto", "cuda", "off", "vaapi", "vdpau", "videotoolbox", "vulkan"]] = None
    jobs: Optional[int] = None
    media_folders: Optional[list[File]] = None
    memory_bytes: Optional[int] = None
    pieces: Optional[int] = None
    sequence_rate: Optional[Time] = None
    temporary_folder: Optional[File] = None
    threads: Optional[int] = None

    is_document: ClassVar[bool] = True


@dataclass
class Video:
    """The `video` of a job or a timeline.

    Attributes:
        bit_rate: Bits a second, 1000 to 10000000000, instead of a quality.
        codec: The codec; by default the container's usual one.
        file: The file whose video is copied, with the mode copied.
        frames: What slow motion shows between two source frames: hold repeats the earlier one, blend mixes both, motion
            makes the frame in between.
        hardware: Whether hardware encodes: off, auto (the first that works, else software), or which.
        mode: retimed; unretimed: frames keep their times while the sound follows the map; restamped: packets get new
            times, and nothing is decoded; dropped; copied: the video of another file.
        pixel_format: How pixels are stored, such as yuv420p or yuv420p10le.
        preset: The encoder's preset: speed against file size.
        quality: The constant quality on the encoder's scale (CRF): lower is better.
        rate: Frames a second: a number, a fraction such as 30000/1001, source, or any: every source frame once, at
            exactly its new time.
        shutter: Motion blur of fast motion, in degrees: 360 is open all the time.
        skip_repeats: Whether source frames that repeat the one before are dropped, with blend and motion.
        smart: Whether packets that show frames as they are stored are kept, unencoded.
    """

    bit_rate: Optional[int] = None
    codec: Optional[Literal["av1", "dnxhd", "dvvideo", "ffv1", "gif", "h264", "hevc", "mjpeg", "prores", "rawvideo",
        "vp9"]] = None
    file: Optional[File] = None
    frames: Optional[Literal["blend", "hold", "motion"]] = None
    hardware: Optional[Literal["amf", "auto", "nvenc", "off", "qsv", "v4l2m2m", "vaapi", "videotoolbox"]] = None
    mode: Optional[Literal["copied", "dropped", "restamped", "retimed", "unretimed"]] = None
    pixel_format: Optional[str] = None
    preset: Optional[str] = None
    quality: Optional[float] = None
    rate: Optional[Time] = None
    shutter: Optional[float] = None
    skip_repeats: Optional[bool] = None
    smart: Optional[bool] = None

    is_document: ClassVar[bool] = True


@dataclass
class Job(Document):
    """A render as a value: what is shown, how, and where it goes.

    Attributes:
        output: Where it is written to.
        timeline: What is shown when.
        audio: How the sound is made.
        resources: What the render may use.
        video: How the video is made.
    """

    output: Output
    timeline: Timeline
    audio: Optional[Audio] = None
    resources: Optional[Resources] = None
    video: Optional[Video] = None

    is_document: ClassVar[bool] = True
