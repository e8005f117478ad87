"""What the program measures, finds and plans.

Written by Scripts/python-module: change what it is made from, and run that.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Optional


@dataclass
class Progress:
    """The progress of a render.

    Attributes:
        fraction: The share that is done, from 0 to 1.
        frames: Frames written so far; 0 if there is only audio.
        frames_per_second: Frames per second, averaged over the render so far.
        elapsed_seconds: Seconds since the render started.
        remaining_seconds: The estimated seconds until the end; None at first.
    """

    fraction: float
    frames: int
    frames_per_second: float
    elapsed_seconds: float
    remaining_seconds: Optional[float] = None


@dataclass
class ReportVideo:
    """A video track.

    Attributes:
        frames_decoded: How many frames the decoder produced, including those that are only referred to.
        frames_read: How many presentations of source frames the map asks for.
        frames_written: How many frames the output has.
        frames_kept: How many output frames are the source's packets as they are stored.
        frames_repeated: How many output frames repeat the frame before them.
        frames_skipped: How many presentations no output frame shows.
        frames_synthesised: How many output frames were made from the motion between two source frames.
        frames_blended: How many output frames are mixed from several source frames.
        frames_held: How many output frames lie between two source frames but show one of them, although frames should
            be blended or synthesised: at scene cuts and flashes, where nothing moves, and where frames can't be mixed.
        repeats_skipped: How many source frames were left out because they show the same as the frame before.
        repeats_found: How many source frames show the same as the frame before and weren't left out, although frames
            were made from motion. Where the video was encoded in chunks, a few at their borders may be missing.
        largest_time_error_seconds: The largest difference between a written frame's time and the plan's exact time, in
            seconds.
        rms_time_error_seconds: The root mean square of these differences, in seconds.
        average_frame_rate: Frames per second over the whole track.
        start_seconds: The start of the first frame, in output seconds.
        end_seconds: The end of the last frame, in output seconds.
    """

    frames_decoded: int
    frames_read: int
    frames_written: int
    frames_kept: int
    frames_repeated: int
    frames_skipped: int
    frames_synthesised: int
    frames_blended: int
    frames_held: int
    repeats_skipped: int
    repeats_found: int
    largest_time_error_seconds: float
    rms_time_error_seconds: float
    average_frame_rate: float
    start_seconds: float
    end_seconds: float


@dataclass
class ReportAudio:
    """An audio track.

    Attributes:
        samples_in: Samples per channel that were decoded.
        samples_out: Samples per channel that were rendered.
        samples_kept: Samples per channel of the output that are in the source's packets as they are stored.
        samples_presented: Samples per channel that the output presents.
        length_error_samples: The presented minus the expected number of samples per channel.
        offset_at_start_seconds: The track's start minus the first video track's start, in seconds; 0 without one.
        offset_at_end_seconds: The track's end minus the first video track's end, in seconds; 0 without video.
    """

    samples_in: int
    samples_out: int
    samples_kept: int
    samples_presented: int
    length_error_samples: int
    offset_at_start_seconds: float
    offset_at_end_seconds: float


@dataclass
class Report:
    """A report on the file that a render wrote. Durations, times and lengths are measured by reading the file again; other
    numbers were counted by the stages.

    Attributes:
        source: The file that was read, or the composition's name.
        output: The path of the file that was written.
        source_duration: The exact duration of the source.
        expected_duration: The exact duration that the output should have by the plan; None where it is no fraction, as
            with most curves.
        output_duration: The exact duration of the written file.
        source_duration_seconds: The duration of the source, in seconds.
        expected_duration_seconds: How long the output should last by the plan, in seconds.
        output_duration_seconds: The duration of the written file, in seconds.
        duration_error_seconds: The duration of the written file minus the planned one, in seconds.
        video: The video tracks that were rendered, one entry for each.
        audio: The audio tracks that were rendered, one entry for each.
        wall_seconds: The wall-clock time of the render, in seconds.
        cpu_seconds: The CPU time of all threads of the process during the render, in seconds.
        peak_memory_bytes: The peak memory of the process so far, in bytes.
        peak_spill_bytes: The peak size of temporary files for frames and sound that didn't fit into memory, in bytes.
        warnings: What could not be kept, and what else is worth knowing; one sentence each.
    """

    source: str
    output: str
    source_duration: Fraction
    output_duration: Fraction
    source_duration_seconds: float
    expected_duration_seconds: float
    output_duration_seconds: float
    duration_error_seconds: float
    video: list[ReportVideo]
    audio: list[ReportAudio]
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    peak_spill_bytes: int
    warnings: list[str]
    expected_duration: Optional[Fraction] = None


@dataclass
class PlanVideo:
    """A video track.

    Attributes:
        stream: The source's stream; None if it is made of several.
        segments: How many segments it has.
        codec: The codec; None for packets that are copied.
        encoder: FFmpeg's name of the encoder, such as libx264; None for packets that are copied.
        pixel_format: How pixels are stored; None for packets that are copied.
        width: The width of a frame, in pixels.
        height: The height of a frame, in pixels.
        rotation_degrees: By how many degrees a player turns the frames clockwise; None for none.
        frame_rate: Frames a second, as a fraction; None where every source frame has its own time.
        frames: How many frames it has; None where that isn't known before.
        kept_seconds: How many seconds are kept as they are stored; None where nothing is to be kept.
    """

    segments: int
    width: int
    height: int
    stream: Optional[int] = None
    codec: Optional[str] = None
    encoder: Optional[str] = None
    pixel_format: Optional[str] = None
    rotation_degrees: Optional[float] = None
    frame_rate: Optional[str] = None
    frames: Optional[int] = None
    kept_seconds: Optional[float] = None


@dataclass
class PlanAudio:
    """An audio track.

    Attributes:
        stream: The source's stream; None if it is made of several.
        segments: How many segments it has.
        codec: The codec.
        sample_rate: Samples a second.
        channel_layout: The channel layout, such as stereo.
        samples: How many samples each channel has.
        kept_seconds: How many seconds are kept as they are stored; None where nothing is to be kept.
    """

    segments: int
    codec: str
    sample_rate: int
    channel_layout: str
    samples: int
    stream: Optional[int] = None
    kept_seconds: Optional[float] = None


@dataclass
class PlanStream:
    """A stream of a file that is passed on.

    Attributes:
        file: The file.
        stream: Its index in the file.
        kind: Its kind, such as subtitles.
        codec: Its codec.
    """

    file: str
    stream: int
    kind: str
    codec: str


@dataclass
class Plan:
    """The plan that `--dry-run --json` prints.

    Attributes:
        output: The file that would be written; - is stdout.
        output_exists: Whether there is such a file already.
        container: The container, such as mp4.
        source: The file that is read, or the composition's name.
        source_duration_seconds: The duration of what is used of the source, in seconds.
        output_duration_seconds: The duration of the output, in seconds.
        lowest_speed: The lowest speed; None if there isn't one clip. 0 freezes, and below it plays backwards.
        highest_speed: The highest speed; None if there isn't one clip, or if a cut leaves no limit.
        video: The video tracks that would be rendered.
        audio: The audio tracks that would be rendered.
        copied: Streams whose packets are copied.
        subtitles: Subtitle streams that are retimed.
        attachments: Streams that are passed on.
        chapters: How many chapters there are.
        notes: What can't be kept, and what else is worth knowing; one sentence each.
    """

    output: str
    output_exists: bool
    container: str
    source: str
    source_duration_seconds: float
    output_duration_seconds: float
    video: list[PlanVideo]
    audio: list[PlanAudio]
    copied: list[PlanStream]
    subtitles: list[PlanStream]
    attachments: list[PlanStream]
    chapters: int
    notes: list[str]
    lowest_speed: Optional[float] = None
    highest_speed: Optional[float] = None


@dataclass
class InspectionStream:
    """A stream.

    Attributes:
        index: Its index in the file.
        kind: Its kind: video, audio, subtitles, attachment, cover or data.
        codec: FFmpeg's name of its codec.
        start_seconds: When it starts, in seconds.
        end_seconds: When it ends, in seconds.
        frame_count: How many packets it has, where the file says so.
        width: The width of a frame, in pixels.
        height: The height of a frame, in pixels.
        pixel_format: How pixels are stored, such as yuv420p.
        frame_rate: Frames a second as a fraction; an average if they are uneven.
        film_rate: The rate of the film whose frames are shown for three and two fields in turn; None if it isn't that.
        has_variable_rate: Whether frames are uneven; None if the file doesn't say when each of them comes.
        rotation_degrees: By how much frames are turned clockwise to be shown; None if they aren't.
        sample_rate: Samples a second.
        channel_layout: The channel layout, such as stereo.
        tags: Its tags.
    """

    index: int
    kind: str
    codec: str
    tags: dict[str, str]
    start_seconds: Optional[float] = None
    end_seconds: Optional[float] = None
    frame_count: Optional[int] = None
    width: Optional[int] = None
    height: Optional[int] = None
    pixel_format: Optional[str] = None
    frame_rate: Optional[str] = None
    film_rate: Optional[str] = None
    has_variable_rate: Optional[bool] = None
    rotation_degrees: Optional[float] = None
    sample_rate: Optional[int] = None
    channel_layout: Optional[str] = None


@dataclass
class InspectionChapter:
    """A chapter.

    Attributes:
        start_seconds: When it starts, in seconds.
        end_seconds: When it ends, in seconds.
        title: Its title.
    """

    start_seconds: float
    end_seconds: float
    title: Optional[str] = None


@dataclass
class Inspection:
    """The description of an asset that the command `inspect` prints, as JSON or as text.

    Attributes:
        file: The file.
        format: FFmpeg's name of its format.
        duration_seconds: Its duration, in seconds.
        streams: Its streams.
        chapters: Its chapters.
        tags: Its tags.
        warnings: What is wrong with it, or worth knowing; one sentence each.
    """

    file: str
    format: str
    duration_seconds: float
    streams: list[InspectionStream]
    chapters: list[InspectionChapter]
    tags: dict[str, str]
    warnings: list[str]


@dataclass
class FrameKinds:
    """How the compared frames of a track were made, judged by what they show.

    Attributes:
        source: Frames that should show one source frame as it is.
        identical: The frames of `source` that have exactly the samples of their source frame. Nil if that can't be
            expected: after lossy coding, in another pixel format, and in compositions.
        synthesised: Frames at instants between two source frames, made from the motion between them.
        blended: Frames at instants between two source frames, mixed from them.
        held: Frames at instants between two source frames that show one of them, although frames should be made there.
    """

    source: int
    synthesised: int
    blended: int
    held: int
    identical: Optional[int] = None


@dataclass
class VerificationFault:
    """One fault of the output.

    Attributes:
        kind: What kind of fault it is.
        sentence: What is wrong, in one sentence.
        at_seconds: The first place of the fault, in output seconds; None if it isn't at one place.
    """

    kind: Literal["tracks", "damage", "duration", "rotation", "shape", "frame-times", "missing-frames", "extra-frames",
        "wrong-frames", "frame-content", "channels", "sound-offset", "sound-pitch", "sound-content"]
    sentence: str
    at_seconds: Optional[float] = None


@dataclass
class VerificationVideo:
    """The measurements of one video track.

    Attributes:
        frames_expected: The number of frames that the map requires.
        frames: The number of frames in the file.
        frames_missing: The number of frames that the map requires and the file doesn't have.
        frames_extra: The number of frames that the file has and the map doesn't require.
        largest_time_error_seconds: The largest error of a frame's time, in seconds.
        rms_time_error_seconds: The root mean square of the errors of all frames' times, in seconds.
        frames_compared: The number of frames that were compared with the source's.
        frames_identified: The number of frames that show the right source frame and clearly no neighbour of it.
        frames_alike: The number of frames that may be right, but whose neighbours look the same.
        frames_wrong: The number of frames that show another source frame than they should.
        frames_foreign: The number of frames that don't resemble the source at that time.
        kinds: How the compared frames were made.
        oddest_made: Of the frames made from motion up to five that may have gone wrong: those that show the most in one
            place that the frames around them don't show there. The oddest first.
        lag_at_start_seconds: By how many seconds the content of the frames in the output's first tenth is late, on
            average over the frames that can be identified; None if there are none.
        lag_at_end_seconds: By how many seconds the content of the frames in the output's last tenth is late, on average
            over the frames that can be identified; None if there are none.
        typical_difference: The median difference between frames and what they should show: a root mean square in 8-bit
            steps, of frames scaled to 64 by 64.
        time_errors: The errors of frames' times over output time, for the page: at most 2000, the largest of each
            section.
    """

    frames_expected: int
    frames: int
    frames_missing: int
    frames_extra: int
    largest_time_error_seconds: float
    rms_time_error_seconds: float
    frames_compared: int
    frames_identified: int
    frames_alike: int
    frames_wrong: int
    frames_foreign: int
    kinds: FrameKinds
    oddest_made: list[VerificationMadeFrame]
    typical_difference: float
    time_errors: list[VerificationPoint]
    lag_at_start_seconds: Optional[float] = None
    lag_at_end_seconds: Optional[float] = None


@dataclass
class VerificationMadeFrame:
    """A frame that was made from motion.

    Attributes:
        at_seconds: When it is shown, in output seconds.
        oddity: How much it shows in one place, of an eighth of the width and the height, that is neither in the source
            frame before nor in the one after, nor where their motion has it: a root mean square in 8-bit steps, of
            frames scaled to 64 by 64.
    """

    at_seconds: float
    oddity: float


@dataclass
class VerificationSound:
    """The measurements of one audio track.

    Attributes:
        channels: The number of channels of the track.
        windows: The number of compared windows: sections of about one second, or of about four if the pitch is kept.
        windows_audible: The number of windows that are loud enough to be compared.
        windows_matched: The number of windows that match the source's sound.
        lag_seconds: By how many seconds the sound is late: the median over all matching windows; None if there are
            none.
        lag_at_start_seconds: The median lag over the first tenth of the matching windows, in seconds; None if there are
            none.
        lag_at_end_seconds: The median lag over the last tenth of the matching windows, in seconds; None if there are
            none.
        largest_lag_seconds: The largest lag of a matching window, early or late, in seconds; None if there are none.
        correlation: The median correlation of the audible windows with the source: 1 if they are the same.
        spectrum_correlation: If the pitch is kept, the median correlation of the frequencies that are heard with the
            source's: 1 if they are the same.
        pitch_error_cents: If the pitch is kept, by how many cents (hundredths of a semitone) it is too high: the median
            over the windows with clear partials; None if there are none.
        length_error_seconds: The actual minus the expected duration of the sound, in seconds.
        lags: The lags over output time, for the page: at most 2000, the largest of each section.
    """

    channels: int
    windows: int
    windows_audible: int
    windows_matched: int
    correlation: float
    length_error_seconds: float
    lags: list[VerificationPoint]
    lag_seconds: Optional[float] = None
    lag_at_start_seconds: Optional[float] = None
    lag_at_end_seconds: Optional[float] = None
    largest_lag_seconds: Optional[float] = None
    spectrum_correlation: Optional[float] = None
    pitch_error_cents: Optional[float] = None


@dataclass
class VerificationPoint:
    """A measurement at an instant of the output.

    Attributes:
        at_seconds: The instant, in output seconds.
        seconds: What was measured there, in seconds.
    """

    at_seconds: float
    seconds: float


@dataclass
class Verification:
    """The measurements of a finished file, compared with what its time map requires. Everything is measured in the two files:
    the times of packets, decoded frames, and decoded samples. Nothing comes from the program that made the output.

    Attributes:
        source: The path of the source, as it was given.
        output: The path of the measured file, as it was given.
        is_right: Whether there are no faults.
        faults: What is wrong, the most serious faults first.
        notes: What couldn't be measured, and why; and what may explain the faults.
        source_duration_seconds: How long the used range of the source lasts, in seconds.
        expected_duration_seconds: How long the output should last according to the map, in seconds.
        output_duration_seconds: How long the measured file lasts, in seconds.
        duration_error_seconds: The actual minus the expected duration, in seconds.
        offset_at_start_seconds: By how many seconds the first audio track is later than the first video track near the
            start, compared with the source; None if one of them couldn't be measured.
        offset_at_end_seconds: By how many seconds the first audio track is later than the first video track near the
            end, compared with the source; None if one of them couldn't be measured.
        video: The video tracks that were compared.
        sound: The audio tracks that were compared.
    """

    source: str
    output: str
    is_right: bool
    faults: list[VerificationFault]
    notes: list[str]
    source_duration_seconds: float
    expected_duration_seconds: float
    output_duration_seconds: float
    duration_error_seconds: float
    video: list[VerificationVideo]
    sound: list[VerificationSound]
    offset_at_start_seconds: Optional[float] = None
    offset_at_end_seconds: Optional[float] = None


@dataclass
class BeatsSection:
    """A part of the sound in which the tempo stays.

    Attributes:
        start: The first beat, in seconds.
        end: The last beat, in seconds.
        tempo: Beats per minute.
    """

    start: float
    end: float
    tempo: float


@dataclass
class Beats:
    """The onsets and beats of a sound: where sounds begin, and the pulse that one would tap to.

    Attributes:
        onsets: When sounds begin, in seconds of the asset's time.
        beats: When beats are, in seconds of the asset's time. Empty if the sound has no pulse, such as speech.
        tempo: Beats per minute in the longest part with one tempo; None without beats.
        sections: The parts with one tempo, in order.
    """

    onsets: list[float]
    beats: list[float]
    sections: list[BeatsSection]
    tempo: Optional[float] = None


@dataclass
class DriftPiece:
    """A piece in which the ratio is constant.

    Attributes:
        source_start_seconds: Where it begins in the recording, in seconds.
        source_end_seconds: Where it ends in the recording, in seconds.
        output_start_seconds: Where it begins in the output, in seconds.
        output_end_seconds: Where it ends in the output, in seconds.
        parts_per_million: How much longer it lasts in the output, in parts per million.
    """

    source_start_seconds: float
    source_end_seconds: float
    output_start_seconds: float
    output_end_seconds: float
    parts_per_million: float


@dataclass
class DriftMatch:
    """How two recordings of one event match.

    Attributes:
        offset_seconds: Where the recording begins in the reference, in seconds; below 0 if it begins before.
        parts_per_million: How much longer the event lasts in the reference, in parts per million.
        residual_rms_seconds: The root mean square of the distances from the pieces, in seconds.
        residual_max_seconds: The largest distance from the pieces, in seconds.
        windows_matched: How many windows of sound were found in the reference.
        window_count: How many windows were looked for.
    """

    offset_seconds: float
    parts_per_million: float
    residual_rms_seconds: float
    residual_max_seconds: float
    windows_matched: int
    window_count: int


@dataclass
class Drift:
    """How sound is stretched: the figures of a stretch, printed as text or as JSON.

    Attributes:
        source_seconds: How long the recording is, in seconds.
        output_seconds: How long it becomes, in seconds.
        ratio: How many seconds of the output a second of the recording takes.
        parts_per_million: How much longer the event lasts by the other clock, in parts per million.
        milliseconds_per_hour: How far the clocks drift apart in an hour, in milliseconds.
        cents: By how much the pitch changes, in cents, hundredths of a semitone.
        pieces: The pieces in which the ratio is constant, in order.
        match: How it was found from the sound; None if it was not.
        notes: What is worth knowing, one sentence each.
    """

    source_seconds: float
    output_seconds: float
    ratio: float
    parts_per_million: float
    milliseconds_per_hour: float
    cents: float
    pieces: list[DriftPiece]
    notes: list[str]
    match: Optional[DriftMatch] = None
