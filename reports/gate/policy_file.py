"""Reading ``policy.toml`` and refusing one that nothing could meet or break."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from reports.documents import Fields, UnreadableError, read_toml
from reports.gate.findings import Level
from reports.gate.policy import (
    ACCEPTABLE,
    ANY,
    CALLS,
    FIGURES,
    INSTRUMENTS,
    Accepted,
    Limit,
    Policy,
    Promise,
    Threshold,
)


def _only(fields: Fields, *keys: str) -> None:
    if unknown := sorted(set(fields.data) - set(keys)):
        raise UnreadableError(
            f"{fields.where}: {unknown[0]!r} is unknown here; the keys are {', '.join(keys)}"
        )


def _one_of(fields: Fields, key: str, words: Sequence[str]) -> str:
    word = fields.text(key)
    if word not in words:
        raise UnreadableError(f"{fields.where}: {key} {word!r} is none of {', '.join(words)}")
    return word


def _reason(fields: Fields) -> str:
    reason = fields.text("reason")
    if not reason:
        raise UnreadableError(f"{fields.where}: 'reason' is empty; say why")
    return reason


def _threshold(fields: Fields) -> Threshold:
    _only(fields, "absolute", "relative")
    found = Threshold(fields.number("absolute"), fields.number("relative"))
    if found.absolute < 0 or found.relative < 0:
        raise UnreadableError(f"{fields.where}: a limit below zero would accuse what got faster")
    return found


def _limit(fields: Fields) -> Limit:
    _only(fields, "instrument", "operation", "warn", "fail", "reason")
    warn, fail = _threshold(fields.table("warn")), _threshold(fields.table("fail"))
    if warn.absolute > fail.absolute or warn.relative > fail.relative:
        raise UnreadableError(
            f"{fields.where}: 'warn' lies above 'fail' and could never be reached"
        )
    instrument = _one_of(fields, "instrument", INSTRUMENTS)
    if instrument == "duet" and warn.relative == 0:
        raise UnreadableError(
            f"{fields.where}: no duet can hold a relative limit of 0; two processes of the same"
            " code differ by some tenths of a per cent"
        )
    return Limit(instrument, fields.text("operation"), warn, fail, _reason(fields))


def _promise(fields: Fields) -> Promise:
    _only(fields, "operation", "figure", "against", "limit", "driver", "reason")
    figure, against = _one_of(fields, "figure", FIGURES), fields.optional_text("against")
    if (against is None) != (figure == "instructions"):
        raise UnreadableError(f"{fields.where}: 'against' does not fit the figure {figure!r}")
    limit = fields.number("limit")
    if limit <= 0:
        raise UnreadableError(f"{fields.where}: no figure can meet the limit {limit:g}")
    driver = fields.optional_text("driver")
    if driver is not None:
        _one_of(fields, "driver", ("nvidia", "null"))
    operation = fields.text("operation")
    return Promise(operation, figure, against, limit, driver, _reason(fields))


def _accepted(fields: Fields) -> Accepted:
    _only(
        fields, "operation", "kind", "instrument", "against", "up_to", "until", "reason"
    )  # fmt: skip
    until = fields.data.get("until")
    if type(until) is not date:
        raise UnreadableError(f"{fields.where}: 'until' is not a date such as 2027-03-01")
    kind = _one_of(fields, "kind", ACCEPTABLE)
    sized = kind in ("slower", "promise")
    if sized != ("up_to" in fields.data):
        needed = "needs 'up_to', the size that is accepted" if sized else "has no 'up_to'"
        raise UnreadableError(f"{fields.where}: an exception of kind {kind!r} {needed}")
    up_to = fields.number("up_to") if sized else None
    if up_to is not None and up_to <= 0:
        raise UnreadableError(f"{fields.where}: 'up_to' is not above zero and accepts nothing")
    instrument = _one_of(fields, "instrument", INSTRUMENTS) if "instrument" in fields.data else None
    return Accepted(
        operation=fields.text("operation"),
        kind=kind,
        instrument=instrument,
        against=fields.optional_text("against"),
        up_to=up_to,
        until=until,
        reason=_reason(fields),
    )


def _tables(fields: Fields, key: str) -> Iterable[Fields]:
    return fields.tables(key) if key in fields.data else ()


def read_policy(path: Path) -> Policy:
    """Read the policy.

    Raises
    ------
    UnreadableError
        A key is unknown, a reason is missing, or a limit is one that nothing could meet or break;
        the message names the entry.
    """
    fields = read_toml(path)
    _only(fields, "library", "limit", "calls", "promise", "accepted")
    limits = [_limit(entry) for entry in _tables(fields, "limit")]
    keys = [(limit.instrument, limit.operation) for limit in limits]
    for key in keys:
        if keys.count(key) > 1:
            raise UnreadableError(f"{path}: {key[0]} has two limits for {key[1]}")
    for instrument in INSTRUMENTS:
        if (instrument, ANY) not in keys:
            raise UnreadableError(
                f'{path}: {instrument} has no limit with operation = "{ANY}", for all the others'
            )
    calls = fields.table("calls")
    _only(calls, *CALLS, "reason")
    words = [level.word for level in Level if level is not Level.UNDECIDED]
    return Policy(
        library=fields.text("library"),
        limits=limits,
        calls={key: Level[_one_of(calls, key, words).upper()] for key in CALLS},
        calls_reason=_reason(calls),
        promises=[_promise(entry) for entry in _tables(fields, "promise")],
        accepted=[_accepted(entry) for entry in _tables(fields, "accepted")],
    )
