"""Makes the clips that are damaged, and strange clips that stay undamaged, with the ffmpeg program.

They are small: 96 by 64 pixels, 15 frames a second, a tone. An independent program writes them all,
so that a fault of ours in reading isn't hidden by the same fault in writing.
"""

import pathlib
import struct
import subprocess

PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=15:d=1.2"]
TONE = ["-f", "lavfi", "-i", "sine=f=440:d=1.2:r=44100"]
X264 = ["-c:v", "libx264", "-bf", "2", "-g", "8", "-pix_fmt", "yuv420p", "-threads", "1"]
X265 = ["-c:v", "libx265", "-pix_fmt", "yuv420p",
        "-x265-params", "log-level=error:keyint=8:bframes=2:pools=1:frame-threads=1"]
VP9 = ["-c:v", "libvpx-vp9", "-g", "8", "-deadline", "realtime", "-cpu-used", "8",
       "-b:v", "200k", "-threads", "1"]
AV1 = ["-c:v", "libaom-av1", "-g", "8", "-cpu-used", "8", "-usage", "realtime", "-b:v", "200k",
       "-threads", "1"]
AAC = ["-c:a", "aac", "-ac", "2"]

# The clips that are damaged: file name, and the arguments with which ffmpeg makes it.
SEEDS = {
    "h264-aac.mp4": PICTURES + TONE + X264 + AAC,
    "h264-faststart.mp4": PICTURES + TONE + X264 + AAC + ["-movflags", "+faststart"],
    "h264-fragments.mp4": PICTURES + TONE + X264 + AAC + [
        "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
    "h264-flac.mkv": PICTURES + TONE + X264 + ["-c:a", "flac"],
    "hevc-aac.mp4": PICTURES + TONE + X265 + AAC + ["-tag:v", "hvc1"],
    "hevc-ac3.mkv": PICTURES + TONE + X265 + ["-c:a", "ac3", "-ac", "2"],
    "vp9-opus.webm": PICTURES + TONE + VP9 + ["-c:a", "libopus", "-ac", "2"],
    "av1-opus.webm": PICTURES + TONE + AV1 + ["-c:a", "libopus"],
    "av1-aac.mp4": PICTURES + TONE + AV1 + AAC + ["-movflags", "+faststart"],
    "mpeg4-mp3.avi": PICTURES + TONE + [
        "-c:v", "mpeg4", "-bf", "1", "-g", "8", "-c:a", "libmp3lame"],
    "mpeg4-pcm.avi": PICTURES + TONE + ["-c:v", "mpeg4", "-g", "8", "-c:a", "pcm_s16le"],
    "prores-pcm.mov": PICTURES + TONE + ["-c:v", "prores_ks", "-c:a", "pcm_s16le"],
    "h264-aac.ts": PICTURES + TONE + X264 + AAC,
    "pcm.wav": TONE + ["-c:a", "pcm_s16le", "-ac", "2"],
    "flac.flac": TONE + ["-c:a", "flac", "-ac", "2"],
    "aac.m4a": TONE + AAC,
    "vorbis.ogg": TONE + ["-c:a", "libvorbis", "-ac", "2"],
}


def ffmpeg(*arguments, folder=None):
    """Runs ffmpeg, and fails if ffmpeg fails."""
    command = ["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "fatal", "-y"]
    subprocess.run(command + [str(each) for each in arguments], check=True, cwd=folder)


def make_seeds(folder, names=None):
    """Makes clips of SEEDS in a folder, and returns their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name in names or SEEDS:
        made[name] = folder / name
        if not made[name].exists():
            ffmpeg(*SEEDS[name], "-fflags", "+bitexact", made[name])
    return made


def patched(source, target, marker, offset, new, nth=0):
    """A copy with the bytes replaced at an offset from the nth occurrence of a marker."""
    data = bytearray(source.read_bytes())
    place = -1
    for _ in range(nth + 1):
        place = data.index(marker, place + 1)
    data[place + offset:place + offset + len(new)] = new
    target.write_bytes(data)


def _streams(folder, name, count, *more):
    maps = [each for _ in range(count) for each in ("-map", "1:a")]
    ffmpeg(*PICTURES, "-f", "lavfi", "-i", "sine=f=440:d=0.4:r=8000", "-map", "0:v", *maps, *X264,
           *more, folder / name)


def _change_of_size(folder, name):
    for number, size in enumerate(["96x64", "64x96", "160x32"]):
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size}:r=15:d=0.6", *X264, folder / f"{number}.ts")
    whole = b"".join((folder / f"{number}.ts").read_bytes() for number in range(3))
    (folder / name).write_bytes(whole)
    for number in range(3):
        (folder / f"{number}.ts").unlink()


def _change_of_sound(folder, name, ending, codec, kinds):
    """Concatenated sound whose sample rate and channels change."""
    parts = []
    for rate, channels in kinds:
        part = folder / f"part.{ending}"
        ffmpeg("-f", "lavfi", "-i", f"sine=f=440:d=0.6:r={rate}", "-ac", channels, *codec, part)
        parts.append(part.read_bytes())
        part.unlink()
    (folder / name).write_bytes(b"".join(parts))


def _times_jump(folder, name):
    """Packet times that jump ahead by a minute half-way, and back at the end."""
    ffmpeg(*PICTURES, *X264, "-bsf:v",
           "setts=ts='if(between(N,6,11),TS+60/TB,TS)'", folder / name)


def _times(folder, name, expression):
    ffmpeg(*PICTURES, *TONE, *X264, *AAC, "-bsf:v", f"setts=ts='{expression}'", folder / name)


def _cover(folder, name):
    picture = folder / "cover.png"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.04", "-frames:v", "1", picture)
    ffmpeg(*TONE, "-i", picture, "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "copy",
           "-disposition:v", "attached_pic", folder / name)
    picture.unlink()


def _attachment(folder, name):
    font = folder / "font.ttf"
    font.write_bytes(bytes(range(256)) * 8)
    ffmpeg(*PICTURES, *TONE, *X264, *AAC, "-attach", font, "-metadata:s:t",
           "mimetype=application/x-truetype-font", folder / name)
    font.unlink()


def _late_sound(folder, name, seconds):
    ffmpeg(*PICTURES, "-itsoffset", seconds, *TONE, *X264, *AAC, folder / name)


def _patched_mp4(folder, name, marker, offset, new, nth=0):
    source = folder / "whole.mp4"
    ffmpeg(*PICTURES, *TONE, *X264, *AAC, source)
    patched(source, folder / name, marker, offset, new, nth)
    source.unlink()


def _dimensions(folder, name, width, height):
    """Changes the size in the sample description; the codec's own headers still say 96 by 64."""
    source = folder / "whole.mov"
    ffmpeg(*PICTURES, "-c:v", "prores_ks", "-profile:v", "2", source)
    patched(source, folder / name, b"apcn", 28, struct.pack(">HH", width, height))
    source.unlink()


def _promised_samples(folder, name):
    """A file of 2 KB that claims 80 million samples of one byte each."""
    source = folder / "whole.mp4"
    ffmpeg(*PICTURES, "-c:v", "mpeg4", source)
    count = struct.pack(">I", 80_000_000)
    patched(source, source, b"stsz", 8, struct.pack(">I", 1) + count)
    patched(source, source, b"stts", 12, count)
    patched(source, folder / name, b"stsc", 16, count)
    source.unlink()


def _promised_run(folder, name):
    """The same claim in a fragment whose samples have no fields of their own."""
    source = folder / "whole.mp4"
    ffmpeg(*PICTURES, "-c:v", "mpeg4", "-movflags", "frag_keyframe+empty_moov", source)
    patched(source, folder / name, b"trun", 4, struct.pack(">II", 1, 80_000_000))
    source.unlink()


def _promised_chunks(folder, name):
    """A file that claims chunks of two thousand million samples."""
    source = folder / "whole.mov"
    ffmpeg(*TONE, "-c:a", "pcm_s16le", source)
    patched(source, folder / name, b"stsc", 16, b"\x7f\xff\xff\xff")
    source.unlink()


def _far_edit(folder, name):
    """A movie of 2 s with an edit that ends far away: its header is valid, its packets' times aren't."""
    source = folder / "whole.mp4"
    ffmpeg(*PICTURES, "-c:v", "mpeg4", "-movie_timescale", "1", "-video_track_timescale", "15",
           "-bf", "0", source)
    data = bytearray(source.read_bytes())
    edits = b"elst" + struct.pack(">II", 0x01000000, 2) + struct.pack(
        ">qqIqqI", 1 << 59, 0, 0x10000, 2, 0, 0x10000)
    place = data.find(b"elst") - 4
    old = int.from_bytes(data[place:place + 4], "big")
    edits = struct.pack(">I", len(edits) + 4) + edits
    data[place:place + old] = edits
    for box in (b"edts", b"trak", b"moov"):
        start = data.find(box) - 4
        length = int.from_bytes(data[start:start + 4], "big") + len(edits) - old
        data[start:start + 4] = length.to_bytes(4, "big")
    (folder / name).write_bytes(data)
    source.unlink()


def _late_stream(folder, name):
    """Sound that starts in the middle of the video, further into the file than libav looks for streams."""
    parts = []
    noise = ["-f", "lavfi", "-i", "nullsrc=s=640x480:r=15:d=2,geq=random(1)*255:128:128"]
    for part, more in (("a", noise), ("b", [*PICTURES, *TONE])):
        path = folder / f"{part}.ts"
        ffmpeg(*more, "-c:v", "mpeg2video", "-b:v", "30M", "-c:a", "mp2", "-f", "mpegts", path)
        parts.append(path.read_bytes())
        path.unlink()
    (folder / name).write_bytes(parts[0] + parts[1] + parts[0])


def _coprime_rates(folder, name):
    """Audio tracks whose sample rates have a common multiple too large for any integer type."""
    rates = (6143987, 6143941, 6143927)
    inputs = [each for rate in rates
              for each in ("-f", "lavfi", "-i", f"anullsrc=r={rate}:cl=mono:d=0.05")]
    maps = [each for number in range(len(rates)) for each in ("-map", str(number))]
    ffmpeg(*inputs, *maps, "-c:a", "pcm_u8", folder / name)


def _checksum(bits, polynomial, data):
    rest = 0
    for byte in data:
        rest ^= byte << (bits - 8)
        for _ in range(8):
            rest = (rest << 1 ^ (polynomial if rest >> (bits - 1) else 0)) & ((1 << bits) - 1)
    return rest


def _flac_of_two_rates(folder, name):
    """Packets of 65535 samples: one at 100 Hz, the others at 48 kHz."""
    channels, count = 2, 5

    def packet(number, rate):
        head = bytes([0xFF, 0xF8, 7 << 4 | (13 if rate else 0), channels - 1 << 4 | 4 << 1, number])
        head += struct.pack(">H", 65534) + (struct.pack(">H", rate) if rate else b"")
        body = bytes([0, 0, 100 + number]) * channels
        whole = head + bytes([_checksum(8, 0x07, head)]) + body
        return whole + struct.pack(">H", _checksum(16, 0x8005, whole))
    about = 48000 << 44 | channels - 1 << 41 | 15 << 36 | 65535 * count
    info = struct.pack(">HH", 16, 65535) + bytes(6) + about.to_bytes(8, "big") + bytes(16)
    (folder / name).write_bytes(
        b"fLaC" + bytes([0x80, 0, 0, 34]) + info
        + b"".join(packet(number, 100 if number == 1 else 0) for number in range(count)))


def _huge_picture(folder, name):
    """PNG frames in Matroska; the PNG headers claim 60000 by 60000 pixels."""
    source = folder / "whole.mkv"
    ffmpeg(*PICTURES, "-c:v", "png", source)
    data = bytearray(source.read_bytes())
    place = data.find(b"IHDR")
    while place >= 0:
        data[place + 4:place + 12] = struct.pack(">II", 60000, 60000)
        place = data.find(b"IHDR", place + 4)
    (folder / name).write_bytes(data)
    source.unlink()


def _data_stream(folder, name):
    ffmpeg(*PICTURES, *TONE, *X264, *AAC, "-timecode", "10:00:00:00", folder / name)


def _subtitles(folder, name):
    text = folder / "words.srt"
    text.write_text("1\n00:00:00,000 --> 00:00:00,000\nnothing\n\n"
                    "2\n00:00:00,500 --> 00:00:00,100\nbackwards\n\n"
                    "3\n99:00:00,000 --> 99:00:01,000\nfar away\n")
    ffmpeg(*PICTURES, "-i", text, *X264, "-c:s", "srt", folder / name)
    text.unlink()


# Strange clips, most of them valid: file name, and the function that makes it in a folder.
STRANGE = {
    "zero-durations.mkv": lambda f, n: _times(f, n, "0"),
    "all-at-once.mp4": lambda f, n: _times(f, n, "N"),
    "backwards-times.mkv": lambda f, n: _times(f, n, "max(0\\,1000-N*50)"),
    "times-jump.mkv": _times_jump,
    "times-jump.ts": _times_jump,
    "years-apart.mkv": lambda f, n: _times(f, n, "TS+floor(N/10)*1e11"),
    "sound-years-apart.mkv": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "sine=d=2", "-c:a", "pcm_s16le", "-bsf:a",
        "setts=ts=TS+floor(N/50)*8e9", f / n),
    "years-apart.mp4": lambda f, n: _times(f, n, "TS+floor(N/10)*2e9"),
    "negative-start.mkv": lambda f, n: ffmpeg(
        *PICTURES, *TONE, *X264, *AAC, "-output_ts_offset", "-0.5", "-avoid_negative_ts",
        "disabled", f / n),
    "negative-start.ts": lambda f, n: ffmpeg(
        *PICTURES, *TONE, *X264, *AAC, "-output_ts_offset", "-0.5", "-avoid_negative_ts",
        "disabled", f / n),
    "starts-late.ts": lambda f, n: ffmpeg(
        *PICTURES, *TONE, *X264, *AAC, "-output_ts_offset", "90000", f / n),
    "no-times.avi": lambda f, n: ffmpeg(
        *PICTURES, *TONE, *X264, "-c:a", "pcm_s16le", f / n),
    "raw.h264": lambda f, n: ffmpeg(*PICTURES, *X264, "-f", "h264", f / n),
    "raw.hevc": lambda f, n: ffmpeg(*PICTURES, *X265, "-f", "hevc", f / n),
    "raw.aac": lambda f, n: ffmpeg(*TONE, *AAC, "-f", "adts", f / n),
    "change-of-size.ts": _change_of_size,
    "change-of-rate.mp3": lambda f, n: _change_of_sound(
        f, n, "mp3", ["-c:a", "libmp3lame"], [(44100, 2), (22050, 1), (48000, 2)]),
    "change-of-rate.aac": lambda f, n: _change_of_sound(
        f, n, "aac", ["-c:a", "aac"], [(44100, 2), (22050, 1), (48000, 6)]),
    "change-of-rate.ac3": lambda f, n: _change_of_sound(
        f, n, "ac3", ["-c:a", "ac3"], [(48000, 2), (32000, 6), (44100, 1)]),
    "chained.ogg": lambda f, n: _change_of_sound(
        f, n, "ogg", ["-c:a", "libvorbis"], [(44100, 2), (22050, 1)]),
    "sound-minutes-late.mp4": lambda f, n: _late_sound(f, n, 90),
    "sound-minutes-late.mkv": lambda f, n: _late_sound(f, n, 90),
    "pictures-end-early.mp4": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=15:d=0.2", "-f", "lavfi", "-i", "sine=d=5",
        *X264, *AAC, f / n),
    "sound-ends-early.mkv": lambda f, n: ffmpeg(
        *PICTURES, "-f", "lavfi", "-i", "sine=d=0.05", *X264, *AAC, f / n),
    "one-picture.mp4": lambda f, n: ffmpeg(*PICTURES, *X264, "-frames:v", "1", f / n),
    "one-sample.wav": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "anullsrc", "-frames:a", "1", "-af", "atrim=end_sample=1", f / n),
    "two-hundred-streams.mkv": lambda f, n: _streams(f, n, 199, "-c:a", "pcm_u8"),
    "two-hundred-streams.mov": lambda f, n: _streams(f, n, 199, "-c:a", "pcm_s16le"),
    "cover.m4a": _cover,
    "attachment.mkv": _attachment,
    "data-stream.mov": _data_stream,
    "subtitles.mkv": _subtitles,
    "encrypted.mp4": lambda f, n: ffmpeg(
        *PICTURES, *TONE, *X264, *AAC, "-encryption_scheme", "cenc-aes-ctr",
        "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
        "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", f / n),
    "promised-huge.mov": lambda f, n: _dimensions(f, n, 65535, 65535),
    "promised-samples.mp4": _promised_samples,
    "promised-run.mp4": _promised_run,
    "promised-chunks.mov": _promised_chunks,
    "far-edit.mp4": _far_edit,
    "late-stream.ts": _late_stream,
    "coprime-rates.mkv": _coprime_rates,
    "two-rates.flac": _flac_of_two_rates,
    "promised-nothing.mov": lambda f, n: _dimensions(f, n, 0, 0),
    "huge-picture.mkv": _huge_picture,
    "wide.mkv": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=8000x2:r=15:d=0.4", "-c:v", "ffv1", f / n),
    "odd-size.mkv": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=97x65:r=15:d=1", "-c:v", "ffv1", "-pix_fmt", "yuv444p",
        f / n),
    "one-pixel.mkv": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=4x4:r=15:d=1", "-vf", "format=gray,crop=1:1",
        "-c:v", "ffv1", f / n),
    "thousand-a-second.mkv": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=1000:d=0.5", *X264, f / n),
    "one-a-minute.mp4": lambda f, n: ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=1/60:d=180", *X264, f / n),
    "timescale-1.mp4": lambda f, n: _patched_mp4(f, n, b"mdhd", 16, struct.pack(">I", 1)),
    "timescale-0.mp4": lambda f, n: _patched_mp4(f, n, b"mdhd", 16, bytes(4)),
    "timescale-max.mp4": lambda f, n: _patched_mp4(f, n, b"mdhd", 16, b"\x7f\xff\xff\xff"),
    "timescale-over.mp4": lambda f, n: _patched_mp4(f, n, b"mdhd", 16, b"\xff\xff\xff\xff"),
    "movie-timescale-1.mp4": lambda f, n: _patched_mp4(f, n, b"mvhd", 16, struct.pack(">I", 1)),
    "movie-lasts-for-ever.mp4": lambda f, n: _patched_mp4(f, n, b"mvhd", 20, b"\xff" * 4),
    "track-lasts-for-ever.mp4": lambda f, n: _patched_mp4(f, n, b"mdhd", 20, b"\xff" * 4),
    "sample-lasts-for-ever.mp4": lambda f, n: _patched_mp4(f, n, b"stts", 16, b"\x7f\xff\xff\xff"),
    "samples-last-nothing.mp4": lambda f, n: _patched_mp4(f, n, b"stts", 16, bytes(4)),
    "edit-from-nowhere.mp4": lambda f, n: _patched_mp4(f, n, b"elst", 16, b"\x7f\xff\xff\xff"),
    "sound-rate-0.wav": lambda f, n: _patched_wav(f, n, 12, bytes(4)),
    "sound-rate-1.wav": lambda f, n: _patched_wav(f, n, 12, struct.pack("<I", 1)),
    "sound-rate-max.wav": lambda f, n: _patched_wav(f, n, 12, b"\xff\xff\xff\x7f"),
    "channels-0.wav": lambda f, n: _patched_wav(f, n, 10, bytes(2)),
    "channels-255.wav": lambda f, n: _patched_wav(f, n, 10, struct.pack("<H", 255)),
    "channels-max.wav": lambda f, n: _patched_wav(f, n, 10, b"\xff\xff"),
    "header-only.mp4": lambda f, n: _header_only(f, n),
    "empty.mp4": lambda f, n: (f / n).write_bytes(b""),
    "zeros.mp4": lambda f, n: (f / n).write_bytes(bytes(100_000)),
    "words.mp4": lambda f, n: (f / n).write_text("This is no film.\n" * 400),
}


def _patched_wav(folder, name, offset, new):
    source = folder / "whole.wav"
    ffmpeg(*TONE, source)
    patched(source, folder / name, b"fmt ", offset, new)
    source.unlink()


def _header_only(folder, name):
    """The whole header of a film, and none of its frames."""
    source = folder / "whole.mp4"
    ffmpeg(*PICTURES, *TONE, *X264, *AAC, "-movflags", "+faststart", source)
    data = source.read_bytes()
    (folder / name).write_bytes(data[:data.index(b"mdat") + 4])
    source.unlink()


def make_strange(folder, names=None):
    """Makes clips of STRANGE in a folder, and returns their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name in names or STRANGE:
        made[name] = pathlib.Path(folder) / name
        if not made[name].exists():
            STRANGE[name](folder, name)
    return made
