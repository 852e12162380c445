import shutil
from pathlib import Path

import pytest

from benchmarks.instruments.side import Side

TOYS = Path(__file__).resolve().parents[1] / "toys"


@pytest.fixture
def toy():
    """Return a maker of sides whose library is one of the toys."""

    def make(name, **options):
        return Side(f"instrument_toys:{name}", pythonpath=str(TOYS), label=name, **options)

    return make


@pytest.fixture
def valgrind():
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
