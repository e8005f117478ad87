"""Reads uncompressed video from NUT, FFmpeg's container for pipes (its specification: ffmpeg.org/nut)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import IO

NAME = b"nut/multimedia container\0"
MAIN, STREAM, SYNCPOINT, INDEX, INFO = (
    int.from_bytes(b"N" + letter, "big") << 48 | rest for letter, rest in [
        (b"M", 0x7A561F5F04AD), (b"S", 0x11405BF2F9DB), (b"K", 0xE4ADEECA4569), (b"X", 0xDD672F23E64E),
        (b"I", 0xAB68B596BA78)])
(CODED_PTS, HAS_STREAM, HAS_SIZE, HAS_CHECKSUM, IS_RESERVED, HAS_HEADER, HAS_MATCH, IS_CODED, IS_INVALID) = (
    8, 16, 32, 64, 128, 1024, 2048, 4096, 8192)
#: A packet whose content is longer than this has a checksum of its head, and a frame that is has none of the headers.
LONG = 4096


class NutReader:
    """The frames of a file with one video track.

    Attributes:
        width, height: of a frame, in pixels.

    Raises:
        EOFError: it ends before its first frame.
        ValueError: it isn't NUT.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.width, self.height = file, 0, 0
        self._bases: list[Fraction] = []
        self._codes: list[tuple[int, int, int, int, int, int]] = []
        self._headers = [b""]
        self._last, self._shift, self._base = 0, 0, Fraction(1)
        if self._take(len(NAME)) != NAME:
            raise ValueError("it isn't NUT")
        while not self.width:
            self._packet(self._number(8))

    def __iter__(self) -> Iterator[tuple[Fraction, bytearray]]:
        """When each frame is shown, and its bytes."""
        while first := self._file.read(1):
            if first == b"N":
                self._packet(int.from_bytes(first + self._take(7), "big"))
            else:
                yield self._frame(first[0])

    # Packets

    def _packet(self, code: int) -> None:
        length = self._varying()
        if length > LONG:
            self._take(4)
        content = _Bytes(self._take(length))
        if code == MAIN:
            self._main(content)
        elif code == STREAM:
            self._stream(content)
        elif code == SYNCPOINT:
            value = content.varying()
            ticks, base = divmod(value, len(self._bases))
            self._last = floor(ticks * self._bases[base] / self._base)
        elif code not in (INDEX, INFO):
            raise ValueError("it is damaged")

    def _main(self, content: _Bytes) -> None:
        if content.varying() > 3:
            content.varying()
        content.varying(), content.varying()
        self._bases = [Fraction(content.varying(), content.varying()) for _ in range(content.varying())]
        codes = self._codes = []
        pts, factor, header = 0, 1, 0
        while len(codes) < 256:
            flags, count = content.varying(), content.varying()
            pts = content.signed() if count > 0 else pts
            factor = content.varying() if count > 1 else factor
            if count > 2:
                content.varying()
            size = content.varying() if count > 3 else 0
            reserved = content.varying() if count > 4 else 0
            runs = content.varying() if count > 5 else factor - size
            if count > 6:
                content.signed()
            header = content.varying() if count > 7 else header
            for _ in range(8, count):
                content.varying()
            for index in range(runs):
                if len(codes) == ord("N"):
                    codes.append((IS_INVALID, 0, 0, 0, 0, 0))
                codes.append((flags, pts, factor, size + index, reserved, header))
        self._headers = [b""] + [content.take(content.varying()) for _ in range(content.varying())]

    def _stream(self, content: _Bytes) -> None:
        content.varying(), content.varying()
        content.take(content.varying())
        self._base = self._bases[content.varying()]
        self._shift = content.varying()
        for _ in range(3):
            content.varying()
        content.take(content.varying())
        self.width, self.height = content.varying(), content.varying()

    def _frame(self, code: int) -> tuple[Fraction, bytearray]:
        flags, pts, factor, size, reserved, header = self._codes[code]
        if flags & IS_CODED:
            flags ^= self._varying()
        if flags & IS_INVALID:
            raise ValueError("it is damaged")
        if flags & HAS_STREAM:
            self._varying()
        self._last = self._coded_pts(self._varying()) if flags & CODED_PTS else self._last + pts
        if flags & HAS_SIZE:
            size += factor * self._varying()
        if flags & HAS_MATCH:
            self._varying()
        header = self._varying() if flags & HAS_HEADER else header
        for _ in range(self._varying() if flags & IS_RESERVED else reserved):
            self._varying()
        if flags & HAS_CHECKSUM:
            self._take(4)
        data = bytearray(size)
        start = self._headers[header if size <= LONG else 0]
        data[:len(start)] = start
        self._fill(memoryview(data)[len(start):])
        return self._last * self._base, data

    def _coded_pts(self, coded: int) -> int:
        whole = 1 << self._shift
        if coded >= whole:
            return coded - whole
        # The last bits of the time that is nearest to the last one.
        earliest = self._last - (whole - 1) // 2
        return earliest + (coded - earliest) % whole

    # Bytes

    def _take(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def _fill(self, data: memoryview) -> None:
        while len(data) > 0:
            count = self._file.readinto(data)  # type: ignore[attr-defined]
            if not count:
                raise EOFError
            data = data[count:]

    def _number(self, count: int) -> int:
        return int.from_bytes(self._take(count), "big")

    def _varying(self) -> int:
        value = 0
        while True:
            byte = self._number(1)
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value


class _Bytes:
    """The content of a packet."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def take(self, count: int) -> bytes:
        self._place += count
        return self._data[self._place - count:self._place]

    def varying(self) -> int:
        value = 0
        while True:
            [byte] = self.take(1)
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    def signed(self) -> int:
        value = self.varying() + 1
        return -(value >> 1) if value & 1 else value >> 1
