"""The time of a call from Python: ``python overhead.py [DEVICE]``."""

from __future__ import annotations

import sys
import time

import numpy as np

import ribbonmesh as rm

device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
tiny = rm.Mesh(np.eye(3), [[0, 1, 2]], device)
x, f = np.eye(3), np.array([[0, 1, 2]])


def microseconds(work: object, times: int = 2000) -> float:
    """The median of a call."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()  # type: ignore[operator]
        taken.append(time.perf_counter() - start)
    return float(np.median(taken) * 1e6)


for name, work in (
    ("a mesh of arrays of one face", lambda: rm.Mesh(x, f, device)),
    ("vertices", lambda: tiny.vertices),
    ("repair of one face", lambda: tiny.repair()),
    ("closest point of one face", lambda: tiny.closest(x)),
    ("normals of one face", lambda: tiny.normals()),
):
    print(f"{name}: {microseconds(work):.1f} µs")
