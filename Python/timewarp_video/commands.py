"""The commands as functions: keyword arguments are the options of the command line.

Written by Scripts/python-module: change what it is made from, and run that.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Literal, Optional

from .calls import Formula, Keyframes, Range, Value, reading, rendering, telling
from .program import ProgressListener
from .results import Beats, Inspection, Verification
from .values import File, Time


@rendering("warp")
def warp(
    input: File,
    output: File,
    *,
    curve: Optional[Literal["double-smoothstep", "triangle", "constant", "ramp", "smoothstep", "power", "cosine",
        "tapered-cosine", "sine", "tapered-sine"]] = None,
    factor: Optional[Value] = None,
    modifier: Optional[Value] = None,
    flip: bool = False,
    scale: Optional[Formula] = None,
    speed: Optional[Formula] = None,
    integral: Optional[Value] = None,
    keyframes: Optional[Keyframes] = None,
    easing: Optional[Value] = None,
    curve_file: Optional[File] = None,
    fit: Optional[Time] = None,
    time_map: Optional[File] = None,
    fps: Optional[Value] = None,
    frames: Optional[Literal["hold", "blend", "motion"]] = None,
    skip_repeats: bool = False,
    shutter: Optional[Value] = None,
    video_codec: Optional[Literal["h264", "hevc", "av1", "vp9", "prores", "dnxhd", "mjpeg", "dvvideo", "ffv1", "gif",
        "rawvideo", "copy"]] = None,
    smart: bool = False,
    pixel_format: Optional[Value] = None,
    hardware: Optional[Literal["off", "auto", "nvenc", "qsv", "amf", "videotoolbox", "vaapi", "v4l2m2m"]] = None,
    crf: Optional[Value] = None,
    video_bitrate: Optional[Value] = None,
    preset: Optional[Value] = None,
    hardware_decoding: Optional[Literal["off", "auto", "cuda", "videotoolbox", "vaapi", "vdpau", "vulkan"]] = None,
    threads: Optional[Value] = None,
    jobs: Optional[Value] = None,
    audio: Optional[Literal["varispeed", "keep-pitch", "keep", "mute"]] = None,
    tune: Optional[Literal["music", "speech"]] = None,
    freeze_sound: Optional[Literal["silence", "hold"]] = None,
    interpolation: Optional[Literal["sinc", "smooth", "linear"]] = None,
    audio_codec: Optional[Literal["aac", "opus", "mp3", "flac", "pcm"]] = None,
    audio_bitrate: Optional[Value] = None,
    overwrite: bool = False,
    pieces: Optional[Value] = None,
    report: Optional[File] = None,
    format: Optional[Literal["mp4", "mov", "mkv", "webm", "gif", "m4a", "mp3", "wav", "flac", "opus", "ogg", "nut",
        "y4m"]] = None,
    memory: Optional[Value] = None,
    strip_metadata: bool = False,
    index_at_end: bool = False,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    range: Optional[Range] = None,
    boomerang: bool = False,
    fade_in: Optional[Time] = None,
    fade_out: Optional[Time] = None,
    gain: Optional[Value] = None,
    output_range: Optional[Range] = None,
    progress: Optional[ProgressListener] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Speed ramp: slow down and speed up video and sound along a curve.

    Args:
        input: The clips or projects (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml) to warp.
        curve: A built-in curve. (default: double-smoothstep)
        factor: Strength of the curve: 2 slows to half speed, 0.5 or 1/2 doubles it. (default: 1.5)
        modifier: Share of the clip that the curve fills, or how fast it swings. (default: 0.5)
        flip: Use the curve mirrored, from its end to its start.
        scale: The time scale s as a formula in t on [0,1], such as '1 + sin(pi*t)'.
        speed: The speed 1/s as a formula in t, such as '1 + 3*t'.
        integral: The antiderivative of s as a formula in t, such as 't^2/2'.
        keyframes: A speed ramp: speeds at instants of the source, such as '0:1, 40%:0.25, 6s:0.25, 1:1'. If a speed is
            0 or below, the instants are those of the output; '2s:-1@5s' there cuts to 5 s of the source.
        easing: How the speed changes between keyframes: linear, smooth, hold, or bezier(x1,y1,x2,y2) with x1 and x2
            from 0 to 1. (default: smooth)
        curve_file: A file with a curve saved as JSON.
        fit: Make the output last exactly this long, such as 12.5s or 1:30; the curve keeps its shape.
        time_map: Instead of a curve: a time map (which source instant is shown when) as JSON, a framecurve, or a clip
            of a project, such as 'edit.fcpxml#clip name'.
        output: The file to write; its extension chooses the container: .mp4 .mov .mkv .webm .gif .m4a .mp3 .wav .flac
            .opus .ogg .nut .y4m. For several inputs a folder, in which they keep their names. - is stdout, for a pipe.
        fps: Frames per second: a number, a fraction such as 30000/1001, source, or any. With any, every source frame is
            written once, with exactly its new time (variable frame rate). source does the same where the source's own
            frames are uneven, as those of phones.
        frames: What slow motion shows between two source frames: hold repeats the earlier one, blend mixes both by
            their distance in time, motion makes the frame in between from the motion of what they show. (default: hold,
            or what a project says)
        skip_repeats: With --frames motion or blend, drop source frames that repeat the one before (animation "on twos",
            film in a 30 Hz video), and make frames between distinct ones, at even steps.
        shutter: Motion blur for fast motion: where the output skips source frames, average those that fall within the
            shutter's opening. 360 is open all the time, 180 half of it. With --frames motion, frames are also made
            between them, so that even a few source frames blur as film does.
        video_codec: The video codec. With copy, which needs --fps any, packets get new timestamps and nothing is
            decoded. (default: the container's usual codec)
        smart: Encode only what changes: keep the source's packets where the output shows a run of its frames unchanged,
            and encode the rest in its codec. Packets of AAC are kept where the sound plays unchanged. --dry-run says
            how much and why.
        pixel_format: How pixels are stored, such as yuv420p, which everything plays, or yuv420p10le. (default: as in
            the source, or the nearest that the codec has)
        hardware: Encode in hardware: auto takes the first encoder that works here, or else software, and says which; a
            name that doesn't work is an error. Hardware's output isn't reproducible, so it can't be made in pieces.
        crf: Quality: lower is better and larger. (default: h264 20, hevc 23, av1 30, vp9 31)
        video_bitrate: Bits per second of the video, such as 8M, instead of a quality.
        preset: The encoder's preset: speed against file size. (default: h264 medium, hevc medium, av1 8, vp9 4)
        hardware_decoding: Decode in hardware if its first frames equal those of software: auto takes the first kind
            that does, or else software, and says which; a name that doesn't work is an error.
        threads: Threads for each codec; 0 uses one per core.
        jobs: Encode the video in pieces, this many at a time, and join them without encoding again. Helps if the
            machine has more cores than one encoder uses. Memory use grows with it.
        audio: Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the original speed), or mute.
            (default: varispeed, or what a project says)
        tune: Tune --audio keep-pitch for music (or any mix), or for speech (one voice alone stays clearer; chords
            waver).
        freeze_sound: The sound of a freeze with --audio keep-pitch: silence, or hold (the sound of that instant
            continues).
        interpolation: Interpolation between audio samples: sinc (band-limited), smooth, or linear.
        audio_codec: The audio codec. (default: the container's usual codec)
        audio_bitrate: Bits per second of each audio track, such as 192k.
        overwrite: Replace the output file if it exists.
        pieces: Cut the render into this many pieces of about equal work: the sound is one of them, and a story is cut
            between its media files. Any number of jobs gives the same bytes. (default: one for each few hundred frames
            if --jobs is above 1, else the video isn't cut)
        report: Measure the finished file, compare samples of it with the source, and write the results as JSON; - is
            stdout. With several inputs, a folder.
        format: The kind of file, whatever its name. A pipe (-o -) needs one: nut, mkv, mp4, y4m, wav.
        memory: Memory for decoded frames that are shown in another order (reverse, freeze), such as 512MiB; those that
            don't fit go to disk. (default: 256MiB)
        strip_metadata: Drop the tags of the file and of its tracks: titles, dates, places, names of devices. Languages
            stay.
        index_at_end: Leave the index of an MP4 or MOV at its end. By default it comes first, so that the file can play
            while it loads; that takes one more pass over the finished file.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        range: Use only this part of the input, such as 1:30..1:45.
        boomerang: Play the result forwards and then backwards to its start.
        fade_in: Fade in from black and silence at the start of the result, for this long, such as 0.5s.
        fade_out: Fade out to black and silence at its end, for this long, such as 0.5s.
        gain: Make the sound louder or softer by this many decibels, -96 to 24.
        output_range: Render only this part of the result, such as 0:12..0:14, to look at a sample of it.
        progress: Is called as it gets on; what it raises cancels the render.
        cancelled: Cancels it once it is set.
    """


