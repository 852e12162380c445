"""Public cases 8 and 9: pickling, importing, forked and spawned processes."""

from __future__ import annotations

import pytest


def test_case_08_pickled_devices_do_not_choose_the_current_one(fresh) -> None:
    fresh(
        """
        import pickle, subprocess, os
        first, second = Device(0), Device(1)
        second.set_current()
        for order in ([first, second], [second, first]):
            data = pickle.dumps(order)
            child = (
                f"import sys; sys.path[:] = {sys.path!r}; import pickle;"
                "from benchmarks import driver; driver.choose();"
                f"devices = pickle.loads({data!r}); from fastpaths import Device;"
                "assert Device().device_id == 0;"
                "print([d.device_id for d in devices],"
                " all(d is Device(d.device_id) for d in devices))"
            )
            out = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True)
            assert out.stdout.strip() == f"{[d.device_id for d in order]} True", out
        """,
        devices=2,
    )


def test_case_09_importing_never_initialises(fresh) -> None:
    fresh("assert null.init_count() == 0, null.init_count()")


@pytest.mark.parametrize(
    "use", ["Device()", "Device(0).set_current()", "event.sync()", "Device(0).create_event()"]
)
def test_case_09_a_forked_child_gets_an_error_and_never_hangs(fresh, use: str) -> None:
    fresh(
        f"""
        import os, time
        Device(0).set_current()
        event = Device(0).create_event()
        child = os.fork()
        if child == 0:
            try:
                {use}
            except CUDAError as error:
                os._exit(0 if "spawn" in str(error) or error.code == 3 else 2)
            except BaseException:
                os._exit(3)
            os._exit(1)
        begin = time.monotonic()
        while True:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid: break
            assert time.monotonic() - begin < 5, "the child hangs"
            time.sleep(0.01)
        assert os.waitstatus_to_exitcode(status) == 0, status
        event.sync()
        """
    )


FORKING = """
    import os, time
    def fork_and_wait(in_child):
        child = os.fork()
        if child == 0:
            try:
                os._exit(in_child())
            except BaseException as error:
                os.write(2, repr(error).encode())
                os._exit(99)
        begin = time.monotonic()
        while True:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() - begin > 5:
                os.kill(child, 9)
                return "hangs"
            time.sleep(0.01)
    def refused():
        try:
            Device(0).set_current()
        except CUDAError as error:
            return 0 if "spawn" in str(error) else 1
        return 2
    """


def test_case_09_a_child_forked_before_any_use_can_use_the_driver(fresh) -> None:
    fresh(
        FORKING
        + """
    def use():
        Device(0).set_current()
        Device(0).create_stream().record().sync()
        return 0
    assert fork_and_wait(use) == 0
    assert null.init_count() == 0
    Device(0).set_current()
    assert fork_and_wait(refused) == 0
    """
    )


def test_case_09_a_child_forked_while_another_thread_initialises_is_refused(fresh) -> None:
    fresh(
        FORKING
        + """
    import threading
    null.inject_delay("cuInit", 500_000_000)
    thread = threading.Thread(target=lambda: Device(0).set_current())
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    assert (status := fork_and_wait(refused)) == 0, status
    thread.join()
    Device(0).set_current()
    Device(0).create_event().close()
    """
    )


def test_case_09_spawned_children_are_the_way(fresh, tmp_path) -> None:
    """A device and a descriptor are sent to a spawned process, which uses them."""
    (tmp_path / "child_of_case_09.py").write_text(
        "from benchmarks import driver\n"
        "driver.choose()\n"
        "from fastpaths import Device, Event\n"
        "def work(device, descriptor, results):\n"
        "    device.set_current()\n"
        "    event = Event.from_ipc_descriptor(descriptor)\n"
        "    results.put((device.device_id, device is Device(1), event.is_done))\n"
    )
    fresh(
        f"""
        import multiprocessing, os
        os.environ["PYTHONPATH"] = os.pathsep.join([{str(tmp_path)!r}, *sys.path])
        sys.path.append({str(tmp_path)!r})
        from child_of_case_09 import work
        Device(1).set_current()
        event = Device(1).create_event({{"ipc_enabled": True}})
        spawn = multiprocessing.get_context("spawn")
        results = spawn.Queue()
        child = spawn.Process(target=work, args=(Device(1), event.ipc_descriptor, results))
        child.start()
        assert results.get(timeout=30) == (1, True, True)
        child.join()
        assert child.exitcode == 0
        """,
        devices=2,
    )
