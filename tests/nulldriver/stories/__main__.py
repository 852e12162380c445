"""Short stories of driver calls, to compare the return codes of two drivers.

They ask what is documented, and what the documentation leaves open but users meet; they do not ask
what ends in undefined behaviour, such as the use of destroyed handles.
``python stories LIBRARY [STORY ...]`` runs each in a process of its own and prints the codes as
JSON; a story that kills its process gives the signal instead.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import context_stories
import device_stories
import event_stories
import start_stories
from driver import STORIES, Driver

MODULES = (start_stories, device_stories, context_stories, event_stories)


AT_ONCE = 8


def begin(path: str, name: str) -> tuple[int, int]:
    """Begin a story in a child, and return that and where its codes can be read."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            codes = list(STORIES[name](Driver(path)))
        except Exception as error:
            codes = [repr(error)]
        with os.fdopen(writer, "w") as pipe:
            json.dump(codes, pipe)
        os._exit(0)
    os.close(writer)
    return child, reader


def end(child: int, reader: int) -> Any:
    """Return the codes of a story, or how its process ended."""
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return f"signal {status & 127}" if status else json.loads(text)


def tell(path: str, names: list[str]) -> dict[str, Any]:
    told = {}
    for first in range(0, len(names), AT_ONCE):
        some = names[first : first + AT_ONCE]
        told.update({name: end(*child) for name, child in [(n, begin(path, n)) for n in some]})
    return told


if __name__ == "__main__":
    told = tell(sys.argv[1], sys.argv[2:] or list(STORIES))
    lines = [f"  {json.dumps(name)}: {json.dumps(codes)}" for name, codes in told.items()]
    print("{", ",\n".join(lines), "}", sep="\n")
