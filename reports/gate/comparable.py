"""Results are compared when their provenance agrees in what matters; else the fields are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reports.counts import Count
from reports.duets import Duet
from reports.gate.findings import Finding, Level
from reports.gate.measured import BASE, HEAD, Document, Measured, Side

Fields = Mapping[str, str]
_SHOWN = 60


def _of_machine(document: Document) -> dict[str, str]:
    origin = document.origin
    return {"cpu": origin.cpu, "libc": origin.libc, "driver": str(origin.driver)}


def _other_packages(versions: Mapping[str, str]) -> dict[str, str]:
    """Everything that is installed with the measured library, whose own version comes first."""
    return {f"version of {name}": text for name, text in list(versions.items())[1:]}


def _of_counts(document: Document, counts: Sequence[Count], library: str) -> dict[str, str]:
    fields = _of_machine(document)
    for count in (count for count in counts if count.library == library):
        fields |= {"python": count.python, "repetitions": str(count.times)}
        fields |= {f"condition {name}": text for name, text in count.conditions.items()}
        fields |= _other_packages(count.versions)
    return fields


def _of_traces(document: Document) -> dict[str, str]:
    return {"driver": str(document.origin.driver)}


def difference(base: Fields, head: Fields) -> list[str]:
    """One phrase for every field of both in which two provenances differ."""

    def told(fields: Fields, name: str) -> str:
        text = fields[name]
        return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."

    return [
        f"{name} is {told(base, name)} in base and {told(head, name)} in head"
        for name in base
        if name in head and base[name] != head[name]
    ]


def refusal(instrument: str, why: str) -> Finding:
    """The finding that an instrument's results are not compared."""
    return Finding(Level.UNDECIDED, "not compared", instrument, None, why)


def _unlike(
    instrument: str, base: Fields | None, head: Fields | None, wanted: bool
) -> Finding | None:
    if base is None and head is None:
        return None
    if base is None or head is None:
        if not wanted:
            return None
        side, other = (BASE, HEAD) if base is None else (HEAD, BASE)
        return refusal(instrument, f"{other} has a {instrument} file and {side} has none")
    unlike = difference(base, head)
    if not unlike:
        return None
    return refusal(instrument, f"{instrument} results are not compared: {'; '.join(unlike)}")


def refuse_counts(measured: Measured, library: str) -> Finding | None:
    """Why the counts of the two sides cannot be compared; None if they can, or there are none."""

    def fields(side: Side) -> Fields | None:
        return _of_counts(side.counted, side.counts, library) if side.counted else None

    return _unlike("count", fields(measured.base), fields(measured.head), _both_exist(measured))


def refuse_traces(measured: Measured) -> Finding | None:
    """The same for the traces."""

    def fields(side: Side) -> Fields | None:
        return _of_traces(side.traced) if side.traced else None

    return _unlike("trace", fields(measured.base), fields(measured.head), _both_exist(measured))


def _both_exist(measured: Measured) -> bool:
    return not (measured.base.failure or measured.head.failure)


def refuse_duets(played: Mapping[str, Sequence[Duet]]) -> Iterator[tuple[str, Finding]]:
    """Operations whose two sides did not run alike, or whose repetition was elsewhere."""
    for operation, duets in played.items():
        first = duets[0].source
        unlike: list[str] = []
        for duet in duets:
            base, head = (
                {"python": side.python, **_other_packages(side.versions)}
                for side in (duet.b, duet.a)
            )
            unlike += difference(base, head)
            if (duet.source.driver, duet.source.cpu) != (first.driver, first.cpu):
                unlike.append("the repetition was measured on another driver or processor")
        if unlike:
            why = "; ".join(dict.fromkeys(unlike))
            yield operation, refusal("duet", f"{operation}: duets are not compared: {why}")
