"""A worker that answers one request and ends: the conversation, seen from both ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .side import InstrumentError, Side, failure_of, fixed_layout
from .worker import die_with_parent, explain

_WORDS_KEPT = 300


def ask_once(
    side: Side,
    module: str,
    request: Mapping[str, Any],
    *,
    timeout: float,
    prefix: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Start a side's worker, hand it a request, and return its reply.

    Parameters
    ----------
    side : Side
        Whose interpreter and library.
    module : str
        The worker's module.
    request : mapping
        JSON data.
    timeout : float
        Seconds until the worker is given up.
    prefix : sequence of str
        A command that runs the interpreter, such as valgrind and its options.
    environment : mapping, optional
        The worker's whole environment; `Side.environment` unless given.

    Raises
    ------
    NotOfferedError
        The side's library is not installed, or not known.
    InstrumentError
        The worker failed, died or hung; the message says which and why.
    """
    try:
        done = subprocess.run(
            [*fixed_layout(), *prefix, *side.command(module, [])],
            input=json.dumps({**request, "parent": os.getpid(), "library": side.library}).encode(),
            env=side.environment() if environment is None else dict(environment),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InstrumentError(f"{side.name}: no answer within {timeout:g} s") from None
    except OSError as error:
        raise InstrumentError(f"{side.name}: the worker cannot start: {error}") from error
    try:
        reply: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise InstrumentError(f"{side.name}: the worker {_how_it_ended(done)}") from None
    if "error" in reply:
        raise failure_of(side.name, reply["error"])
    return reply


def _how_it_ended(done: subprocess.CompletedProcess[bytes]) -> str:
    code = done.returncode
    how = f"ended with status {code}" if code >= 0 else f"died with {signal.Signals(-code).name}"
    words = done.stderr.decode(errors="replace").strip().splitlines()
    return f"{how}: {words[-1][:_WORDS_KEPT]}" if words else how


def answer_once(handler: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """Read the request, have it handled and write the reply; return the exit status.

    Whatever a library prints meanwhile goes to standard error.
    """
    replies = os.dup(1)
    os.dup2(2, 1)
    request = json.load(sys.stdin)
    die_with_parent(request["parent"])
    try:
        reply, status = handler(request), 0
    except Exception as error:
        reply, status = {"error": explain(error)}, 1
    with os.fdopen(replies, "w") as stream:
        json.dump(reply, stream)
    return status
