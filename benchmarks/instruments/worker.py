"""What every worker process does first: find its adapter and make sure it never outlives us."""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from .side import Failure

if TYPE_CHECKING:
    from ..adapters import Adapter

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when process `parent`, which started it, ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        raise SystemExit("the process that started this worker has ended")


def load_adapter(library: str) -> Adapter:
    """Load an adapter by library name, or by ``module:attribute``."""
    if ":" in library:
        module, attribute = library.split(":", 1)
        adapter: Adapter = getattr(importlib.import_module(module), attribute)()
        return adapter
    from .. import adapters

    return adapters.load(library)


def identity(adapter: Adapter) -> dict[str, Any]:
    """Return what a result says about its side: versions, interpreter and driver."""
    from .. import driver

    current = driver.current()
    return {
        "versions": adapter.versions(),
        "driver": {"kind": current.kind, "version": current.version},
        "python": sys.version.split()[0],
    }


def quiet_memory() -> None:
    """Collect garbage once and keep the collector from running in the middle of a loop."""
    gc.collect()
    gc.freeze()
    gc.disable()


def explain(error: BaseException) -> Failure:
    """Return an error as what a result says in its place."""
    from ..adapters import MissingLibraryError, UnknownLibraryError
    from ..operations import UnknownOperationError

    text = str(error) or "no message"
    if isinstance(error, MissingLibraryError):
        return {"status": "missing", "reason": text}
    if isinstance(error, NotImplementedError):
        return {"status": "unsupported", "reason": text}
    if isinstance(error, (UnknownLibraryError, UnknownOperationError)):
        return {"status": "unknown", "reason": text}
    return {"status": "failed", "reason": f"{type(error).__name__}: {text}"}
