"""The environment that ``make bench`` prepared, as asv sees it.

asv's own ``existing`` environment puts the interpreter's path into file names and knows no
library versions, so results of different libraries would share one series. This one is named
after the versions under measurement, and asv draws one series for each.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from typing import Any

TOOL = "prepared"
_NAMED = ("cuda-core", "cuda-bindings", "cupy", "cupy-cuda12x", "cupy-cuda13x", "torch")


def requirements(libraries: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the versions that begin a new series when they change."""
    return {name: libraries[name]["version"] for name in _NAMED if name in libraries}


def environment_name(versions: Mapping[str, str]) -> str:
    """Return the name of an environment: tool, Python and versions."""
    python = ".".join(platform.python_version_tuple()[:2])
    words = [TOOL, f"py{python}", *(f"{name}{version}" for name, version in versions.items())]
    return re.sub(r"[^A-Za-z0-9.+-]", "_", "-".join(words))


def define(versions: Mapping[str, str]) -> Any:
    """Define the environment class, which asv finds by its ``tool_name``.

    A function, because asv imports every module of this folder in environments that lack asv.
    """
    from asv.environment import ExistingEnvironment  # type: ignore[import-untyped]

    class Prepared(ExistingEnvironment):  # type: ignore[misc]
        tool_name = TOOL

        def __init__(self, conf: Any, executable: str, ignored: Any, variables: Any) -> None:
            super().__init__(conf, executable, {}, variables)
            # asv would store the interpreter's path, which says nothing on another machine.
            self._python = ".".join(platform.python_version_tuple()[:2])
            self._requirements = dict(versions)

        @property
        def name(self) -> str:
            return environment_name(versions)

    return Prepared
