"""Builds the ruler: the null driver, the floor and callgrind's switch, of the working tree."""

from __future__ import annotations

import shutil

from . import steps
from .checkout import Checkout
from .packages import SOURCES
from .stamps import Stamps, digest

LIBRARIES = ("libcuda.so.1", "libfloor.so", "librulerctl.so")


def build_ruler(checkout: Checkout, done: Stamps) -> None:
    """Compile the ruler if its sources have changed, or a part of it is gone."""
    sources = digest(checkout.root, SOURCES)
    targets = [f"fastpaths/{name}" for name in LIBRARIES]
    if done.get("ruler") == sources and all((checkout.ruler / name).exists() for name in targets):
        return
    shutil.rmtree(checkout.ruler, ignore_errors=True)
    variables = checkout.variables()
    setup = [str(checkout.bin / "meson"), "setup", str(checkout.ruler), str(checkout.root)]
    steps.run("configuring the ruler", setup, checkout.logs / "ruler-setup.log", variables)
    ninja = [str(checkout.bin / "ninja"), "-C", str(checkout.ruler), *targets]
    what = "compiling the ruler: null driver, floor"
    steps.run(what, ninja, checkout.logs / "ruler.log", variables)
    done.set("ruler", sources)
