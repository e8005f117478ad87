"""Documents: values that are JSON files, too."""

from __future__ import annotations

import json
from typing import TypeVar

from .values import from_json, to_json

Kind = TypeVar("Kind", bound="Document")


class Document:
    """A value that is written as JSON."""

    @classmethod
    def from_json(cls: type[Kind], text: str) -> Kind:
        """Reads what `to_json` or the program writes.

        Raises:
            ValueError: a key isn't known, or one is missing. Values are looked at by the program.
        """
        value = json.loads(text)
        if isinstance(value, dict) and value.pop("timewarp", "job/1") != "job/1":
            raise ValueError("it is no job/1")
        return from_json(cls, value)

    def to_json(self) -> str:
        """The JSON text, with a newline at its end. Without what is None, which is as the commands have it."""
        return json.dumps({"timewarp": "job/1", **to_json(self)}, indent=2, ensure_ascii=False) + "\n"
