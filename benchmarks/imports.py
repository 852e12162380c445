"""What it costs to import a library in a fresh process."""

from __future__ import annotations

from . import adapters
from .operations import IMPORT
from .suite import VERSION, Suite

# The child needs the same driver and the same search path as this process.
_PREPARE = """\
import ctypes, sys
sys.path[:] = {path!r}
{driver}"""


class Import:
    """One ``import`` statement per process."""

    params = Suite.params
    param_names = Suite.param_names
    version = VERSION
    timeout = 300.0
    rounds = 1
    number = 1
    repeat = 6
    warmup_time = 0.0

    def setup(self, library: str) -> None:
        """Find the statement, or skip the library."""
        self.timed = import_code(library)

    def timeraw_import(self, library: str) -> tuple[str, str]:
        """Return the statement and what runs before it, untimed, in the fresh process."""
        return self.timed


def import_code(library: str) -> tuple[str, str]:
    """Return the import statement of a library and the code that must run before it.

    Raises
    ------
    benchmarks.adapters.UnsupportedError
        If there is nothing to import.
    benchmarks.adapters.MissingLibraryError
        If it is not installed.
    """
    import sys

    from . import driver

    adapter = adapters.load(library)
    if reason := adapter.unsupported(IMPORT):
        raise adapters.UnsupportedError(reason)
    path = [entry for entry in sys.path if entry]
    load = f"ctypes.CDLL({driver.path()!r}, mode=ctypes.RTLD_GLOBAL)"
    return adapter.import_statement(), _PREPARE.format(path=path, driver=load)
