"""Where things lie in a checkout."""

from __future__ import annotations

import os
from pathlib import Path


class Checkout:
    """A checkout and the places in it that are made and not kept by git.

    Parameters
    ----------
    root : pathlib.Path
        The checkout's folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.bin = self.venv / "bin"
        self.python = self.bin / "python"
        self.build = root / "build"
        self.logs = self.build / "logs"
        self.wheels = self.build / "wheels"
        self.ruler = self.build / "ruler"

    def variables(self) -> dict[str, str]:
        """Return the variables for commands of ``.venv``.

        Its commands (cython, meson, ninja) come first; pip keeps to the constraints, asks nothing
        and installs nowhere else, whatever the user's configuration says.
        """
        return {
            "PATH": f"{self.bin}{os.pathsep}{os.environ.get('PATH', '')}",
            # An address, because pip would split a path at its spaces.
            "PIP_CONSTRAINT": (self.root / "constraints.txt").as_uri(),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INPUT": "1",
            "PIP_USER": "0",
        }
