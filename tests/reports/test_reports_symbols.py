from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.symbols import is_extension, readable

words = st.from_regex(r"[A-Za-z_][A-Za-z_]{0,12}", fullmatch=True)


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        (
            "__pyx_pw_9fastpaths_7_device_6Device_9create_event",
            "fastpaths._device.Device.create_event",
        ),
        ("__pyx_f_9fastpaths_6_event_destroy_event", "fastpaths._event.destroy_event"),
        ("__pyx_tp_dealloc_9fastpaths_6_event_Event", "fastpaths._event.Event (dealloc)"),
        ("__pyx_pymod_exec__event", "__pyx_pymod_exec__event"),
        ("__pyx_f_99", "__pyx_f_99"),
        ("_PyType_Lookup", "_PyType_Lookup"),
        ("(no symbol)", "(no symbol)"),
        ("operator new(unsigned long)", "operator new(unsigned long)"),
    ],
)
def test_names_are_those_an_author_knows(symbol: str, name: str) -> None:
    assert readable(symbol) == name


@given(parts=st.lists(words, min_size=1, max_size=4), name=words)
def test_every_path_comes_back(parts: list[str], name: str) -> None:
    path = "".join(f"{len(part)}{part}_" for part in parts)
    assert readable(f"__pyx_f_{path}{name}") == ".".join([*parts, name])


def test_extension_modules_are_told_from_libraries() -> None:
    assert is_extension("_event.cpython-311-x86_64-linux-gnu.so")
    assert is_extension("_event.abi3.so")
    assert not is_extension("libpython3.11.so.1.0")
    assert not is_extension("libcuda.so.1")
