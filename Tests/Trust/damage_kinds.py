"""Damages a file in many ways. The same file always gets the same damage."""

import random
import struct

# Header fields whose numbers a reader may trust: a marker, and the field's offset after it.
MP4_FIELDS = [(b"mvhd", 16), (b"mvhd", 20), (b"tkhd", 24), (b"tkhd", 80), (b"mdhd", 16),
              (b"mdhd", 20), (b"elst", 8), (b"elst", 12), (b"elst", 16), (b"stts", 8),
              (b"stts", 12), (b"stts", 16),
              (b"ctts", 8), (b"ctts", 16), (b"stsc", 8), (b"stsc", 16), (b"stsz", 8), (b"stsz", 12),
              (b"stsz", 16), (b"stco", 8), (b"stco", 12), (b"stss", 8), (b"stsd", 8), (b"avc1", 28),
              (b"mp4a", 20), (b"mp4a", 28), (b"hvc1", 28), (b"av01", 28), (b"apcn", 28),
              (b"avcC", 4), (b"hvcC", 4), (b"esds", 8), (b"tfhd", 8), (b"trun", 8), (b"trun", 12),
              (b"tfdt", 8), (b"tfdt", 12), (b"trex", 12)] + [
    (box, -4) for box in (b"ftyp", b"moov", b"trak", b"mdia", b"stbl", b"stsd", b"stts", b"stsz",
                          b"mdat", b"avcC", b"moof", b"traf", b"udta")]
MKV_FIELDS = [(b"\x2a\xd7\xb1", 4), (b"\x44\x89", 3), (b"\x44\x89", 2), (b"\x23\xe3\x83", 4),
              (b"\xb0\x81", 2), (b"\xba\x81", 2), (b"\xb5\x88", 2), (b"\x9f\x81", 2),
              (b"\x1a\x45\xdf\xa3", 4), (b"\x18\x53\x80\x67", 4), (b"\x16\x54\xae\x6b", 4),
              (b"\x1f\x43\xb6\x75", 4), (b"\x1c\x53\xbb\x6b", 4), (b"\xe7\x81", 1), (b"\xe7", 2),
              (b"\x63\xa2", 2), (b"\x83\x81", 2), (b"\xd7\x81", 2), (b"\xa3", 1), (b"\xa3", 4),
              (b"\x56\xaa", 3), (b"\x56\xbb", 3)]
AVI_FIELDS = [(b"RIFF", 4), (b"avih", 4), (b"avih", 8), (b"avih", 24), (b"avih", 32), (b"avih", 40),
              (b"avih", 44), (b"strh", 28), (b"strh", 32), (b"strh", 36), (b"strh", 40),
              (b"strh", 52), (b"strf", 4), (b"strf", 8), (b"strf", 12), (b"strf", 16),
              (b"movi", -4),
              (b"00dc", 4), (b"01wb", 4), (b"idx1", 4), (b"idx1", 16), (b"idx1", 20)]
WAV_FIELDS = [(b"RIFF", 4), (b"fmt ", 4), (b"fmt ", 8), (b"fmt ", 10), (b"fmt ", 12), (b"fmt ", 16),
              (b"fmt ", 20), (b"fmt ", 22), (b"data", 4), (b"LIST", 4)]
FLAC_FIELDS = [(b"fLaC", 4), (b"fLaC", 8), (b"fLaC", 10), (b"fLaC", 12), (b"fLaC", 15),
               (b"fLaC", 18),
               (b"fLaC", 21), (b"fLaC", 22), (b"fLaC", 42)]
OGG_FIELDS = [(b"OggS", 4), (b"OggS", 5), (b"OggS", 6), (b"OggS", 10), (b"OggS", 14), (b"OggS", 18),
              (b"OggS", 26), (b"OggS", 27), (b"vorbis", 10), (b"vorbis", 11), (b"vorbis", 27)]
TS_FIELDS = [(b"G", 1), (b"G", 3), (b"G", 4), (b"\x00\x00\x01\xe0", 4), (b"\x00\x00\x01\xe0", 7),
             (b"\x00\x00\x01\xe0", 9), (b"\x00\x00\x01\xc0", 4), (b"\x00\x00\x01\xc0", 9)]
FIELDS = {"mp4": MP4_FIELDS, "mov": MP4_FIELDS, "m4a": MP4_FIELDS, "mkv": MKV_FIELDS,
          "webm": MKV_FIELDS, "avi": AVI_FIELDS, "wav": WAV_FIELDS, "flac": FLAC_FIELDS,
          "ogg": OGG_FIELDS, "ts": TS_FIELDS}
