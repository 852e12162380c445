"""What the library exports: the rows of driver_api.txt and the controls, and nothing else."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

CONTROLS = Path(__file__).resolve().parents[2] / "fastpaths" / "nulldriver"


def sections(elf: bytes) -> list[tuple[int, bytes, int, int]]:
    """Return type, contents, link and entry size of each section of a 64-bit ELF file."""
    assert elf[:6] == b"\x7fELF\x02\x01", "a 64-bit little-endian ELF file"
    (start,) = struct.unpack_from("<Q", elf, 0x28)
    size, count = struct.unpack_from("<HH", elf, 0x3A)
    found = []
    for index in range(count):
        header = struct.unpack_from("<IIQQQQIIQQ", elf, start + index * size)
        found.append((header[1], elf[header[4] : header[4] + header[5]], header[6], header[9]))
    return found


def text_at(table: bytes, offset: int) -> str:
    return table[offset : table.index(b"\0", offset)].decode()


def exported(elf: bytes) -> set[str]:
    found = sections(elf)
    names = set()
    for kind, contents, link, entry in found:
        if kind != 11:  # SHT_DYNSYM
            continue
        for offset in range(0, len(contents), entry):
            name, info, other, section = struct.unpack_from("<IBBH", contents, offset)
            is_defined, is_local = section != 0, info >> 4 == 0
            if is_defined and not is_local and other & 3 in (0, 3):
                names.add(text_at(found[link][1], name))
    return names


def soname(elf: bytes) -> str | None:
    found = sections(elf)
    for kind, contents, link, _ in found:
        if kind != 6:  # SHT_DYNAMIC
            continue
        for tag, value in struct.iter_unpack("<QQ", contents):
            if tag == 14:
                return text_at(found[link][1], value)
    return None


def test_exports_are_the_rows_and_the_controls(library: Path, rows: list[Any]) -> None:
    controls = {
        name
        for source in CONTROLS.glob("*.c")
        for name in re.findall(r"^CONTROL .*?\b(nullcuda_\w+)\(", source.read_text(), re.MULTILINE)
    }
    assert controls
    assert exported(library.read_bytes()) == {row.symbol for row in rows} | controls


def test_later_requests_for_a_driver_find_it_by_name(library: Path) -> None:
    assert soname(library.read_bytes()) == "libcuda.so.1"
