"""The catalogue and the adapters agree, whatever is installed."""

from __future__ import annotations

import re

import pytest

from benchmarks import adapters
from benchmarks.operations import IMPORT, LOOPED, OPERATIONS, UnknownOperationError, find

MODULES = {
    "cuda.core": "cuda_core",
    "cupy": "cupy",
    "fastpaths": "fastpaths",
    "torch": "torch",
    "floor": "floor",
}


def test_names_are_group_dot_verb() -> None:
    assert all(re.fullmatch(r"[a-z]+\.[a-z_]+", name) for name in LOOPED)
    assert set(OPERATIONS) == {*LOOPED, IMPORT}


def test_the_operations_that_users_were_promised_are_there() -> None:
    promised = (
        "device.current device.get device.set_current stream.create stream.sync event.create"
        " event.create_timed event.record event.record_new event.query event.sync call.scope import"
    )
    assert set(promised.split()) <= set(OPERATIONS)


def test_an_unknown_operation_names_the_known_ones() -> None:
    with pytest.raises(UnknownOperationError, match=r"'event\.creat'.*event\.create"):
        find("event.creat")


def test_an_unknown_library_names_the_known_ones() -> None:
    with pytest.raises(adapters.UnknownLibraryError, match=r"'cuda-core'.*cuda\.core"):
        adapters.load("cuda-core")


@pytest.mark.parametrize("library", adapters.LIBRARIES)
def test_every_adapter_method_is_a_catalogued_operation(library: str) -> None:
    """A typing error in a method's name would silently be an operation that is never measured."""
    import importlib

    module = importlib.import_module(f"benchmarks.adapters.{MODULES[library]}")
    methods = {entry.method for entry in OPERATIONS.values()}
    groups = {entry.group for entry in OPERATIONS.values() if entry.unit == "ns"}
    suspects = {
        name
        for name in dir(module.adapter)
        if name.partition("_")[0] in groups and not name.startswith("_")
    }
    assert suspects <= methods
    assert module.adapter.library == library
