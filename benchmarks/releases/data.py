"""The data file of releases: one line per release, with the pins of its day."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("releases.json")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_VERSION = re.compile(r"\d+(\.\d+)*(\.post\d+)?")


class ReleaseDataError(ValueError):
    """The data file is not what it must be; the message names the place."""


@dataclass(frozen=True)
class Release:
    """One release of the package that an axis is about.

    Attributes
    ----------
    version : str
        The version, which is also the tag in the ledger.
    date : str
        When its first file was published, UTC, ``YYYY-MM-DDThh:mm:ssZ``.
    pins : mapping of str to str
        Package to exact version: the release and what it ran with on that day.
    """

    version: str
    date: str
    pins: Mapping[str, str]

    def requirements(self) -> str:
        """Return the pins as a requirements file."""
        return "".join(f"{name}=={version}\n" for name, version in sorted(self.pins.items()))


def read(path: Path = FILE) -> dict[str, list[Release]]:
    """Return the releases of every axis, oldest first.

    Raises
    ------
    ReleaseDataError
        If the file cannot be read, or a line of it is wrong.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ReleaseDataError(f"{path.name} cannot be read ({error}): restore it") from error
    axes = {
        axis: [_release(axis, index, line) for index, line in enumerate(lines)]
        for axis, lines in document.items()
    }
    for axis, releases in axes.items():
        dates = [release.date for release in releases]
        if dates != sorted(dates):
            raise ReleaseDataError(f"{path.name}: {axis}: the releases are not in order of date")
        if len({release.version for release in releases}) != len(releases):
            raise ReleaseDataError(f"{path.name}: {axis}: a version is listed twice")
    return axes


def _release(axis: str, index: int, line: object) -> Release:
    where = f"{FILE.name}: {axis}[{index}]"
    if not isinstance(line, dict):
        raise ReleaseDataError(f"{where} is not an object")
    version, date, pins = line.get("version"), line.get("date"), line.get("pins")
    if not isinstance(date, str) or not _DATE.fullmatch(date):
        raise ReleaseDataError(f"{where}: date {date!r} is not like 2025-06-12T15:01:27Z")
    if not isinstance(pins, dict) or not all(
        isinstance(pin, str) and _VERSION.fullmatch(pin) for pin in pins.values()
    ):
        raise ReleaseDataError(f"{where}: the pins are not exact versions")
    if not isinstance(version, str) or pins.get(axis) != version:
        raise ReleaseDataError(f"{where}: the pins do not hold {axis} {version}")
    return Release(version, date, pins)


def write(axes: Mapping[str, list[Release]], path: Path = FILE) -> None:
    """Write the data file, one line per release."""
    parts = []
    for axis, releases in axes.items():
        lines = [
            json.dumps({"version": r.version, "date": r.date, "pins": dict(r.pins)})
            for r in releases
        ]
        parts.append(f'"{axis}": [\n  ' + ",\n  ".join(lines) + "\n]")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
