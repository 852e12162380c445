"""The command ``prepare.py``: what is needed for a purpose, and how it can end."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from . import checks, lock, packages, ruler_build, steps
from .checkout import Checkout
from .stamps import Stamps

ROOT = Path(__file__).resolve().parents[2]
_EVERYTHING = ("build", "run", "bench", "dev")
# By purpose, the dependency groups of pyproject.toml; mypy follows imports into all of them.
GROUPS = {
    "build": ("build", "run"),
    "test": _EVERYTHING,
    "lint": _EVERYTHING,
    "bench": ("build", "run", "bench"),
}


def main(argv: Sequence[str], root: Path = ROOT) -> int:
    """Prepare for what is named; 0 done, 1 impossible, 2 misused, 130 interrupted."""
    if len(argv) != 1 or argv[0] not in GROUPS:
        print(f"usage: prepare.py {{{','.join(GROUPS)}}}", file=sys.stderr)
        return 2
    _take_hangups_and_kills_for_interrupts()
    begin = time.monotonic()
    checkout = Checkout(root)
    try:
        checks.check_all()
        with lock.alone(checkout.build / "prepare.lock", "another make prepares this checkout"):
            prepare(checkout, argv[0])
    except steps.SetUpError as error:
        print(f"prepare: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"prepare: {error}: correct this and run make again", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("prepare: interrupted; run make again to go on", file=sys.stderr)
        return 130
    steps.say(f"ready in {time.monotonic() - begin:.0f} s")
    return 0


def prepare(checkout: Checkout, purpose: str) -> None:
    """Do what is still to be done for a purpose.

    Raises
    ------
    steps.SetUpError
        If a step fails; what was done before it stays done.
    """
    packages.make_venv(checkout)
    done = Stamps(checkout.venv / "prepared.json")
    packages.install_groups(checkout, GROUPS[purpose], done)
    if purpose == "bench":
        packages.install_cupy(checkout, done)
    packages.install_fastpaths(checkout, done)
    ruler_build.build_ruler(checkout, done)


def _take_hangups_and_kills_for_interrupts() -> None:
    """Let a closed terminal or a time limit stop the running step too, and not orphan it."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
