from typing import Any, ClassVar

class EventOptions:
    __dataclass_fields__: ClassVar[dict[str, Any]]
    __match_args__: ClassVar[tuple[str, ...]]
    __hash__: ClassVar[None]  # type: ignore[assignment]
    timing_enabled: bool | None
    blocking_sync: bool | None
    ipc_enabled: bool | None
    def __init__(
        self,
        timing_enabled: bool | None = False,
        blocking_sync: bool | None = False,
        ipc_enabled: bool | None = False,
        **renamed: bool | None,
    ) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

class StreamOptions:
    __dataclass_fields__: ClassVar[dict[str, Any]]
    __match_args__: ClassVar[tuple[str, ...]]
    __hash__: ClassVar[None]  # type: ignore[assignment]
    nonblocking: bool
    priority: int | None
    def __init__(self, nonblocking: bool = True, priority: int | None = None) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
