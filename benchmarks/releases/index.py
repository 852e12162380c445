"""What the package index has published, and the lines that the data file lacks."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence

from .data import Release

_ACCEPT = "application/vnd.pypi.simple.v1+json"
_DEFAULT_INDEX = "https://pypi.org/simple"
_TIMEOUT = 30.0

Published = Sequence[tuple[str, str]]


class IndexUnavailableError(RuntimeError):
    """The package index did not answer; the message says what to check."""


def published(package: str) -> list[tuple[str, str]]:
    """Return date and version of each final release that was not withdrawn, oldest first.

    Parameters
    ----------
    package : str
        The package's name on the index (``PIP_INDEX_URL``, or PyPI).

    Raises
    ------
    IndexUnavailableError
        If the index cannot be reached or does not answer in JSON (PEP 691).
    """
    index = os.environ.get("PIP_INDEX_URL", _DEFAULT_INDEX).rstrip("/")
    request = urllib.request.Request(f"{index}/{package}/", headers={"Accept": _ACCEPT})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            files = json.load(answer)["files"]
    except (OSError, ValueError, KeyError, urllib.error.URLError) as error:
        raise IndexUnavailableError(
            f"the package index has no list of {package} ({error}): check the network and"
            " PIP_INDEX_URL"
        ) from error
    dates: dict[str, str] = {}
    for file in files:
        version = _final_version(file["filename"])
        if version is None or file.get("yanked") or not file.get("upload-time"):
            continue
        date = file["upload-time"][:19] + "Z"
        dates[version] = min(dates.get(version, date), date)
    return sorted((date, version) for version, date in dates.items())


def _final_version(filename: str) -> str | None:
    """Return the version in a file name, or None for a pre-release or a name without one."""
    parts = filename.removesuffix(".tar.gz").removesuffix(".zip").split("-")
    if len(parts) < 2:
        return None
    version = parts[1]
    numbers = version.replace(".post", ".").split(".")
    return version if all(number.isdigit() for number in numbers) else None


def newest(rows: Published, date: str, major: Sequence[int]) -> str:
    """Return the newest version of some majors that was out on a date, or else their first one.

    Raises
    ------
    ValueError
        If no version of these majors exists.
    """
    suitable = [(out, version) for out, version in rows if _numbers(version)[0] in major]
    if not suitable:
        raise ValueError(f"no release of major {', '.join(map(str, major))} exists")
    then = [version for out, version in suitable if out <= date]
    if then:
        return max(then, key=_numbers)
    return min((version for _, version in suitable), key=_numbers)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.replace(".post", ".").split(".")]


def missing(known: Sequence[Release], axis: str, rows: Mapping[str, Published]) -> list[Release]:
    """Return the releases of an axis that the index has and the data file lacks, with their pins.

    Parameters
    ----------
    known : sequence of Release
        What the data file has.
    axis : {"cuda-core", "cuda-bindings", "cupy"}
        The package that varies; the others are pinned as of the release's day.
    rows : mapping of str to sequence
        What :func:`published` says of each of the three packages.
    """
    have = {release.version for release in known}
    majors = {"cuda-core": range(100), "cuda-bindings": (12,), "cupy": (13, 14)}
    last_core = max((version for _, version in rows["cuda-core"]), key=_numbers)
    found = []
    for date, version in rows[axis]:
        if version in have or _numbers(version)[0] not in majors[axis]:
            continue
        pins = {axis: version}
        if axis == "cuda-core":
            pins["cuda-bindings"] = newest(rows["cuda-bindings"], date, (12,))
        if axis == "cuda-bindings":
            pins["cuda-core"] = last_core
        found.append(Release(version, date, pins))
    return found
