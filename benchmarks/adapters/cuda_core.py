"""cuda.core, every release since 0.1.1: the names that changed are this file's business alone."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ..statement import Statement
from .base import import_library
from .cuda_core_api import CudaCoreApi

_REMEDY = "pip install cuda-core cuda-bindings"
_HELPER_MODULES = ("_utils.cuda_utils", "_utils")
_NEEDS_CREATE_EVENT = (
    "event.create",
    "event.create_timed",
    "event.create_dict",
    "event.create_options",
    "event.pooled",
    "call.scope",
)


def _namespace() -> ModuleType:
    """Return ``cuda.core`` of 1.0 and later, ``cuda.core.experimental`` of releases before."""
    core = import_library("cuda.core", _REMEDY)
    return core if hasattr(core, "Device") else import_library("cuda.core.experimental", _REMEDY)


class CudaCore(CudaCoreApi):
    """cuda.core from NVIDIA's cuda-python."""

    library = "cuda.core"
    distributions = ("cuda-core", "cuda-bindings")

    def __init__(self) -> None:
        super().__init__(_namespace())

    def unsupported(self, operation: str) -> str | None:
        """Return why this release cannot do an operation, or None."""
        if operation in _NEEDS_CREATE_EVENT and not hasattr(self._device, "create_event"):
            return "this release has no Device.create_event"
        if operation == "helpers.handle_return" and self._handle_return() is None:
            return "this release does not expose handle_return to Python"
        return super().unsupported(operation)

    def import_statement(self) -> str:
        """Return the import of the namespace that this release has."""
        return f"import {self._module.__name__}"

    def _handle_return(self) -> object | None:
        for module in _HELPER_MODULES:
            try:
                helper = import_module(f"{self._module.__name__}.{module}")
                return helper.handle_return  # type: ignore[no-any-return]
            except (ImportError, AttributeError):
                continue
        return None

    def helpers_handle_return(self) -> Statement:
        """``handle_return`` of a successful call, where Python code can call it."""
        outcome = import_module("cuda.bindings.driver").cuCtxGetCurrent()
        names = {"handle_return": self._handle_return(), "outcome": outcome}
        return Statement("handle_return(outcome)", names)

    def helpers_ctx_get_current(self) -> Statement:
        """``cuda.bindings.driver.cuCtxGetCurrent()``."""
        driver = import_module("cuda.bindings.driver")
        return Statement("cuCtxGetCurrent()", {"cuCtxGetCurrent": driver.cuCtxGetCurrent})

    def helpers_event_create(self) -> Statement:
        """``cuEventCreate`` and ``cuEventDestroy`` of ``cuda.bindings.driver``."""
        driver = import_module("cuda.bindings.driver")
        return Statement(
            "destroy(create(2)[1])",
            {"create": driver.cuEventCreate, "destroy": driver.cuEventDestroy},
        )


adapter = CudaCore
