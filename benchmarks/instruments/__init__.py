"""The instruments: paired time (duet), instructions (count) and driver calls (trace).

Each is a module with a small API and a verb of ``python -m benchmarks``. The libraries under
measurement live in worker processes; nothing here imports them or touches a driver.
"""
