"""Set the checkout up: ``prepare.py {build,test,lint,bench}``.

Makes ``.venv`` with all that is needed, builds and installs fastpaths when its sources changed,
and builds the ruler (null driver, floor) of the working tree. What is done already is not done
again; after a failure or an interruption the next run goes on. Needs Python's standard library
alone.

This file is kept in the words of any Python, so that one that is too old can say so.
"""

import importlib
import os.path
import sys

if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit(
        "prepare: Python "
        + sys.version.split()[0]
        + " is too old: install 3.10 or newer and run `make PYTHON=python3.12 ...` with its name"
    )

if __name__ == "__main__":
    # Run by path, before anything is installed: the folder is a package all the same.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(importlib.import_module("environment.command").main(sys.argv[1:]))
