"""Read callgrind's dumps: instructions by shared object and function, and calls into an object.

The format is described in the valgrind manual, "Callgrind Format Specification". Strings are
and positions are expected in full (:data:`OPTIONS`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

OPTIONS = ("--compress-strings=no", "--compress-pos=no", "--dump-line=no")
NO_SYMBOL = "(no symbol)"
_TRIGGER = "desc: Trigger: Client Request: "

Place = tuple[str, str]


@dataclass
class Dump:
    """What one dump counted.

    Attributes
    ----------
    name : str
        The name given with the client request; empty for the dump at the program's end.
    own : Counter
        Instructions of each (object, function) itself; objects by file name.
    entered : Counter
        Instructions spent below calls that lead from other objects into an object, by the
        object's file name: what it costs with everything it calls.
    """

    name: str = ""
    own: Counter[Place] = field(default_factory=Counter)
    entered: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """All instructions counted."""
        return sum(self.own.values())


def read_dumps(out_file: Path) -> dict[str, Dump]:
    """Return the named dumps beside callgrind's output file; of several of one name, the last.

    Raises
    ------
    ValueError
        If a dump is cut off or not of callgrind's format; the message names the file.
    """
    found = {}
    for path in sorted(out_file.parent.glob(f"{out_file.name}.*"), key=_number):
        with path.open(encoding="utf-8", errors="replace") as lines:
            try:
                dump = parse(lines)
            except (ValueError, IndexError) as error:
                raise ValueError(f"{path}: is no whole callgrind dump: {error}") from error
        if dump.name:
            found[dump.name] = dump
    return found


def _number(path: Path) -> int:
    return int(path.suffix[1:])


def parse(lines: Iterable[str]) -> Dump:
    """Parse the lines of one dump.

    Raises
    ------
    ValueError
        If its parts do not add up to the total that it states.
    """
    dump = Dump()
    here = function = called = ""
    stated = None
    next_is_below_a_call = False
    for line in lines:
        key, _, value = line.rstrip("\n").partition("=")
        if line[:1].isdigit():
            cost = int(line.split()[1])
            if not next_is_below_a_call:
                dump.own[here, function] += cost
            elif called != here:
                dump.entered[called] += cost
            if next_is_below_a_call:
                next_is_below_a_call, called = False, here
        elif key == "ob":
            here = called = _file_name(value)
        elif key == "fn":
            function = NO_SYMBOL if value.startswith("0x") else value
        elif key == "cob":
            called = _file_name(value)
        elif key == "calls":
            next_is_below_a_call = True
        elif line.startswith(_TRIGGER):
            dump.name = line[len(_TRIGGER) :].rstrip("\n")
        elif line.startswith("totals:"):
            stated = int(line.split()[1])
    if stated != dump.total:
        raise ValueError(f"its parts add up to {dump.total} and it states {stated}")
    return dump


def _file_name(path: str) -> str:
    return path.rpartition("/")[2] or path
