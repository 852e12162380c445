"""Files of other hands, read with suspicion; files of our own, written whole or not at all."""

from __future__ import annotations

import importlib
import json
import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class ReportError(Exception):
    """Nothing can be reported; the message is one sentence that says why and what to do."""


class UnreadableError(ReportError):
    """One file is truncated, corrupt or not what its place says it is."""


def tidy(text: str) -> str:
    """One printable line: white space collapsed, control characters dropped."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def read_text(path: Path) -> str:
    """The file's text, or `UnreadableError`."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UnreadableError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise UnreadableError(f"{path}: is not UTF-8 text; restore it or remove it") from error


def read_json(path: Path) -> Fields:
    """The JSON object in a file.

    Raises
    ------
    UnreadableError
        The file is missing, truncated, not JSON, or not an object.
    """
    text = read_text(path)
    if not text.strip():
        raise UnreadableError(f"{path}: is empty; restore it or measure again")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise UnreadableError(
            f"{path}: is truncated or not JSON{where}; restore it or measure again"
        ) from error
    if not isinstance(data, dict):
        raise UnreadableError(f"{path}: holds no JSON object; it does not belong here")
    return Fields(str(path), data)


def read_toml(path: Path) -> Fields:
    """The tables of a TOML file (``tomli`` stands in for ``tomllib`` on Python 3.10)."""
    text = read_text(path)
    try:
        toml: Any = importlib.import_module("tomllib")
    except ModuleNotFoundError:
        toml = importlib.import_module("tomli")
    try:
        return Fields(str(path), toml.loads(text))
    except ValueError as error:
        raise UnreadableError(f"{path}: is not TOML ({tidy(str(error))})") from error


def finite(value: object) -> float | None:
    """The value as a finite float, or None: JSON may hold NaN, Infinity and endless integers."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class Fields:
    """A mapping whose getters name the file and the key when the value is not what it must be."""

    where: str
    data: Mapping[str, Any]

    def _get(self, key: str, kinds: type | tuple[type, ...], wanted: str) -> Any:
        value = self.data.get(key)
        if isinstance(value, bool) and kinds is not bool:
            value = None
        if not isinstance(value, kinds):
            raise UnreadableError(f"{self.where}: {key!r} is not {wanted}")
        return value

    def text(self, key: str) -> str:
        """A string, as one printable line."""
        return tidy(self._get(key, str, "a string"))

    def optional_text(self, key: str) -> str | None:
        """A string, or None when the key is absent or null."""
        return None if self.data.get(key) is None else self.text(key)

    def flag(self, key: str) -> bool:
        """A boolean."""
        return bool(self._get(key, bool, "true or false"))

    def count(self, key: str) -> int:
        """A positive integer."""
        value = int(self._get(key, int, "an integer"))
        if value <= 0 or finite(value) is None:
            raise UnreadableError(f"{self.where}: {key!r} is not a positive integer")
        return value

    def number(self, key: str) -> float:
        """A finite number."""
        value = finite(self.data.get(key))
        if value is None:
            raise UnreadableError(f"{self.where}: {key!r} is not a finite number")
        return value

    def items(self, key: str) -> Sequence[Any]:
        """A list."""
        return list(self._get(key, list, "a list"))

    def table(self, key: str) -> Fields:
        """A nested object."""
        return Fields(f"{self.where}: {key}", self._get(key, dict, "an object"))

    def tables(self, key: str) -> Iterator[Fields]:
        """The objects of a list of objects."""
        for index, item in enumerate(self.items(key)):
            if not isinstance(item, dict):
                raise UnreadableError(f"{self.where}: {key}[{index}] is not an object")
            yield Fields(f"{self.where}: {key}[{index}]", item)

    def entries(self, key: str) -> Iterator[tuple[str, Fields]]:
        """Name and object of each entry of an object of objects."""
        table = self.table(key)
        for name in table.data:
            yield tidy(name), table.table(name)


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's content in one step; an interrupted write leaves the old file as it was.

    Raises
    ------
    ReportError
        The folder cannot be written to.
    """
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise ReportError(
            f"{path}: cannot be written ({error.strerror}); make {path.parent} writable"
        ) from error
