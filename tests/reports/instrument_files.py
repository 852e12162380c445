"""Instruments' files as the instruments write them, from a few figures."""

from __future__ import annotations

from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"

NULL: dict[str, Any] = {
    "driver": {"kind": "null", "version": "13.0", "release": None}, "gpu": None,
}  # fmt: skip


def count_result(operation: str, name: str, net: float, **functions: float) -> dict[str, Any]:
    """A count whose driver calls take 100 instructions; `functions` grow by what they are given."""
    library, _, version = name.partition(" ")
    driver, module = 100.0, f"_{operation.split('.')[0]}.cpython-311-x86_64-linux-gnu.so"
    own = {"create": net - driver - sum(functions.values()), **functions}
    return {
        "operation": operation,
        "library": library,
        "label": library,
        "origin": "installed",
        "instructions": net + 74.0,
        "empty": 74.0,
        "net": net,
        "driver": {"kind": "null", "version": 13000},
        "objects": {module: net - driver, "libcuda.so.1": driver, "libpython3.11.so.1.0": 74.0},
        "functions": {module: own, "libcuda.so.1": {"cuEventCreate": driver}},
        "times": 1000,
        "without_driver": net - driver,
        "versions": {library: version} if version else {},
        "python": "3.11.7",
        "conditions": {
            "valgrind": "3.19.0", "architecture": "x86_64", "hash_seed": "0",
            "glibc_tunables": "glibc.cpu.hwcaps=-AVX", "address_randomisation": False,
            "driver": "null",
        },
    }  # fmt: skip


def provenance(**changes: Any) -> dict[str, Any]:
    return {
        "commit": COMMIT,
        "dirty": False,
        "date": "2026-12-01T09:00:00+00:00",
        "driver": {"kind": "nvidia", "version": "13.0", "release": "580.159.04"},
        "gpu": "NVIDIA H200",
        "cpu": "Some CPU @ 2.00GHz",
        "cores": 16,
        "governor": None,
        "python": "3.11.7",
        "libc": "glibc 2.36",
        "kernel": "Linux 6.1",
        "libraries": {"cuda-core": {"version": "1.2.2", "origin": "index"}},
        **changes,
    }


def side(name: str, net: float, empty: float) -> dict[str, Any]:
    library, _, version = name.partition(" ")
    packages = {"cuda.core": "cuda-core"}
    return {
        "library": library,
        "label": library,
        "origin": "installed",
        "versions": {packages.get(library, library): version} if version else {},
        "python": "3.11.7",
        "operations_per_slice": 500,
        "ns": net + empty,
        "empty_ns": empty,
        "net_ns": net,
        "slices": [round((net + empty) * factor, 2) for factor in (0.99, 1.0, 1.0, 1.02)],
    }


def duet_result(
    operation: str, a: str, b: str, net_a: float, net_b: float, spread: float = 0.005
) -> dict[str, Any]:
    """A result of one operation; `spread` is half the relative width of its intervals."""
    empty_a, empty_b = (1.0 if name == "floor" else 8.0 for name in (a, b))
    ratio, net = (net_a + empty_a) / (net_b + empty_b), net_a / net_b
    change, half = net_a - net_b, spread * max(net_a, net_b)
    return {
        "operation": operation,
        "a": side(a, net_a, empty_a),
        "b": side(b, net_b, empty_b),
        "ratio": ratio,
        "interval": [ratio * (1 - spread), ratio * (1 + spread)],
        "confidence": 0.99,
        "net_ratio": net,
        "net_ratio_interval": [net * (1 - spread), net * (1 + spread)],
        "difference_ns": change,
        "difference_ns_interval": [change - half, change + half],
        "noise": 0.02,
        "interrupted": 0.03,
        "rounds": 400,
        "stopped": "narrow",
        "seconds": 0.8,
        "core": 1,
        "driver": {"kind": "nvidia", "version": 13000},
    }
