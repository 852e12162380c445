"""Builds of fastpaths, from git revisions and wheels, side by side in folders of their own.

A build is kept under ``build/sides``, by everything that it is made of: the sources that a wheel
is built from, the interpreter's ABI, the compiler and Cython. Two revisions that differ in other
files alone share one build.
"""

from __future__ import annotations

import compileall
import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from .revisions import export, source_ids
from .side import InstrumentError, Side

ROOT = Path(__file__).resolve().parents[2]
SIDES = ROOT / "build" / "sides"
LIBRARY = "fastpaths"
_TOOLS = (
    "import sysconfig; from importlib.metadata import version;"
    "print(sysconfig.get_config_var('SOABI'), version('Cython'), version('meson'))"
)
_COMPILER = ("-dumpfullversion", "-dumpmachine")


def named_side(name: str, python: str | None = None) -> Side:
    """Return the side that a word of the command line means.

    Parameters
    ----------
    name : str
        A library; or ``fastpaths@REVISION``, or ``fastpaths@WHEEL``, which are built or unpacked
        first. The revision ``worktree`` is the working tree as it stands.
    python : str, optional
        The interpreter, when not this one.

    Raises
    ------
    InstrumentError
        The revision is unknown, cannot be built, or the wheel cannot be read.
    """
    library, at, build = name.partition("@")
    if not at:
        return Side(name, python)
    if library != LIBRARY:
        raise InstrumentError(
            f"{name}: only {LIBRARY} is built from revisions; give another interpreter or search"
            f" path for a release of {library}"
        )
    return build_side(build, python)


def build_side(build: str, python: str | None = None) -> Side:
    """Return the side of fastpaths at a git revision or from a wheel; see `named_side`."""
    if build.endswith(".whl"):
        folder = unpack(Path(build))
        return Side(LIBRARY, python, str(folder), Path(build).name, f"wheel {Path(build).name}")
    folder = build_at(build, python)
    return Side(LIBRARY, python, str(folder), f"{LIBRARY}@{build}", f"revision {build}")


def unpack(wheel: Path) -> Path:
    """Unpack a wheel and return the folder to search."""
    try:
        key = hashlib.sha256(wheel.read_bytes()).hexdigest()[:20]
    except OSError as error:
        raise InstrumentError(f"{wheel} cannot be read: {error.strerror}") from error
    folder = SIDES / key
    if not folder.is_dir():
        with _complete(folder) as made:
            _unzip(wheel, made)
    return folder


def build_at(revision: str, python: str | None = None) -> Path:
    """Build fastpaths at a revision, unless that was done before, and return the folder to search.

    Raises
    ------
    InstrumentError
        The revision is unknown or cannot be built.
    """
    python = python or sys.executable
    sources = source_ids(ROOT, revision)
    folder = SIDES / _key([*sources.values(), *_tools(python)])
    if folder.is_dir():
        return folder
    print(f"building {LIBRARY} at {revision}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="side-") as scratch, _complete(folder) as made:
        source, wheels = Path(scratch, "source"), Path(scratch, "wheels")
        export(ROOT, revision, source)
        _pip_wheel(python, source, wheels, revision)
        _unzip(next(wheels.glob("*.whl")), made)
    return folder


def _key(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _tools(python: str) -> list[str]:
    compiler = os.environ.get("CC", "cc").split()
    try:
        asked = [[python, "-c", _TOOLS], *([*compiler, option] for option in _COMPILER)]
        told = [
            subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for command in asked
        ]
    except (OSError, subprocess.CalledProcessError) as error:
        raise InstrumentError(
            f"nothing can be built here ({error}): run `make build`, which says what is missing"
        ) from error
    return [*told, os.environ.get("CFLAGS", "")]


def _pip_wheel(python: str, source: Path, wheels: Path, revision: str) -> None:
    command = [python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels)]
    tools = f"{Path(python).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    done = subprocess.run(
        [*command, str(source)],
        env={**os.environ, "PATH": tools},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        SIDES.mkdir(parents=True, exist_ok=True)
        log = SIDES / "failed.log"
        log.write_text(done.stdout)
        raise InstrumentError(f"{LIBRARY} at {revision} cannot be built: {log} has the output")


def _unzip(wheel: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    except zipfile.BadZipFile as error:
        raise InstrumentError(f"{wheel} is no wheel: {error}") from error
    compileall.compile_dir(folder, quiet=2)  # else the first count of two would compile


@contextlib.contextmanager
def _complete(folder: Path) -> Iterator[Path]:
    """Make a folder that appears when it is complete, and not at all otherwise."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield made
        with contextlib.suppress(OSError):  # another process was first, with the same content
            made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
