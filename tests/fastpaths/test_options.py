"""Options: what each key takes, and what is said of anything else."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

from fastpaths import Device, EventOptions, StreamOptions


@pytest.mark.parametrize("key", ["timing_enabled", "blocking_sync", "ipc_enabled"])
@pytest.mark.parametrize("value", [1, 0, "yes", 1.0])
@pytest.mark.parametrize("form", [dict, EventOptions])
def test_an_event_option_is_a_bool_or_none(
    device: Device, key: str, value: Any, form: type[Any]
) -> None:
    with pytest.raises(
        TypeError, match=f"{key} must be a bool or None, not {type(value).__name__}"
    ):
        device.create_event(form(**{key: value}))


@pytest.mark.parametrize("form", [dict, EventOptions])
def test_none_is_the_default(device: Device, form: type[Any]) -> None:
    options = form(timing_enabled=None, blocking_sync=None, ipc_enabled=None)
    event = device.create_event(options)
    assert not event.is_timing_enabled
    assert not event.is_blocking_sync
    assert not event.is_ipc_enabled


@pytest.mark.parametrize("form", [dict, StreamOptions])
@pytest.mark.parametrize(
    ("value", "error", "match"),
    [
        ("high", TypeError, "priority must be an int or None, not str: 'high'"),
        (-1.0, TypeError, "not float: -1.0"),
        (2**40, ValueError, rf"priority={2**40} is out of range \["),
        (-(2**40), ValueError, rf"priority=-{2**40} is out of range \["),
    ],
)
def test_a_wrong_priority_is_named(
    device: Device, form: type[Any], value: Any, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        device.create_stream(options=form(priority=value))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_option_under_both_its_names_is_refused(device: Device) -> None:
    with pytest.raises(TypeError, match="old name of 'timing_enabled', and both are given"):
        device.create_event({"enable_timing": True, "timing_enabled": True})
    with pytest.raises(TypeError, match="old name of 'blocking_sync', and both are given"):
        EventOptions(blocking_sync=True, busy_waited_sync=True)


def test_options_can_be_given_by_position_and_by_name(device: Device) -> None:
    options = EventOptions(timing_enabled=True)
    assert device.create_event(options).is_timing_enabled
    assert device.create_event(options=options).is_timing_enabled
    stream = device.create_stream(None, StreamOptions(nonblocking=False))
    assert not stream.is_nonblocking
    assert stream.record(options={"timing_enabled": True}).is_timing_enabled
    assert stream.record(None, {"timing_enabled": True}).is_timing_enabled
    event = device.create_event()
    assert stream.record(event=event) is event


def test_a_kind_of_dict_is_a_dict(device: Device) -> None:
    assert device.create_event(OrderedDict(timing_enabled=True)).is_timing_enabled
    stream = device.create_stream(options=OrderedDict(nonblocking=False))
    assert not stream.is_nonblocking
