"""What goes wrong."""

from __future__ import annotations

from typing import Optional


class TimeWarpError(Exception):
    """The program refused or failed. Nothing half-written stays.

    Attributes:
        code: the exit code: 64 wrong usage; 65 the input is damaged or unsupported, or the curve is invalid; 66 no such
            input; 70 an internal error; 73 the output exists or can't be created; 74 reading or writing failed; 75 pieces
            of a job are missing.
        file: the file that it is about, if it is about one.
        reason: what is wrong with it, where that is known apart from the whole sentence.
        remedy: what to do, where that is known.
    """

    def __init__(self, message: str, code: int, file: Optional[str] = None, reason: Optional[str] = None,
                 remedy: Optional[str] = None) -> None:
        super().__init__(message)
        self.code, self.file, self.reason, self.remedy = code, file, reason, remedy

    def __reduce__(self) -> tuple[type[TimeWarpError], tuple[object, ...]]:
        # A process that maps files over others passes errors on.
        return type(self), (*self.args, self.code, self.file, self.reason, self.remedy)


class Cancelled(TimeWarpError):
    """It was cancelled. Nothing half-written stays."""