LIES = [bytes(4), struct.pack(">I", 1), struct.pack("<I", 1), b"\x7f\xff\xff\xff", b"\xff" * 4,
        b"\xff\xff\xff\x7f", b"\x80\x00\x00\x00", b"\x00\x00\x00\xff"]


def truncations(data, draw):
    """The file cut off within the header, at tenths of its length, and at random places."""
    size = len(data)
    places = {1, 4, 11, 40, 150, 700, size - 1, size - 9} | {size * n // 10 for n in range(1, 10)}
    places |= {draw.randrange(1, size) for _ in range(4)}
    for place in sorted(place for place in places if 0 < place < size):
        yield f"cut-at-{place}", data[:place]


def flips(data, draw):
    """A single inverted bit: anywhere, near the start and near the end."""
    size = len(data)
    for number in range(24):
        first, last = [(0, size), (0, min(size, 1200)), (max(0, size - 2500), size)][number % 3]
        place, bit = draw.randrange(first, last), draw.randrange(8)
        turned = bytes([data[place] ^ 1 << bit])
        yield f"bit-{place}-{bit}", data[:place] + turned + data[place + 1:]


def bursts(data, draw):
    """Runs of random bytes, and errors scattered over the whole file."""
    for length in (4, 16, 64, 188, 512, 1500, 4000):
        place = draw.randrange(max(1, len(data) - length))
        noise = draw.randbytes(min(length, len(data) - place))
        yield f"noise-{place}-{length}", data[:place] + noise + data[place + length:]
    for one_in in (200, 1000, 5000, 20000):
        strewn = bytearray(data)
        for _ in range(max(1, len(data) // one_in)):
            strewn[draw.randrange(len(data))] = draw.randrange(256)
        yield f"strewn-1-in-{one_in}", bytes(strewn)


def zeroed(data, draw):
    """Stretches of zeros, as a disk might lose them."""
    for length in (8, 100, 512, 2000, 4096, len(data) // 3):
        place = draw.randrange(max(1, len(data) - length))
        yield f"zero-{place}-{length}", data[:place] + bytes(length) + data[place + length:]


def lies(data, draw, ending, count=28):
    """Header fields set to zero, one, or the largest numbers."""
    possible = []
    for marker, offset in FIELDS[ending]:
        place = data.find(marker)
        while place >= 0 and len(possible) < 4000:
            if 0 <= place + offset and place + offset + 4 <= len(data):
                possible.append((marker, offset, place + offset))
            place = data.find(marker, place + 1)
    # The kinds of fields take turns: a marker that occurs everywhere mustn't crowd out the others.
    kinds = sorted({(marker, offset) for marker, offset, _ in possible})
    draw.shuffle(kinds)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        place = draw.choice([place for *other, place in possible if tuple(other) == kind])
        lie = draw.choice(LIES)[:draw.choice([2, 4, 4])]
        yield f"lie-{place}-{lie.hex()}", data[:place] + lie + data[place + len(lie):]


def moved(data, draw):
    """A stretch removed, blocks swapped and repeated, and garbage before, in and after the file."""
    size = len(data)
    for length in (1, 300, size // 4):
        place = draw.randrange(1, max(2, size - length))
        yield f"without-{place}-{length}", data[:place] + data[place + length:]
        yield f"twice-{place}-{length}", data[:place + length] + data[place:]
    for length in (16, 512, size // 5):
        first = draw.randrange(0, max(1, size // 2 - length))
        second = draw.randrange(size // 2, max(size // 2 + 1, size - length))
        swapped = (data[:first] + data[second:second + length] + data[first + length:second]
                   + data[first:first + length] + data[second + length:])
        yield f"swapped-{first}-{second}-{length}", swapped
    for length in (1, 3000):
        noise = draw.randbytes(length)
        place = draw.randrange(size)
        yield f"after-{length}", data + noise
        yield f"before-{length}", noise + data
        yield f"between-{place}-{length}", data[:place] + noise + data[place:]


def variants(name, data):
    """All damaged variants of a file: names and contents."""
    draw = random.Random(f"timewarp damage {name}")
    ending = name.rsplit(".", 1)[1]
    yield from truncations(data, draw)
    yield from flips(data, draw)
    yield from bursts(data, draw)
    yield from zeroed(data, draw)
    yield from lies(data, draw, ending)
    yield from moved(data, draw)
