"""Dataclasses as JSON, and JSON as dataclasses: keys are in camel case there, and what is None isn't written."""

from __future__ import annotations

import os
import re
from dataclasses import fields, is_dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Kind = TypeVar("Kind")

#: A time: seconds as a number, or exactly as a fraction; a text such as "1:30.5", "90s" or "2700/25"; or a difference.
Time = Union[int, float, str, Fraction, timedelta]
#: A number, or a fraction exactly.
Number = Union[int, float, str, Fraction]
#: A file.
File = Union[str, os.PathLike[str]]


def text(value: Any) -> str:
    """What the program reads a number, a time or a file from."""
    if isinstance(value, timedelta):
        value = Fraction(value // timedelta(microseconds=1), 1_000_000)
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, float):
        # The shortest decimal that is this number, without an exponent.
        return format(Decimal(repr(float(value))), "f")
    return str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)


def to_json(value: Any) -> Any:
    """What `json.dumps` takes."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((each.name, getattr(value, each.name)) for each in fields(value))
        return {_key(name): to_json(each) for name, each in pairs if each is not None}
    if isinstance(value, (list, tuple)):
        return [to_json(each) for each in value]
    return text(value) if isinstance(value, (Fraction, timedelta, os.PathLike)) else value


def from_json(kind: type[Kind], value: Any, place: str = "") -> Kind:
    """The dataclass that a JSON value says.

    Keys that a result has in later versions are passed over; a document says nothing else than is known.

    Raises:
        ValueError: what is wrong, and where.
    """
    if not isinstance(value, dict):
        raise ValueError(f"{place or 'it'} is no object")
    hints = get_type_hints(kind)
    known = {_key(name): name for name in hints}
    if getattr(kind, "is_document", False):
        for key in value:
            if key not in known:
                raise ValueError(f"{_inside(place, key)} isn't known")
    given = {known[key]: _read(hints[known[key]], each, _inside(place, key))
             for key, each in value.items() if key in known}
    try:
        return kind(**given)
    except TypeError as error:
        raise ValueError(f"{place or 'it'} is incomplete: {error}") from None


def _read(hint: Any, value: Any, place: str) -> Any:
    if value is None:
        return None
    kinds = get_args(hint) if get_origin(hint) is Union else (hint,)
    for kind in kinds:
        if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
            return from_json(kind, value, place)
        if get_origin(kind) is list and isinstance(value, list):
            [item] = get_args(kind)
            return [_read(item, each, f"{place}[{index}]") for index, each in enumerate(value)]
        if kind is Fraction and isinstance(value, dict):
            return Fraction(value["value"], value["timescale"])
    return value


def _inside(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _key(name: str) -> str:
    """`memory_bytes` as `memoryBytes`, and `gain_db` as `gainDB`… all keys but `dB` follow the rule."""
    return "dB" if name == "db" else re.sub(r"_(\w)", lambda match: match[1].upper(), name)