@rendering("scale")
def scale(
    input: File,
    output: File,
    *,
    factor: Optional[Value] = None,
    speed: Optional[Value] = None,
    to: Optional[Time] = None,
    fps: Optional[Value] = None,
    frames: Optional[Literal["hold", "blend", "motion"]] = None,
    skip_repeats: bool = False,
    shutter: Optional[Value] = None,
    video_codec: Optional[Literal["h264", "hevc", "av1", "vp9", "prores", "dnxhd", "mjpeg", "dvvideo", "ffv1", "gif",
        "rawvideo", "copy"]] = None,
    smart: bool = False,
    pixel_format: Optional[Value] = None,
    hardware: Optional[Literal["off", "auto", "nvenc", "qsv", "amf", "videotoolbox", "vaapi", "v4l2m2m"]] = None,
    crf: Optional[Value] = None,
    video_bitrate: Optional[Value] = None,
    preset: Optional[Value] = None,
    hardware_decoding: Optional[Literal["off", "auto", "cuda", "videotoolbox", "vaapi", "vdpau", "vulkan"]] = None,
    threads: Optional[Value] = None,
    jobs: Optional[Value] = None,
    audio: Optional[Literal["varispeed", "keep-pitch", "keep", "mute"]] = None,
    tune: Optional[Literal["music", "speech"]] = None,
    freeze_sound: Optional[Literal["silence", "hold"]] = None,
    interpolation: Optional[Literal["sinc", "smooth", "linear"]] = None,
    audio_codec: Optional[Literal["aac", "opus", "mp3", "flac", "pcm"]] = None,
    audio_bitrate: Optional[Value] = None,
    overwrite: bool = False,
    pieces: Optional[Value] = None,
    report: Optional[File] = None,
    format: Optional[Literal["mp4", "mov", "mkv", "webm", "gif", "m4a", "mp3", "wav", "flac", "opus", "ogg", "nut",
        "y4m"]] = None,
    memory: Optional[Value] = None,
    strip_metadata: bool = False,
    index_at_end: bool = False,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    range: Optional[Range] = None,
    boomerang: bool = False,
    fade_in: Optional[Time] = None,
    fade_out: Optional[Time] = None,
    gain: Optional[Value] = None,
    output_range: Optional[Range] = None,
    progress: Optional[ProgressListener] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Slow motion or time lapse: change the speed of a whole clip by a factor.

    Args:
        input: The clips or projects (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml) to scale.
        factor: Output seconds per source second: 2 is half speed. Also 4/3 or 200%.
        speed: Source seconds per output second: 2 is double speed. Also 4/3, 2x or 50%.
        to: The duration of the output, such as 12.5s or 1:30.
        output: The file to write; its extension chooses the container: .mp4 .mov .mkv .webm .gif .m4a .mp3 .wav .flac
            .opus .ogg .nut .y4m. For several inputs a folder, in which they keep their names. - is stdout, for a pipe.
        fps: Frames per second: a number, a fraction such as 30000/1001, source, or any. With any, every source frame is
            written once, with exactly its new time (variable frame rate). source does the same where the source's own
            frames are uneven, as those of phones.
        frames: What slow motion shows between two source frames: hold repeats the earlier one, blend mixes both by
            their distance in time, motion makes the frame in between from the motion of what they show. (default: hold,
            or what a project says)
        skip_repeats: With --frames motion or blend, drop source frames that repeat the one before (animation "on twos",
            film in a 30 Hz video), and make frames between distinct ones, at even steps.
        shutter: Motion blur for fast motion: where the output skips source frames, average those that fall within the
            shutter's opening. 360 is open all the time, 180 half of it. With --frames motion, frames are also made
            between them, so that even a few source frames blur as film does.
        video_codec: The video codec. With copy, which needs --fps any, packets get new timestamps and nothing is
            decoded. (default: the container's usual codec)
        smart: Encode only what changes: keep the source's packets where the output shows a run of its frames unchanged,
            and encode the rest in its codec. Packets of AAC are kept where the sound plays unchanged. --dry-run says
            how much and why.
        pixel_format: How pixels are stored, such as yuv420p, which everything plays, or yuv420p10le. (default: as in
            the source, or the nearest that the codec has)
        hardware: Encode in hardware: auto takes the first encoder that works here, or else software, and says which; a
            name that doesn't work is an error. Hardware's output isn't reproducible, so it can't be made in pieces.
        crf: Quality: lower is better and larger. (default: h264 20, hevc 23, av1 30, vp9 31)
        video_bitrate: Bits per second of the video, such as 8M, instead of a quality.
        preset: The encoder's preset: speed against file size. (default: h264 medium, hevc medium, av1 8, vp9 4)
        hardware_decoding: Decode in hardware if its first frames equal those of software: auto takes the first kind
            that does, or else software, and says which; a name that doesn't work is an error.
        threads: Threads for each codec; 0 uses one per core.
        jobs: Encode the video in pieces, this many at a time, and join them without encoding again. Helps if the
            machine has more cores than one encoder uses. Memory use grows with it.
        audio: Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the original speed), or mute.
            (default: varispeed, or what a project says)
        tune: Tune --audio keep-pitch for music (or any mix), or for speech (one voice alone stays clearer; chords
            waver).
        freeze_sound: The sound of a freeze with --audio keep-pitch: silence, or hold (the sound of that instant
            continues).
        interpolation: Interpolation between audio samples: sinc (band-limited), smooth, or linear.
        audio_codec: The audio codec. (default: the container's usual codec)
        audio_bitrate: Bits per second of each audio track, such as 192k.
        overwrite: Replace the output file if it exists.
        pieces: Cut the render into this many pieces of about equal work: the sound is one of them, and a story is cut
            between its media files. Any number of jobs gives the same bytes. (default: one for each few hundred frames
            if --jobs is above 1, else the video isn't cut)
        report: Measure the finished file, compare samples of it with the source, and write the results as JSON; - is
            stdout. With several inputs, a folder.
        format: The kind of file, whatever its name. A pipe (-o -) needs one: nut, mkv, mp4, y4m, wav.
        memory: Memory for decoded frames that are shown in another order (reverse, freeze), such as 512MiB; those that
            don't fit go to disk. (default: 256MiB)
        strip_metadata: Drop the tags of the file and of its tracks: titles, dates, places, names of devices. Languages
            stay.
        index_at_end: Leave the index of an MP4 or MOV at its end. By default it comes first, so that the file can play
            while it loads; that takes one more pass over the finished file.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        range: Use only this part of the input, such as 1:30..1:45.
        boomerang: Play the result forwards and then backwards to its start.
        fade_in: Fade in from black and silence at the start of the result, for this long, such as 0.5s.
        fade_out: Fade out to black and silence at its end, for this long, such as 0.5s.
        gain: Make the sound louder or softer by this many decibels, -96 to 24.
        output_range: Render only this part of the result, such as 0:12..0:14, to look at a sample of it.
        progress: Is called as it gets on; what it raises cancels the render.
        cancelled: Cancels it once it is set.
    """


@rendering("reverse")
def reverse(
    input: File,
    output: File,
    *,
    fps: Optional[Value] = None,
    frames: Optional[Literal["hold", "blend", "motion"]] = None,
    skip_repeats: bool = False,
    shutter: Optional[Value] = None,
    video_codec: Optional[Literal["h264", "hevc", "av1", "vp9", "prores", "dnxhd", "mjpeg", "dvvideo", "ffv1", "gif",
        "rawvideo", "copy"]] = None,
    smart: bool = False,
    pixel_format: Optional[Value] = None,
    hardware: Optional[Literal["off", "auto", "nvenc", "qsv", "amf", "videotoolbox", "vaapi", "v4l2m2m"]] = None,
    crf: Optional[Value] = None,
    video_bitrate: Optional[Value] = None,
    preset: Optional[Value] = None,
    hardware_decoding: Optional[Literal["off", "auto", "cuda", "videotoolbox", "vaapi", "vdpau", "vulkan"]] = None,
    threads: Optional[Value] = None,
    jobs: Optional[Value] = None,
    audio: Optional[Literal["reverse", "keep", "mute"]] = None,
    interpolation: Optional[Literal["sinc", "smooth", "linear"]] = None,
    audio_codec: Optional[Literal["aac", "opus", "mp3", "flac", "pcm"]] = None,
    audio_bitrate: Optional[Value] = None,
    overwrite: bool = False,
    pieces: Optional[Value] = None,
    report: Optional[File] = None,
    format: Optional[Literal["mp4", "mov", "mkv", "webm", "gif", "m4a", "mp3", "wav", "flac", "opus", "ogg", "nut",
        "y4m"]] = None,
    memory: Optional[Value] = None,
    strip_metadata: bool = False,
    index_at_end: bool = False,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    range: Optional[Range] = None,
    boomerang: bool = False,
    fade_in: Optional[Time] = None,
    fade_out: Optional[Time] = None,
    gain: Optional[Value] = None,
    output_range: Optional[Range] = None,
    progress: Optional[ProgressListener] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Play a clip backwards, however long it is.

    Args:
        input: The clips or projects (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml) to reverse.
        output: The file to write; its extension chooses the container: .mp4 .mov .mkv .webm .gif .m4a .mp3 .wav .flac
            .opus .ogg .nut .y4m. For several inputs a folder, in which they keep their names. - is stdout, for a pipe.
        fps: Frames per second: a number, a fraction such as 30000/1001, source, or any. With any, every source frame is
            written once, with exactly its new time (variable frame rate). source does the same where the source's own
            frames are uneven, as those of phones.
        frames: What slow motion shows between two source frames: hold repeats the earlier one, blend mixes both by
            their distance in time, motion makes the frame in between from the motion of what they show. (default: hold,
            or what a project says)
        skip_repeats: With --frames motion or blend, drop source frames that repeat the one before (animation "on twos",
            film in a 30 Hz video), and make frames between distinct ones, at even steps.
        shutter: Motion blur for fast motion: where the output skips source frames, average those that fall within the
            shutter's opening. 360 is open all the time, 180 half of it. With --frames motion, frames are also made
            between them, so that even a few source frames blur as film does.
        video_codec: The video codec. With copy, which needs --fps any, packets get new timestamps and nothing is
            decoded. (default: the container's usual codec)
        smart: Encode only what changes: keep the source's packets where the output shows a run of its frames unchanged,
            and encode the rest in its codec. Packets of AAC are kept where the sound plays unchanged. --dry-run says
            how much and why.
        pixel_format: How pixels are stored, such as yuv420p, which everything plays, or yuv420p10le. (default: as in
            the source, or the nearest that the codec has)
        hardware: Encode in hardware: auto takes the first encoder that works here, or else software, and says which; a
            name that doesn't work is an error. Hardware's output isn't reproducible, so it can't be made in pieces.
        crf: Quality: lower is better and larger. (default: h264 20, hevc 23, av1 30, vp9 31)
        video_bitrate: Bits per second of the video, such as 8M, instead of a quality.
        preset: The encoder's preset: speed against file size. (default: h264 medium, hevc medium, av1 8, vp9 4)
        hardware_decoding: Decode in hardware if its first frames equal those of software: auto takes the first kind
            that does, or else software, and says which; a name that doesn't work is an error.
        threads: Threads for each codec; 0 uses one per core.
        jobs: Encode the video in pieces, this many at a time, and join them without encoding again. Helps if the
            machine has more cores than one encoder uses. Memory use grows with it.
        audio: Sound: reverse, keep (forwards, as in the source), or mute.
        interpolation: Interpolation between audio samples: sinc (band-limited), smooth, or linear.
        audio_codec: The audio codec. (default: the container's usual codec)
        audio_bitrate: Bits per second of each audio track, such as 192k.
        overwrite: Replace the output file if it exists.
        pieces: Cut the render into this many pieces of about equal work: the sound is one of them, and a story is cut
            between its media files. Any number of jobs gives the same bytes. (default: one for each few hundred frames
            if --jobs is above 1, else the video isn't cut)
        report: Measure the finished file, compare samples of it with the source, and write the results as JSON; - is
            stdout. With several inputs, a folder.
        format: The kind of file, whatever its name. A pipe (-o -) needs one: nut, mkv, mp4, y4m, wav.
        memory: Memory for decoded frames that are shown in another order (reverse, freeze), such as 512MiB; those that
            don't fit go to disk. (default: 256MiB)
        strip_metadata: Drop the tags of the file and of its tracks: titles, dates, places, names of devices. Languages
            stay.
        index_at_end: Leave the index of an MP4 or MOV at its end. By default it comes first, so that the file can play
            while it loads; that takes one more pass over the finished file.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        range: Use only this part of the input, such as 1:30..1:45.
        boomerang: Play the result forwards and then backwards to its start.
        fade_in: Fade in from black and silence at the start of the result, for this long, such as 0.5s.
        fade_out: Fade out to black and silence at its end, for this long, such as 0.5s.
        gain: Make the sound louder or softer by this many decibels, -96 to 24.
        output_range: Render only this part of the result, such as 0:12..0:14, to look at a sample of it.
        progress: Is called as it gets on; what it raises cancels the render.
        cancelled: Cancels it once it is set.
    """


@rendering("stretch")
def stretch(
    input: File,
    output: File,
    *,
    to: Optional[Time] = None,
    by: Optional[Value] = None,
    like: Optional[File] = None,
    anchors: Optional[File] = None,
    match: Optional[File] = None,
    with_picture: bool = False,
    audio: Optional[Literal["varispeed", "keep-pitch", "keep", "mute"]] = None,
    tune: Optional[Literal["music", "speech"]] = None,
    freeze_sound: Optional[Literal["silence", "hold"]] = None,
    interpolation: Optional[Literal["sinc", "smooth", "linear"]] = None,
    audio_codec: Optional[Literal["aac", "opus", "mp3", "flac", "pcm"]] = None,
    audio_bitrate: Optional[Value] = None,
    overwrite: bool = False,
    pieces: Optional[Value] = None,
    report: Optional[File] = None,
    format: Optional[Literal["mp4", "mov", "mkv", "webm", "gif", "m4a", "mp3", "wav", "flac", "opus", "ogg", "nut",
        "y4m"]] = None,
    memory: Optional[Value] = None,
    strip_metadata: bool = False,
    index_at_end: bool = False,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    progress: Optional[ProgressListener] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Stretch sound to an exact duration, or correct clock drift between recordings.

    Args:
        input: The recordings, or projects (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml).
        output: The file to write. With --match it may be omitted. For several inputs a folder, in which they keep their
            names.
        to: The duration of the output, such as 12.5s or 1:30.
        by: How much longer or shorter the output is than the input: +1s, -250ms.
        like: Make the output as long as this recording.
        anchors: A file with instants of the recording and where they belong.
        match: Find the offset and drift from this recording of the same event.
        with_picture: Add the reference's video to the output, unchanged.
        audio: Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the original speed), or mute.
            (default: varispeed, or what a project says)
        tune: Tune --audio keep-pitch for music (or any mix), or for speech (one voice alone stays clearer; chords
            waver).
        freeze_sound: The sound of a freeze with --audio keep-pitch: silence, or hold (the sound of that instant
            continues).
        interpolation: Interpolation between audio samples: sinc (band-limited), smooth, or linear.
        audio_codec: The audio codec. (default: the container's usual codec)
        audio_bitrate: Bits per second of each audio track, such as 192k.
        overwrite: Replace the output file if it exists.
        pieces: Cut the render into this many pieces of about equal work: the sound is one of them, and a story is cut
            between its media files. Any number of jobs gives the same bytes. (default: one for each few hundred frames
            if --jobs is above 1, else the video isn't cut)
        report: Measure the finished file, compare samples of it with the source, and write the results as JSON; - is
            stdout. With several inputs, a folder.
        format: The kind of file, whatever its name. A pipe (-o -) needs one: nut, mkv, mp4, y4m, wav.
        memory: Memory for decoded frames that are shown in another order (reverse, freeze), such as 512MiB; those that
            don't fit go to disk. (default: 256MiB)
        strip_metadata: Drop the tags of the file and of its tracks: titles, dates, places, names of devices. Languages
            stay.
        index_at_end: Leave the index of an MP4 or MOV at its end. By default it comes first, so that the file can play
            while it loads; that takes one more pass over the finished file.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        progress: Is called as it gets on; what it raises cancels the render.
        cancelled: Cancels it once it is set.
    """


@rendering("compose")
def compose(
    inputs: Sequence[File],
    output: File,
    *,
    dissolve: Optional[Time] = None,
    size: Optional[Value] = None,
    crossfade: Optional[Time] = None,
    boomerang: bool = False,
    fade_in: Optional[Time] = None,
    fade_out: Optional[Time] = None,
    gain: Optional[Value] = None,
    output_range: Optional[Range] = None,
    fps: Optional[Value] = None,
    frames: Optional[Literal["hold", "blend", "motion"]] = None,
    skip_repeats: bool = False,
    shutter: Optional[Value] = None,
    video_codec: Optional[Literal["h264", "hevc", "av1", "vp9", "prores", "dnxhd", "mjpeg", "dvvideo", "ffv1", "gif",
        "rawvideo", "copy"]] = None,
    smart: bool = False,
    pixel_format: Optional[Value] = None,
    hardware: Optional[Literal["off", "auto", "nvenc", "qsv", "amf", "videotoolbox", "vaapi", "v4l2m2m"]] = None,
    crf: Optional[Value] = None,
    video_bitrate: Optional[Value] = None,
    preset: Optional[Value] = None,
    hardware_decoding: Optional[Literal["off", "auto", "cuda", "videotoolbox", "vaapi", "vdpau", "vulkan"]] = None,
    threads: Optional[Value] = None,
    jobs: Optional[Value] = None,
    audio: Optional[Literal["varispeed", "keep-pitch", "keep", "mute"]] = None,
    tune: Optional[Literal["music", "speech"]] = None,
    freeze_sound: Optional[Literal["silence", "hold"]] = None,
    interpolation: Optional[Literal["sinc", "smooth", "linear"]] = None,
    audio_codec: Optional[Literal["aac", "opus", "mp3", "flac", "pcm"]] = None,
    audio_bitrate: Optional[Value] = None,
    overwrite: bool = False,
    pieces: Optional[Value] = None,
    report: Optional[File] = None,
    format: Optional[Literal["mp4", "mov", "mkv", "webm", "gif", "m4a", "mp3", "wav", "flac", "opus", "ogg", "nut",
        "y4m"]] = None,
    memory: Optional[Value] = None,
    strip_metadata: bool = False,
    index_at_end: bool = False,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    progress: Optional[ProgressListener] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Put clips on a timeline and render it: join, trim, retime.

    Args:
        inputs: A project (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml), or clips and projects to join
            one after another.
        output: The video file to write, or a project: .edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml. -
            is stdout, for a pipe.
        dissolve: Dissolve from clip to clip for this long, such as 0.5s: they overlap.
        size: The size of the output in pixels, such as 1280x720; even numbers.
        crossfade: The duration of the sound's crossfade between clips. (default: 5ms)
        boomerang: Play the result forwards and then backwards to its start.
        fade_in: Fade in from black and silence at the start of the result, for this long, such as 0.5s.
        fade_out: Fade out to black and silence at its end, for this long, such as 0.5s.
        gain: Make the sound louder or softer by this many decibels, -96 to 24.
        output_range: Render only this part of the result, such as 0:12..0:14, to look at a sample of it.
        fps: Frames per second: a number, a fraction such as 30000/1001, source, or any. With any, every source frame is
            written once, with exactly its new time (variable frame rate). source does the same where the source's own
            frames are uneven, as those of phones.
        frames: What slow motion shows between two source frames: hold repeats the earlier one, blend mixes both by
            their distance in time, motion makes the frame in between from the motion of what they show. (default: hold,
            or what a project says)
        skip_repeats: With --frames motion or blend, drop source frames that repeat the one before (animation "on twos",
            film in a 30 Hz video), and make frames between distinct ones, at even steps.
        shutter: Motion blur for fast motion: where the output skips source frames, average those that fall within the
            shutter's opening. 360 is open all the time, 180 half of it. With --frames motion, frames are also made
            between them, so that even a few source frames blur as film does.
        video_codec: The video codec. With copy, which needs --fps any, packets get new timestamps and nothing is
            decoded. (default: the container's usual codec)
        smart: Encode only what changes: keep the source's packets where the output shows a run of its frames unchanged,
            and encode the rest in its codec. Packets of AAC are kept where the sound plays unchanged. --dry-run says
            how much and why.
        pixel_format: How pixels are stored, such as yuv420p, which everything plays, or yuv420p10le. (default: as in
            the source, or the nearest that the codec has)
        hardware: Encode in hardware: auto takes the first encoder that works here, or else software, and says which; a
            name that doesn't work is an error. Hardware's output isn't reproducible, so it can't be made in pieces.
        crf: Quality: lower is better and larger. (default: h264 20, hevc 23, av1 30, vp9 31)
        video_bitrate: Bits per second of the video, such as 8M, instead of a quality.
        preset: The encoder's preset: speed against file size. (default: h264 medium, hevc medium, av1 8, vp9 4)
        hardware_decoding: Decode in hardware if its first frames equal those of software: auto takes the first kind
            that does, or else software, and says which; a name that doesn't work is an error.
        threads: Threads for each codec; 0 uses one per core.
        jobs: Encode the video in pieces, this many at a time, and join them without encoding again. Helps if the
            machine has more cores than one encoder uses. Memory use grows with it.
        audio: Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the original speed), or mute.
            (default: varispeed, or what a project says)
        tune: Tune --audio keep-pitch for music (or any mix), or for speech (one voice alone stays clearer; chords
            waver).
        freeze_sound: The sound of a freeze with --audio keep-pitch: silence, or hold (the sound of that instant
            continues).
        interpolation: Interpolation between audio samples: sinc (band-limited), smooth, or linear.
        audio_codec: The audio codec. (default: the container's usual codec)
        audio_bitrate: Bits per second of each audio track, such as 192k.
        overwrite: Replace the output file if it exists.
        pieces: Cut the render into this many pieces of about equal work: the sound is one of them, and a story is cut
            between its media files. Any number of jobs gives the same bytes. (default: one for each few hundred frames
            if --jobs is above 1, else the video isn't cut)
        report: Measure the finished file, compare samples of it with the source, and write the results as JSON; - is
            stdout. With several inputs, a folder.
        format: The kind of file, whatever its name. A pipe (-o -) needs one: nut, mkv, mp4, y4m, wav.
        memory: Memory for decoded frames that are shown in another order (reverse, freeze), such as 512MiB; those that
            don't fit go to disk. (default: 256MiB)
        strip_metadata: Drop the tags of the file and of its tracks: titles, dates, places, names of devices. Languages
            stay.
        index_at_end: Leave the index of an MP4 or MOV at its end. By default it comes first, so that the file can play
            while it loads; that takes one more pass over the finished file.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        progress: Is called as it gets on; what it raises cancels the render.
        cancelled: Cancels it once it is set.
    """


@telling("story check")
def story_check(
    story: File,
    *,
    graph: Optional[File] = None,
    log: Optional[File] = None,
    overwrite: bool = False,
    without_media: bool = False,
    strict: bool = False,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Find mistakes in a story, and draw its branches.

    Args:
        story: The story file.
        graph: Draw the segments and the choices between them as SVG, with the findings marked.
        log: Draw into the graph how often viewers took each way, from a log of visits.
        overwrite: Replace the SVG file if it exists.
        without_media: Don't open the media files of the story.
        strict: Exit with 65 if there are warnings, too.
        cancelled: Cancels it once it is set.
    """


@telling("story walk")
def story_walk(
    story: File,
    *,
    random: Optional[Value] = None,
    seed: Optional[Value] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Play through every branch of a story without a screen.

    Args:
        story: A story file, or the story.json of a built story.
        random: Print this many random walks as JSON.
        seed: The seed of the random walks: the same seed gives the same walks.
        cancelled: Cancels it once it is set.
    """


@telling("story build")
def story_build(
    story: File,
    output: File,
    *,
    single_file: bool = False,
    fps: Optional[Value] = None,
    frames: Optional[Literal["hold", "blend", "motion"]] = None,
    crf: Optional[Value] = None,
    preset: Optional[Value] = None,
    audio_codec: Optional[Literal["aac", "opus"]] = None,
    audio_bitrate: Optional[Value] = None,
    mute: bool = False,
    overwrite: bool = False,
    pieces: Optional[Value] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Render an interactive video: a folder, or one HTML file, with the player.

    Args:
        story: The story file.
        output: The folder to write, or with --single-file the HTML file.
        single_file: Put everything into one HTML file.
        fps: Frames per second: a number, a fraction, or source (that of the first segment).
        frames: What slow motion shows between two source frames: hold, blend or motion.
        crf: Quality: lower is better and larger. (default: 20)
        preset: The encoder's preset: speed against file size. (default: medium)
        audio_codec: The audio codec.
        audio_bitrate: Bits per second of the audio, such as 192k.
        mute: Discard the sound.
        overwrite: Replace a story that was built there earlier.
        pieces: Cut the render into this many pieces of about equal work: the sound is one of them, and a story is cut
            between its media files. Any number of jobs gives the same bytes. (default: one for each few hundred frames
            if --jobs is above 1, else the video isn't cut)
        cancelled: Cancels it once it is set.
    """


@telling("story play")
def story_play(
    folder: File,
    *,
    log: Optional[File] = None,
    port: Optional[Value] = None,
    open: bool = False,
    no_open: bool = False,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Serve a built story on this machine, and open it in the browser.

    Args:
        folder: The folder written by story build.
        log: Append what viewers do to this file.
        port: The port to listen on; 0 chooses a free one.
        open: Open the page in the browser.
        no_open: Open the page in the browser.
        cancelled: Cancels it once it is set.
    """


@telling("story schema")
def story_schema(
    *,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Print the JSON Schema of story files.

    Args:
        cancelled: Cancels it once it is set.
    """


@telling("story strings")
def story_strings(
    language: Optional[Value] = None,
    *,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Print the texts of the player's page, as a strings file.

    Args:
        language: The language, such as de.
        cancelled: Cancels it once it is set.
    """


@rendering("copy")
def copy(
    input: File,
    output: File,
    *,
    overwrite: bool = False,
    pieces: Optional[Value] = None,
    report: Optional[File] = None,
    format: Optional[Literal["mp4", "mov", "mkv", "webm", "gif", "m4a", "mp3", "wav", "flac", "opus", "ogg", "nut",
        "y4m"]] = None,
    memory: Optional[Value] = None,
    strip_metadata: bool = False,
    index_at_end: bool = False,
    progress: Optional[ProgressListener] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Copy all packets to another container (remux), without decoding.

    Args:
        input: The files to copy.
        output: The file to write; its extension chooses the container. For several inputs a folder, in which they keep
            their names.
        overwrite: Replace the output file if it exists.
        pieces: Cut the render into this many pieces of about equal work: the sound is one of them, and a story is cut
            between its media files. Any number of jobs gives the same bytes. (default: one for each few hundred frames
            if --jobs is above 1, else the video isn't cut)
        report: Measure the finished file, compare samples of it with the source, and write the results as JSON; - is
            stdout. With several inputs, a folder.
        format: The kind of file, whatever its name. A pipe (-o -) needs one: nut, mkv, mp4, y4m, wav.
        memory: Memory for decoded frames that are shown in another order (reverse, freeze), such as 512MiB; those that
            don't fit go to disk. (default: 256MiB)
        strip_metadata: Drop the tags of the file and of its tracks: titles, dates, places, names of devices. Languages
            stay.
        index_at_end: Leave the index of an MP4 or MOV at its end. By default it comes first, so that the file can play
            while it loads; that takes one more pass over the finished file.
        progress: Is called as it gets on; what it raises cancels the render.
        cancelled: Cancels it once it is set.
    """


@telling("plot")
def plot(
    output: File,
    input: Optional[File] = None,
    *,
    curve: Optional[Literal["double-smoothstep", "triangle", "constant", "ramp", "smoothstep", "power", "cosine",
        "tapered-cosine", "sine", "tapered-sine"]] = None,
    factor: Optional[Value] = None,
    modifier: Optional[Value] = None,
    flip: bool = False,
    scale: Optional[Formula] = None,
    speed: Optional[Formula] = None,
    integral: Optional[Value] = None,
    keyframes: Optional[Keyframes] = None,
    easing: Optional[Value] = None,
    curve_file: Optional[File] = None,
    fit: Optional[Time] = None,
    time_map: Optional[File] = None,
    duration: Optional[Time] = None,
    width: Optional[Value] = None,
    height: Optional[Value] = None,
    overwrite: bool = False,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Draw a speed curve or a time map as an image, or write it as numbers.

    Args:
        input: A clip or project (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml) whose duration the curve
            is for.
        curve: A built-in curve. (default: double-smoothstep)
        factor: Strength of the curve: 2 slows to half speed, 0.5 or 1/2 doubles it. (default: 1.5)
        modifier: Share of the clip that the curve fills, or how fast it swings. (default: 0.5)
        flip: Use the curve mirrored, from its end to its start.
        scale: The time scale s as a formula in t on [0,1], such as '1 + sin(pi*t)'.
        speed: The speed 1/s as a formula in t, such as '1 + 3*t'.
        integral: The antiderivative of s as a formula in t, such as 't^2/2'.
        keyframes: A speed ramp: speeds at instants of the source, such as '0:1, 40%:0.25, 6s:0.25, 1:1'. If a speed is
            0 or below, the instants are those of the output; '2s:-1@5s' there cuts to 5 s of the source.
        easing: How the speed changes between keyframes: linear, smooth, hold, or bezier(x1,y1,x2,y2) with x1 and x2
            from 0 to 1. (default: smooth)
        curve_file: A file with a curve saved as JSON.
        fit: Make the output last exactly this long, such as 12.5s or 1:30; the curve keeps its shape.
        time_map: Instead of a curve: a time map of the clip, as timewarp warp takes it.
        duration: The duration of the source. (default: 10s)
        output: The .svg, .png, .json or .framecurve.txt file to write.
        width: The width of the image in pixels.
        height: The height of the image in pixels.
        overwrite: Replace the output file if it exists.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        cancelled: Cancels it once it is set.
    """


@telling("play")
def play(
    input: File,
    *,
    curve: Optional[Literal["double-smoothstep", "triangle", "constant", "ramp", "smoothstep", "power", "cosine",
        "tapered-cosine", "sine", "tapered-sine"]] = None,
    factor: Optional[Value] = None,
    modifier: Optional[Value] = None,
    flip: bool = False,
    scale: Optional[Formula] = None,
    speed: Optional[Formula] = None,
    integral: Optional[Value] = None,
    keyframes: Optional[Keyframes] = None,
    easing: Optional[Value] = None,
    curve_file: Optional[File] = None,
    fit: Optional[Time] = None,
    time_map: Optional[File] = None,
    range: Optional[Range] = None,
    boomerang: bool = False,
    fade_in: Optional[Time] = None,
    fade_out: Optional[Time] = None,
    gain: Optional[Value] = None,
    fps: Optional[Value] = None,
    frames: Optional[Literal["hold", "blend", "motion"]] = None,
    skip_repeats: bool = False,
    shutter: Optional[Value] = None,
    audio: Optional[Literal["varispeed", "keep-pitch", "keep", "mute"]] = None,
    tune: Optional[Literal["music", "speech"]] = None,
    freeze_sound: Optional[Literal["silence", "hold"]] = None,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    port: Optional[Value] = None,
    open: bool = False,
    no_open: bool = False,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Play a clip along a curve at once in the browser, as it would be rendered.

    Args:
        input: The clip, project (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml) or story (.json, or the
            folder that was built).
        curve: A built-in curve. (default: double-smoothstep)
        factor: Strength of the curve: 2 slows to half speed, 0.5 or 1/2 doubles it. (default: 1.5)
        modifier: Share of the clip that the curve fills, or how fast it swings. (default: 0.5)
        flip: Use the curve mirrored, from its end to its start.
        scale: The time scale s as a formula in t on [0,1], such as '1 + sin(pi*t)'.
        speed: The speed 1/s as a formula in t, such as '1 + 3*t'.
        integral: The antiderivative of s as a formula in t, such as 't^2/2'.
        keyframes: A speed ramp: speeds at instants of the source, such as '0:1, 40%:0.25, 6s:0.25, 1:1'. If a speed is
            0 or below, the instants are those of the output; '2s:-1@5s' there cuts to 5 s of the source.
        easing: How the speed changes between keyframes: linear, smooth, hold, or bezier(x1,y1,x2,y2) with x1 and x2
            from 0 to 1. (default: smooth)
        curve_file: A file with a curve saved as JSON.
        fit: Make the output last exactly this long, such as 12.5s or 1:30; the curve keeps its shape.
        time_map: Instead of a curve: a time map as JSON, a framecurve, or a clip of a project, such as
            'edit.fcpxml#clip name'.
        range: Use only this part of the input, such as 1:30..1:45.
        boomerang: Play the result forwards and then backwards to its start.
        fade_in: Fade in from black and silence at the start of the result, for this long, such as 0.5s.
        fade_out: Fade out to black and silence at its end, for this long, such as 0.5s.
        gain: Make the sound louder or softer by this many decibels, -96 to 24.
        fps: Frames per second: a number, a fraction such as 30000/1001, source, or any. With any, every source frame is
            written once, with exactly its new time (variable frame rate). source does the same where the source's own
            frames are uneven, as those of phones.
        frames: What slow motion shows between two source frames: hold repeats the earlier one, blend mixes both by
            their distance in time, motion makes the frame in between from the motion of what they show. (default: hold,
            or what a project says)
        skip_repeats: With --frames motion or blend, drop source frames that repeat the one before (animation "on twos",
            film in a 30 Hz video), and make frames between distinct ones, at even steps.
        shutter: Motion blur for fast motion: where the output skips source frames, average those that fall within the
            shutter's opening. 360 is open all the time, 180 half of it. With --frames motion, frames are also made
            between them, so that even a few source frames blur as film does.
        audio: Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the original speed), or mute.
            (default: varispeed, or what a project says)
        tune: Tune --audio keep-pitch for music (or any mix), or for speech (one voice alone stays clearer; chords
            waver).
        freeze_sound: The sound of a freeze with --audio keep-pitch: silence, or hold (the sound of that instant
            continues).
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        port: The port to listen on; 0 chooses a free one.
        open: Open the page in the browser.
        no_open: Open the page in the browser.
        cancelled: Cancels it once it is set.
    """


@reading("inspect", Inspection)
def inspect(
    input: File,
    *,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Show the streams, durations and timestamps of a media file, or the clips of a project.

    Args:
        input: The file or project (.edl, .fcpxml, .fcpxmld, .json, .kdenlive, .mlt, .otio, .xml) to inspect.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        cancelled: Cancels it once it is set.
    """


@reading("beats", Beats)
def beats(
    input: File,
    *,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Find the beats, the tempo and the onsets of a file's sound.

    Args:
        input: The media file to listen to.
        cancelled: Cancels it once it is set.
    """


@reading("verify", Verification)
def verify(
    file: Sequence[File],
    *,
    job: Optional[File] = None,
    curve: Optional[Literal["double-smoothstep", "triangle", "constant", "ramp", "smoothstep", "power", "cosine",
        "tapered-cosine", "sine", "tapered-sine"]] = None,
    factor: Optional[Value] = None,
    modifier: Optional[Value] = None,
    flip: bool = False,
    scale: Optional[Formula] = None,
    speed: Optional[Formula] = None,
    integral: Optional[Value] = None,
    keyframes: Optional[Keyframes] = None,
    easing: Optional[Value] = None,
    curve_file: Optional[File] = None,
    fit: Optional[Time] = None,
    time_map: Optional[File] = None,
    reverse: bool = False,
    unchanged: bool = False,
    range: Optional[Range] = None,
    boomerang: bool = False,
    fade_in: Optional[Time] = None,
    fade_out: Optional[Time] = None,
    gain: Optional[Value] = None,
    fps: Optional[Value] = None,
    frames: Optional[Literal["hold", "blend", "motion"]] = None,
    skip_repeats: bool = False,
    smart: bool = False,
    shutter: Optional[Value] = None,
    size: Optional[Value] = None,
    crossfade: Optional[Time] = None,
    audio: Optional[Literal["varispeed", "keep-pitch", "keep", "mute"]] = None,
    tune: Optional[Literal["music", "speech"]] = None,
    freeze_sound: Optional[Literal["silence", "hold"]] = None,
    sample: Optional[Value] = None,
    media: Optional[Sequence[File]] = None,
    sequence_rate: Optional[Value] = None,
    page: Optional[File] = None,
    overwrite: bool = False,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Measure a retimed file and compare it with its source and time map.

    Args:
        file: The file that the measured file was made from (not with --job), and the file to measure.
        job: The job by which OUT was made, instead of options; - is stdin.
        curve: A built-in curve. (default: double-smoothstep)
        factor: Strength of the curve: 2 slows to half speed, 0.5 or 1/2 doubles it. (default: 1.5)
        modifier: Share of the clip that the curve fills, or how fast it swings. (default: 0.5)
        flip: Use the curve mirrored, from its end to its start.
        scale: The time scale s as a formula in t on [0,1], such as '1 + sin(pi*t)'.
        speed: The speed 1/s as a formula in t, such as '1 + 3*t'.
        integral: The antiderivative of s as a formula in t, such as 't^2/2'.
        keyframes: A speed ramp: speeds at instants of the source, such as '0:1, 40%:0.25, 6s:0.25, 1:1'. If a speed is
            0 or below, the instants are those of the output; '2s:-1@5s' there cuts to 5 s of the source.
        easing: How the speed changes between keyframes: linear, smooth, hold, or bezier(x1,y1,x2,y2) with x1 and x2
            from 0 to 1. (default: smooth)
        curve_file: A file with a curve saved as JSON.
        fit: Make the output last exactly this long, such as 12.5s or 1:30; the curve keeps its shape.
        time_map: Instead of a curve: a time map as JSON, a framecurve, or a clip of a project, such as
            'edit.fcpxml#clip name'.
        reverse: Instead of a curve: OUT plays backwards.
        unchanged: Instead of a curve: OUT has unchanged times, as made by copy.
        range: The part of the input that was used.
        boomerang: Play the result forwards and then backwards to its start.
        fade_in: Fade in from black and silence at the start of the result, for this long, such as 0.5s.
        fade_out: Fade out to black and silence at its end, for this long, such as 0.5s.
        gain: Make the sound louder or softer by this many decibels, -96 to 24.
        fps: The --fps that OUT was made with. (default: source; with --unchanged, any)
        frames: The --frames that OUT was made with. (default: hold, or what a project says)
        skip_repeats: OUT was made with --skip-repeats.
        smart: OUT was made with --smart: frames whose packets are kept have to be the source's, bit for bit.
        shutter: The --shutter that OUT was made with.
        size: The size of the output in pixels, such as 1280x720; even numbers.
        crossfade: The duration of the sound's crossfade between clips. (default: 5ms)
        audio: Sound: varispeed (pitch follows speed), keep-pitch (time stretching), keep (the original speed), or mute.
            (default: varispeed, or what a project says)
        tune: Tune --audio keep-pitch for music (or any mix), or for speech (one voice alone stays clearer; chords
            waver).
        freeze_sound: The sound of a freeze with --audio keep-pitch: silence, or hold (the sound of that instant
            continues).
        sample: Compare frames and sound only in this many stretches of one second, spread evenly, instead of
            everywhere.
        media: Search this folder, and all folders in it, for media files that aren't where a project says. May be
            repeated.
        sequence_rate: Read numbered images as a film with this many a second: name a folder, or a file with #### (or
            %04d) for the number. Without this option a name always means one file.
        page: Write the measurements as a web page.
        overwrite: Replace the page if it exists.
        cancelled: Cancels it once it is set.
    """


@telling("studio")
def studio(
    *,
    port: Optional[Value] = None,
    workspace: Optional[File] = None,
    open: bool = False,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Edit speed ramps in the browser: shape the curve, preview, render.

    Args:
        port: The port to listen on; 0 chooses a free one.
        workspace: The folder for clips, curves and results; the page also offers media files that are in it. (default:
            ~/.local/share/timewarp, on macOS ~/Library/Application Support/TimeWarp)
        open: Open the page in the browser.
        cancelled: Cancels it once it is set.
    """


@telling("demo")
def demo(
    folder: Optional[File] = None,
    *,
    overwrite: bool = False,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Make a sample clip, slow it down along a curve, and plot the curve.

    Args:
        folder: The folder for the files; it is created if it doesn't exist.
        overwrite: Replace the files of an earlier demo.
        cancelled: Cancels it once it is set.
    """


@telling("job")
def job(
    job: File,
    *,
    lock_age: Optional[Value] = None,
    cancelled: Optional[threading.Event] = None,
) -> None:
    """Show the state of a job: which pieces are done, running, missing or damaged.

    Args:
        job: The job's folder.
        lock_age: After how many seconds without a sign of life a worker counts as ended. (default: 60)
        cancelled: Cancels it once it is set.
    """
