"""Set the checkout up: ``prepare.py {build,test,lint,bench}``.

Makes ``.venv`` with all that is needed, builds and installs fastpaths when its sources changed,
and builds the ruler (null driver, floor) of the working tree. What is done already is not done
again; after a failure or an interruption the next run goes on. Needs Python's standard library
alone.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

if not __package__:
    # Run by path, before anything is installed: its folder is a package all the same.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    __package__ = "environment"
    __import__(__package__)

from . import checks, cupy_wheel, steps

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
RULER = BUILD / "ruler"
RULER_TARGETS = ("libcuda.so.1", "libfloor.so", "librulerctl.so")
GROUPS = {
    "build": ("build", "run"),
    "test": ("build", "run", "bench", "dev"),
    "lint": ("build", "run", "bench", "dev"),  # mypy follows the imports of all of them
    "bench": ("build", "run", "bench"),
}
SOURCES = ("fastpaths", "meson.build", "benchmarks/instruments/rulerctl.c")


def main(argv: Sequence[str]) -> int:
    """Prepare for what is named; 0 done, 1 impossible, 130 interrupted."""
    if len(argv) != 1 or argv[0] not in GROUPS:
        print(f"usage: prepare.py {{{','.join(GROUPS)}}}", file=sys.stderr)
        return 2
    begin = time.monotonic()
    try:
        checks.check_all()
        with _alone():
            _prepare(argv[0])
    except steps.SetUpError as error:
        print(f"prepare: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"prepare: {error}: correct this and run make again", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("prepare: interrupted; run make again to go on", file=sys.stderr)
        return 130
    steps.say(f"ready in {time.monotonic() - begin:.0f} s")
    return 0


@contextmanager
def _alone() -> Iterator[None]:
    """Let one process at a time prepare the checkout."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "prepare.lock").open("w") as lock:
        waited = -steps.HEARTBEAT
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() - waited >= steps.HEARTBEAT:
                    waited = time.monotonic()
                    steps.say("another make prepares this checkout: waiting for it")
                time.sleep(0.2)
        yield


def _prepare(purpose: str) -> None:
    _make_venv()
    done = _Stamps(VENV / "prepared.json")
    wanted = [("pip", "pip>=25.1")]
    for group in GROUPS[purpose]:
        wanted.append((group, f"--group={ROOT / 'pyproject.toml'}:{group}"))
    pins = _digest([ROOT / "pyproject.toml", ROOT / "constraints.txt"])
    for name, requirement in wanted:
        key = f"group {name}"
        if done.get(key) != pins:
            _pip(f"installing {name}", "install", "--upgrade", requirement)
            done.set(key, pins)
    if purpose == "bench":
        _install_cupy(done)
    sources = _digest([ROOT / name for name in SOURCES])
    if done.get("fastpaths") != sources:
        _install_fastpaths()
        done.set("fastpaths", sources)
    built = all(list(RULER.rglob(name)) for name in RULER_TARGETS)
    if not built or done.get("ruler") != sources:
        _build_ruler()
        done.set("ruler", sources)


class _Stamps:
    """What was done, by name, with what it was done from."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._done: dict[str, str] = json.loads(path.read_text())
        except (OSError, ValueError):
            self._done = {}

    def get(self, key: str) -> str | None:
        return self._done.get(key)

    def set(self, key: str, value: str) -> None:
        self._done[key] = value
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps(self._done, indent=1))
        new.replace(self._path)


def _make_venv() -> None:
    """Make the environment, anew if it is incomplete or of another Python."""
    version = ".".join(map(str, sys.version_info[:3]))
    mark = VENV / "python-version"
    if PYTHON.exists() and mark.exists() and mark.read_text() == version:
        probe = subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False)
        if probe.returncode == 0:
            return
    steps.say(f"making .venv with Python {version}")
    shutil.rmtree(VENV, ignore_errors=True)
    venv.create(VENV, with_pip=True, symlinks=True)
    mark.write_text(version)


def _digest(paths: Sequence[Path]) -> str:
    """Return a hash of files and of all files in folders."""
    total = hashlib.sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                total.update(f"{file.relative_to(ROOT)}\0".encode())
                total.update(file.read_bytes())
    return total.hexdigest()


def _pip(what: str, *arguments: str) -> None:
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", *arguments]
    constraints = {"PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    name = what.replace(" ", "-").replace("/", "-")
    steps.run(what, command, LOGS / f"{name}.log", {**constraints, **_path()})


def _path() -> dict[str, str]:
    """Put the environment's commands (cython, meson, ninja) first."""
    return {"PATH": f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}


def _install_cupy(done: _Stamps) -> None:
    version = cupy_wheel.driver_version()
    if version is None:
        wheel = cupy_wheel.stub_wheel(PYTHON, LOGS)
        wanted, requirement = f"stub {wheel.name}", str(wheel)
    else:
        wanted = requirement = cupy_wheel.stock_requirement(version)
    if done.get("cupy") == wanted:
        return
    names = ("cupy", "cupy-cuda12x", "cupy-cuda13x")
    _pip("removing another CuPy", "uninstall", "--yes", *names)
    _pip("installing CuPy", "install", requirement)
    done.set("cupy", wanted)


def _install_fastpaths() -> None:
    wheels = BUILD / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    command = ("wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(ROOT))
    _pip("compiling fastpaths", *command)
    (wheel,) = wheels.glob("fastpaths-*.whl")
    _pip("installing fastpaths", "install", "--force-reinstall", "--no-deps", str(wheel))


def _build_ruler() -> None:
    meson = [str(VENV / "bin" / "meson")]
    shutil.rmtree(RULER, ignore_errors=True)
    setup = [*meson, "setup", str(RULER), str(ROOT)]
    steps.run("configuring the ruler", setup, LOGS / "ruler-setup.log", _path())
    targets = [f"fastpaths/{name}" for name in RULER_TARGETS]
    ninja = [str(VENV / "bin" / "ninja"), "-C", str(RULER), *targets]
    steps.run("compiling the ruler: null driver, floor", ninja, LOGS / "ruler.log", _path())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
