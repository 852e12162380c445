from typing import Any

class CUDAError(Exception):
    code: int | None
    name: str | None
    call: str | None
    def __reduce__(self) -> tuple[Any, ...]: ...

class DriverUnavailableError(CUDAError, RuntimeError): ...
