import pytest

from benchmarks.instruments.callgrind_output import NO_SYMBOL, parse, read_dumps

DUMP = """\
# callgrind format
version: 1
desc: Trigger: Client Request: event.create x 100
positions: line
events: Ir
ob=/usr/lib/libpython3.so
fl=ceval.c
fn=eval
10 700
cob=/site/_event.so
cfi=_event.c
cfn=create
calls=100 5
10 900
cfi=ceval.c
cfn=helper
calls=100 6
10 50
fn=helper
12 50

ob=/site/_event.so
fl=_event.c
fn=create
5 300
fi=inlined.h
6 100
cob=/build/libcuda.so.1
cfn=cuEventCreate
calls=100 0
5 500

ob=/build/libcuda.so.1
fl=null.c
fn=cuEventCreate
1 400
cob=/usr/lib/libc.so.6
cfn=malloc
calls=100 0
1 100

ob=/usr/lib/libc.so.6
fn=0x0000000000012340
0 60
fn=0x0000000000012399
0 40
totals: 1650
"""


def test_own_instructions_are_split_by_object_and_function():
    dump = parse(DUMP.splitlines(keepends=True))
    assert dump.name == "event.create x 100"
    assert dump.own == {
        ("libpython3.so", "eval"): 700,
        ("libpython3.so", "helper"): 50,
        ("_event.so", "create"): 400,
        ("libcuda.so.1", "cuEventCreate"): 400,
        ("libc.so.6", NO_SYMBOL): 100,
    }
    assert dump.total == 1650


def test_what_an_object_costs_includes_what_it_calls_and_not_its_own_recursion():
    entered = parse(DUMP.splitlines()).entered
    assert entered == {"_event.so": 900, "libcuda.so.1": 500, "libc.so.6": 100}


def test_a_dump_that_is_cut_off_is_refused_with_its_name(tmp_path):
    (tmp_path / "out.1").write_text(DUMP.partition("totals")[0])
    with pytest.raises(ValueError, match=r"out\.1: is no whole callgrind dump"):
        read_dumps(tmp_path / "out")
    (tmp_path / "out.1").write_text(DUMP.replace("12 50\n", ""))
    with pytest.raises(ValueError, match="add up to 1600"):
        read_dumps(tmp_path / "out")


def test_the_last_of_several_dumps_of_one_name_counts(tmp_path):
    for number in (1, 2, 10):
        text = DUMP.replace("12 50", f"12 {number}").replace("1650", str(1600 + number))
        (tmp_path / f"out.{number}").write_text(text)
    (tmp_path / "out").write_text("the dump at the end, which has no name")
    assert read_dumps(tmp_path / "out")["event.create x 100"].total == 1610
