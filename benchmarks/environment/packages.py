"""What is installed into ``.venv``: tools, the libraries under measurement, fastpaths."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence

from . import cupy_wheel, steps
from .checkout import Checkout
from .stamps import Stamps, digest

PIP = "pip>=25.1"  # the first that installs dependency groups
PINS = ("pyproject.toml", "constraints.txt")
SOURCES = ("fastpaths", "meson.build", "pyproject.toml", "benchmarks/instruments/rulerctl.c")


def make_venv(checkout: Checkout) -> None:
    """Make the environment, anew if it is incomplete or of another Python."""
    version = ".".join(map(str, sys.version_info[:3]))
    mark = checkout.venv / "python-version"
    if mark.exists() and mark.read_text() == version and _has_pip(checkout):
        return
    shutil.rmtree(checkout.venv, ignore_errors=True)
    command = [sys.executable, "-m", "venv", str(checkout.venv)]
    steps.run(f"making .venv with Python {version}", command, checkout.logs / "venv.log")
    mark.write_text(version)


def _has_pip(checkout: Checkout) -> bool:
    command = [str(checkout.python), "-m", "pip", "--version"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def install_groups(checkout: Checkout, groups: Sequence[str], done: Stamps) -> None:
    """Install dependency groups of pyproject.toml that are missing or have changed."""
    pins = digest(checkout.root, PINS)
    pyproject = checkout.root / "pyproject.toml"
    wanted = [("pip", PIP)] + [(group, f"--group={pyproject}:{group}") for group in groups]
    for name, requirement in wanted:
        if done.get(f"group {name}") != pins:
            _pip(checkout, f"installing {name}", "install", "--upgrade", requirement)
            done.set(f"group {name}", pins)


def install_cupy(checkout: Checkout, done: Stamps) -> None:
    """Install the CuPy that suits this machine, in place of any other."""
    version = cupy_wheel.driver_version()
    if version is None:
        wheel = cupy_wheel.stub_wheel(checkout.python, checkout.logs)
        wanted, requirement = f"stub {wheel.name}", str(wheel)
    else:
        wanted = requirement = cupy_wheel.stock_requirement(version)
    if done.get("cupy") == wanted:
        return
    names = ("cupy", "cupy-cuda12x", "cupy-cuda13x")
    _pip(checkout, "removing another CuPy", "uninstall", "--yes", *names)
    _pip(checkout, "installing CuPy", "install", requirement)
    done.set("cupy", wanted)


def install_fastpaths(checkout: Checkout, done: Stamps) -> None:
    """Compile and install fastpaths if its sources have changed."""
    sources = digest(checkout.root, SOURCES)
    if done.get("fastpaths") == sources:
        return
    shutil.rmtree(checkout.wheels, ignore_errors=True)
    build = ("wheel", "--no-deps", "--no-build-isolation", "-w", str(checkout.wheels))
    _pip(checkout, "compiling fastpaths", *build, str(checkout.root))
    (wheel,) = checkout.wheels.glob("fastpaths-*.whl")
    install = ("install", "--force-reinstall", "--no-deps")
    _pip(checkout, "installing fastpaths", *install, str(wheel))
    done.set("fastpaths", sources)


def _pip(checkout: Checkout, what: str, *arguments: str) -> None:
    command = [str(checkout.python), "-m", "pip", *arguments]
    log = checkout.logs / f"{what.replace(' ', '-')}.log"
    steps.run(what, command, log, checkout.variables())
