"""Ctrl-C, progress, the interpreter's lock, forks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import ribbonmesh as rm


# what a shell runs in the background ignores Ctrl-C, and so would its children
HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def run(program: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HEARS + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@pytest.mark.parametrize("work", ["mesh.remesh('0.1x', iterations=50)", "mesh.geodesic(0, exact=True)"])
def test_ctrl_c_ends_the_work_and_not_the_process(work) -> None:
    done = run(f"""
        import os, signal, threading, time
        import ribbonmesh as rm
        mesh = rm.generate("bumpy-sphere", 7, device="cpu")
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.time()
        try:
            {work}
        except KeyboardInterrupt:
            print("interrupted", time.time() - start < 5)
        print(len(rm.generate("icosphere", 2, device="cpu").simplify(100)))
    """)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["interrupted", "True", "100"]


def test_the_lock_is_released(bumpy) -> None:
    mesh = rm.generate("bumpy-sphere", 6, device="cpu")
    ticks, over = [], threading.Event()

    def tick() -> None:
        while not over.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    mesh.remesh()
    end = time.perf_counter()
    over.set()
    thread.join()
    during = [tick for tick in ticks if start < tick < end]
    assert end - start > 0.1
    assert len(during) > 10 * (end - start)


def test_progress(bumpy) -> None:
    counts: list[int] = []
    bumpy.remesh(progress=counts.append)
    assert sum(counts) > 10

    class Bar:
        n = 0

        def update(self, more: int) -> None:
            self.n += more

    bar = Bar()
    bumpy.simplify(100, progress=bar)
    assert bar.n > 10
    with pytest.raises(rm.ArgumentError, match="progress"):
        bumpy.smooth(progress=3)


def test_an_error_in_progress_stops_the_work(bumpy) -> None:
    class Enough(Exception):
        pass

    def stop(_: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        rm.generate("bumpy-sphere", 6, device="cpu").remesh("0.5x", iterations=20, progress=stop)
    assert len(bumpy.simplify(100)) == 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_is_told() -> None:
    done = run("""
        import os
        import ribbonmesh as rm
        mesh = rm.generate("icosphere", 2, device="cpu")
        mesh.smooth()
        if os.fork() == 0:
            try:
                mesh.smooth()
            except rm.DeviceError as error:
                os._exit(7 if "forked" in str(error) else 1)
            os._exit(2)
        print(os.waitstatus_to_exitcode(os.wait()[1]))
    """)
    assert done.stdout.split() == ["7"], done.stderr


def test_the_driver_is_loaded_when_needed() -> None:
    done = run("""
        import numpy as np
        import ribbonmesh as rm
        mesh = rm.Mesh(np.eye(3), [[0, 1, 2]], "cpu")
        mesh.normals()
        mesh = rm.Mesh(np.eye(3), [[0, 1, 2]])
        maps = open("/proc/self/maps").read()
        print("libcuda" in maps)
    """)
    if not os.path.exists("/proc/self/maps"):
        pytest.skip("no /proc")
    assert done.stdout.split() == ["False"], done.stderr


def test_signals_are_left_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    rm.generate("icosphere", 4, device="cpu").smooth()
    assert signal.getsignal(signal.SIGINT) is before
