"""What all adapters share: look-up by operation name and the reasons for not having one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, metadata
from types import ModuleType
from typing import ClassVar

from ..operations import IMPORT, find
from ..statement import EMPTY, Body


class UnsupportedError(NotImplementedError):
    """The library has no such operation. The message is the reason shown in the table."""


class MissingLibraryError(NotImplementedError):
    """The library is not installed, or cannot be imported on this machine."""


class Adapter:
    """One library under measurement.

    A subclass has a method for each operation it can do, named ``group_verb`` and returning the
    :class:`~benchmarks.statement.Body` to loop over.

    Attributes
    ----------
    library : str
        The name in parameters, tables and results.
    distributions : tuple of str
        The installed packages whose versions the result depends on; the first is the library.
    unsupported_operations : mapping of str to str
        Operation to the reason why the library cannot do it.
    """

    library: ClassVar[str]
    distributions: ClassVar[tuple[str, ...]]
    unsupported_operations: Mapping[str, str] = {}

    def unsupported(self, operation: str) -> str | None:
        """Return why the library cannot do a catalogued operation, or None if it can.

        Raises
        ------
        benchmarks.operations.UnknownOperationError
            If the catalogue does not have the operation.
        """
        entry = find(operation)
        if operation in self.unsupported_operations:
            return self.unsupported_operations[operation]
        if operation != IMPORT and not hasattr(self, entry.method):
            return f"{self.library} has no such operation"
        return None

    def body(self, operation: str) -> Body:
        """Return what performs an operation.

        Raises
        ------
        benchmarks.operations.UnknownOperationError
            If the catalogue does not have the operation.
        UnsupportedError
            If the library cannot do it, with the reason.
        """
        if reason := self.unsupported(operation):
            raise UnsupportedError(reason)
        if operation == IMPORT:
            raise UnsupportedError("an import cannot be looped: each needs a fresh process")
        body: Body = getattr(self, find(operation).method)()
        return body

    def import_statement(self) -> str:
        """Return the statement that imports the library."""
        return f"import {self.library}"

    def empty(self) -> Body:
        """Return the loop without the operation, to be subtracted."""
        return EMPTY

    def versions(self) -> dict[str, str]:
        """Return the installed version of each package the result depends on."""
        return installed_versions(self.distributions)


def installed_versions(distributions: tuple[str, ...]) -> dict[str, str]:
    """Return name and version of those distributions that are installed."""
    found = {}
    for distribution in distributions:
        try:
            found[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return found


def import_library(name: str, remedy: str) -> ModuleType:
    """Import a module of a library under measurement.

    Raises
    ------
    MissingLibraryError
        If it cannot be imported, with the cause and the remedy.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingLibraryError(f"{name} cannot be imported ({error}): {remedy}") from error
