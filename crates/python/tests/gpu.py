"""Arrays on a device, and every method of every class beside the CPU: ``python gpu.py`` on a machine with a GPU.

It needs the package and numpy; torch is used where there is one. Memory, streams and copies of another library are played by the CUDA
driver, through ctypes. ``--device cpu`` needs no GPU: then arrays of the CPU's kernels are lent by DLPack, work takes turns as on a GPU,
and what a GPU alone has is left out. Whatever does not end within ``--limit`` seconds is named, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import ctypes
import dataclasses
import faulthandler
import functools
import gc
import importlib.util
import inspect
import math
import os
import pickle
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import ribbonmesh as rm
from ribbonmesh import _native


@functools.cache
def driver() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")


def call(name: str, *arguments: object) -> None:
    code = getattr(driver(), name)(*arguments)
    assert code == 0, f"{name}: {code}"


class Library:
    """Another library on the same GPU: the primary context, and a stream of its own."""

    def __init__(self) -> None:
        call("cuInit", 0)
        device, self.context, self.stream = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
        call("cuDeviceGet", ctypes.byref(device), 0)
        call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.enter()
        call("cuStreamCreate", ctypes.byref(self.stream), 1)

    def enter(self) -> None:
        call("cuCtxSetCurrent", self.context)

    def array(self, values: np.ndarray, **how: object) -> Array:
        return Array(self, np.ascontiguousarray(values), **how)

    def read(self, address: int, like: np.ndarray) -> np.ndarray:
        """By this library's stream, without another wait."""
        self.enter()
        to = np.empty_like(like)
        call("cuMemcpyDtoHAsync_v2", to.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(address), ctypes.c_size_t(to.nbytes), self.stream)
        call("cuStreamSynchronize", self.stream)
        return to


class Array:
    """An array of the other library, by the CUDA array interface or by DLPack."""

    alive = 0

    def __init__(self, library: Library, values: np.ndarray, offset: int = 0, late: bool = False) -> None:
        self.library, self.values, self.offset = library, values, offset
        self.base = ctypes.c_uint64()
        library.enter()
        call("cuMemAlloc_v2", ctypes.byref(self.base), ctypes.c_size_t(max(values.nbytes, 1) + offset + (64 << 20) * late))
        if late:
            # much work first, so that who does not wait reads zeros
            call("cuMemsetD8Async", self.base, ctypes.c_ubyte(0), ctypes.c_size_t(values.nbytes), library.stream)
            for _ in range(400):
                call("cuMemsetD8Async", ctypes.c_uint64(self.base.value + values.nbytes), ctypes.c_ubyte(0), ctypes.c_size_t(64 << 20), library.stream)
        call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(self.address), values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(values.nbytes), library.stream)
        Array.alive += 1

    @property
    def address(self) -> int:
        return self.base.value + self.offset

    @property
    def __cuda_array_interface__(self) -> dict:
        return {
            "shape": self.values.shape,
            "typestr": self.values.dtype.str,
            "data": (self.address, False),
            "version": 3,
            "stream": self.library.stream.value,
        }

    def __del__(self) -> None:
        self.library.enter()
        call("cuMemFree_v2", self.base)
        Array.alive -= 1


def pointer(capsule: object) -> int:
    """The address in a capsule of DLPack, versioned or not."""
    api = ctypes.pythonapi
    api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    if api.PyCapsule_IsValid(capsule, b"dltensor_versioned"):
        at = api.PyCapsule_GetPointer(capsule, b"dltensor_versioned") + 8 + 8 + 8 + 8
    else:
        at = api.PyCapsule_GetPointer(capsule, b"dltensor")
    return int(ctypes.c_void_p.from_address(at).value or 0)


def copies_of(work: object) -> tuple[object, dict[str, int]]:
    before = rm.copies()
    made = work()  # type: ignore[operator]
    return made, {name: n - before[name] for name, n in rm.copies().items() if n != before[name]}


def arrays_and_streams(library: Library) -> None:
    """What a GPU alone has: arrays of others without a copy through the host, streams, lifetimes."""
    ball = rm.generate("icosphere", 5, shuffle=True, device="cpu")
    x, f = np.array(ball.vertices, np.float32), np.array(ball.faces)

    # in and out without the host, whatever the type of the faces
    for faces in (f, f.astype(np.uint32), f.astype(np.int64), f.astype(np.uint64)):
        mesh, copied = copies_of(lambda faces=faces: rm.Mesh(library.array(x), library.array(faces)))
        assert copied == {"on_device": 2}, copied
        gc.collect()
        assert Array.alive == 0
        assert mesh.on_device and mesh.device.startswith("cuda")
        np.testing.assert_array_equal(mesh.vertices.numpy(), x)
        np.testing.assert_array_equal(mesh.faces.numpy(), f)
    print("arrays in: no copy on the host; given back")

    (small, normals), copied = copies_of(lambda: (mesh.remesh("1.5x").simplify(2000).smooth(), mesh.normals()))
    assert set(copied) == {"on_device"}, copied
    assert small.on_device and len(small) <= 2000
    np.testing.assert_allclose(normals.numpy(), ball.normals(), atol=1e-5)
    np.testing.assert_allclose(mesh.curvature().mean_curvature.numpy(), ball.curvature().mean_curvature, atol=1e-2)
    np.testing.assert_allclose(mesh.geodesic(3).distance.numpy(), ball.geodesic(3).distance, atol=1e-3)
    print("chains of work: no copy on the host")

    heat = np.arange(len(x), dtype=np.float32)
    with rm.serve() as server:
        # waits for the clients' thread, so that all lent arrays are back
        _, copied = copies_of(lambda: server.update(library.array(x), library.array(f), {"heat": library.array(heat)}))
        assert copied == {"on_device": 3}, copied
        gc.collect()
        assert Array.alive == 0
    print("served: no copy on the host; given back")
    open_mesh = rm.Mesh(library.array(x), library.array(f[5:]))
    whole, copied = copies_of(lambda: open_mesh.repair().fill())
    assert set(copied) == {"on_device"}, copied
    assert whole.on_device and whole.info().boundary_edges == 0
    print("repair and fill: no copy on the host")

    points = np.random.default_rng(1).uniform(-2, 2, (100_000, 3)).astype(np.float32)
    found, copied = copies_of(lambda: mesh.closest(library.array(points)))
    assert not copied, copied
    expected = ball.closest(points)
    np.testing.assert_allclose(found.distances.numpy(), expected.distances, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found.points.numpy(), expected.points, atol=1e-3)
    # several faces are equally close to a point in front of an edge; machines round such distances differently
    assert (found.faces.numpy() == expected.faces).mean() > 0.5
    corners, weights = x[f[found.faces.numpy()]], found.barycentric.numpy()
    np.testing.assert_allclose((corners * weights[..., None]).sum(1), found.points.numpy(), atol=1e-5)
    assert abs(weights.sum(1) - 1).max() < 1e-5
    again = mesh.closest(library.array(points[::-1].copy()))
    for name in ("points", "faces", "normals", "distances", "barycentric"):
        np.testing.assert_array_equal(getattr(again, name).numpy()[::-1], getattr(found, name).numpy())
    del found, again
    (_, other), copied = copies_of(lambda: (mesh.distance(mesh, samples=10_000), mesh.distance(small, samples=10_000)))
    assert not copied, copied
    assert other == mesh.distance(small, samples=10_000)
    assert abs(other.symmetric.hausdorff / ball.distance(small.to_host(), samples=10_000).symmetric.hausdorff - 1) < 1e-3
    gc.collect()
    assert Array.alive == 0
    print("closest points and distances: no copy, whatever the order of the points")

    # the same memory
    vertices = small.vertices
    for version in (None, (1, 0)):
        assert pointer(vertices.__dlpack__(stream=library.stream.value, max_version=version)) == vertices.address
    assert vertices.__cuda_array_interface__["data"] == (vertices.address, True)
    assert vertices.__dlpack_device__() == (2, 0)
    expected = vertices.numpy()
    np.testing.assert_array_equal(library.read(vertices.address, expected), expected)
    again, copied = copies_of(lambda: rm.Mesh(small.vertices, small.faces))
    assert copied == {"on_device": 2}, copied
    np.testing.assert_array_equal(again.vertices.numpy(), expected)
    print("arrays out: the same memory")

    # what was queued on another stream comes first, and the other stream waits for what is queued here
    for _ in range(5):
        late = rm.Mesh(library.array(x, late=True), library.array(f, late=True))
        np.testing.assert_array_equal(late.vertices.numpy(), x)
    for _ in range(20):
        moved = mesh.smooth(steps=3)
        address = moved.vertices
        capsule = address.__dlpack__(stream=library.stream.value)
        first = library.read(address.address, x)
        np.testing.assert_array_equal(first, moved.vertices.numpy())
        del capsule
    print("streams are ordered")

    # lifetimes
    capsule = mesh.smooth().vertices.__dlpack__(stream=library.stream.value)
    address = pointer(capsule)
    kept = library.read(address, x)
    filler = [mesh.smooth() for _ in range(10)]
    np.testing.assert_array_equal(library.read(address, x), kept)
    del capsule, filler
    gc.collect()
    print("a capsule keeps its memory")

    # refusals
    for given, words in (
        ((library.array(x.astype(np.float64)), library.array(f)), "float64"),
        ((library.array(x, offset=4), library.array(f)), "16 bytes"),
        ((library.array(x), library.array(f.astype(np.int64) - 1)), "negative"),
        ((library.array(x), library.array(f + 1)), "face"),
        ((library.array(x), f), "the host"),
        ((library.array(x[:, :2].copy()), library.array(f)), "shape"),
    ):
        try:
            rm.Mesh(*given)
        except rm.Error as error:
            assert words in str(error), error
        else:
            raise AssertionError(words)
    del given
    gc.collect()
    assert Array.alive == 0
    print("refusals: no crash, all given back")

    # meshes of numpy on the GPU, and threads
    host = rm.Mesh(x, f, "cuda")
    assert isinstance(host.remesh().vertices, np.ndarray)
    found: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: found.append(host.smooth().vertices)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    for values in found:
        np.testing.assert_array_equal(values, found[0])
    print("threads share the GPU")

    # a surface that moves, by a function whose arrays stay on the GPU
    tracker = rm.Tracker(mesh)
    before = rm.copies()
    for _ in range(5):
        tracker.step(0.1, lambda x, time: x)
    tracker.step(0.1, library.array(tracker.vertices.numpy()))
    moved = tracker.mesh(attributes=False)
    after = {name: n - before[name] for name, n in rm.copies().items() if n != before[name]}
    # each function's result, the array, the mesh; and the test's own download
    assert after == {"on_device": 5 * 4 + 1 + 1, "to_host": 1}, after
    radius = np.linalg.norm(moved.vertices.numpy(), axis=1)
    assert abs(radius.mean() - 1.1 * np.exp(0.5)) < 0.01, radius.mean()
    inner = rm.Tracker(mesh)
    inner.step(0.1, lambda x, time: rm.Mesh(x, mesh.faces).smooth().vertices)
    print("a surface moves by arrays of the GPU")

    # memory does not grow
    def used() -> int:
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        library.enter()
        call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return total.value - free.value

    for rounds in (50, 500):
        for _ in range(rounds):
            rm.Mesh(library.array(x), library.array(f)).smooth()
        gc.collect()
        before, now = (used(), 0) if rounds == 50 else (before, used())
    assert now - before < 64 << 20, (before, now)
    print("memory does not grow")

    # the time of a call
    tiny = rm.generate("icosphere", 1, device="cuda").to_device()
    tiny.normals()
    start = time.perf_counter()
    for _ in range(200):
        tiny.normals()
    print(f"normals of 80 faces: {(time.perf_counter() - start) / 200 * 1e6:.0f} microseconds a call")

    try:
        import torch
    except ImportError:
        print("no torch")
        return
    tensors = torch.tensor(x, device="cuda"), torch.tensor(f.astype(np.int64), device="cuda")
    mesh, copied = copies_of(lambda: rm.Mesh(*tensors))
    assert copied == {"on_device": 2}, copied
    out = torch.from_dlpack(mesh.vertices)
    assert out.data_ptr() == mesh.vertices.address
    assert torch.equal(out, tensors[0])
    with torch.cuda.stream(torch.cuda.Stream()):
        big = torch.randn(4096, 4096, device="cuda")
        for _ in range(30):
            big = big @ big / 4096
        moved = tensors[0] * (1 + 0 * big[0, 0].nan_to_num())
        same = rm.Mesh(moved, tensors[1])
    assert torch.equal(torch.from_dlpack(same.vertices), tensors[0])
    print("torch: the same memory, streams are ordered")


class Limit:
    """Ends the process with a message if work takes too long, whatever holds it up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.running: dict[str, str] = {}
        # the interpreter's lock may be what is held: this one needs none
        faulthandler.dump_traceback_later(seconds + 30, exit=True)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        time.sleep(self.seconds)
        names = ", ".join(f"{name} in {thread}" for thread, name in self.running.items())
        print(f"no end after {self.seconds:g} seconds: {names or 'nothing of the table'}", flush=True)
        faulthandler.dump_traceback(all_threads=True)
        os._exit(1)

    def does(self, name: str) -> None:
        self.running[threading.current_thread().name] = name


class Place:
    """Where meshes and arrays live, as a case sees it."""

    def __init__(self, device: str, lend: Callable[[np.ndarray], object] | None) -> None:
        self.device = device
        self.lend = lend
        self.folder = Path(tempfile.mkdtemp(prefix="ribbonmesh-gpu-"))

    def array(self, values: np.ndarray) -> Any:
        """An array there."""
        return values if self.lend is None else self.lend(values)

    def made(self, mesh: rm.Mesh) -> rm.Mesh:
        """A mesh of arrays there."""
        x, f = np.array(mesh.vertices, np.float32), np.array(mesh.faces)
        return rm.Mesh(self.array(x), self.array(f), self.device)

    @functools.cached_property
    def bumpy(self) -> rm.Mesh:
        return self.made(rm.generate("bumpy-sphere", 4, device="cpu"))

    @functools.cached_property
    def ball(self) -> rm.Mesh:
        return self.made(rm.generate("icosphere", 3, device="cpu"))

    @functools.cached_property
    def other(self) -> rm.Mesh:
        ball = rm.generate("icosphere", 3, device="cpu")
        return self.made(rm.Mesh(np.array(ball.vertices) + np.array([0.7, 0.1, 0.2]), ball.faces, "cpu"))

    @functools.cached_property
    def open(self) -> rm.Mesh:
        ball = rm.generate("icosphere", 3, device="cpu")
        return self.made(rm.Mesh(ball.vertices, np.array(ball.faces)[12:], "cpu"))

    @functools.cached_property
    def noisy(self) -> rm.Mesh:
        return self.made(rm.generate("icosphere", 4, noise=0.2, seed=3, device="cpu"))

    def file(self, name: str, mesh: rm.Mesh) -> Path:
        path = self.folder / f"{threading.current_thread().name}-{name}"
        mesh.write(path)
        return path


@dataclasses.dataclass
class About:
    """A number that depends on the order of sums: equal up to a part of itself."""

    value: float
    part: float = 0.02


def like(mesh: rm.Mesh) -> object:
    """What a mesh is like whose triangles may differ between machines."""
    figures = mesh.info()
    return [
        About(len(mesh)),
        About(figures.area),
        # a mesh with a border has no volume
        About(abs(figures.volume or 0.0)),
        figures.boundary_edges == 0,
        figures.nonmanifold_edges,
        figures.components,
    ]


def numbers(values: object) -> np.ndarray:
    return values.numpy() if isinstance(values, rm.DeviceArray) else np.array(values)


def tracked(place: Place) -> rm.Tracker:
    tracker = rm.Tracker(place.ball)
    tracker.step(0.05, lambda x, time: x)
    return tracker


def moved_by_function(place: Place) -> object:
    tracker = rm.Tracker(place.ball)

    def velocity(x: Any, time: float) -> Any:
        # the function uses the package itself
        return rm.Mesh(x, place.ball.faces, place.device).smooth(time_step="0.1h2").vertices if place.lend else numbers(
            rm.Mesh(x, place.ball.faces, place.device).smooth(time_step="0.1h2").vertices
        )

    tracker.step(0.05, velocity)
    by_array = rm.Tracker(place.ball)
    by_array.step(0.05, place.array(np.array(numbers(by_array.vertices), np.float32)))
    outward = rm.Tracker(place.ball)
    outward.step(0.05, rm.AlongNormals(1.0))
    inward = rm.Tracker(place.ball)
    inward.step(0.001, rm.ByCurvature(1.0))
    return [like(t.mesh()) for t in (tracker, by_array, outward, inward)]


def with_attributes(place: Place) -> object:
    n, m = len(place.ball.vertices), len(place.ball)
    given = {
        "heat": np.arange(n, dtype=np.float32),
        "precise": np.linspace(0, 1, n),
        "flow": np.arange(3 * n, dtype=np.float32).reshape(n, 3),
        "label": np.arange(n, dtype=np.int64),
        "byte": (np.arange(n) % 200).astype(np.uint8),
        "half": np.arange(n, dtype=np.float16),
        "flag": np.arange(n) % 2 == 0,
    }
    mesh = place.ball.with_attributes(
        vertex={name: place.array(values) for name, values in given.items()},
        face={"part": place.array(np.arange(m, dtype=np.int32))},
        corner={"uv": place.array(np.arange(6 * m, dtype=np.float32).reshape(3 * m, 2))},
    )
    again = rm.Mesh(
        place.array(np.array(numbers(mesh.vertices))),
        place.array(np.array(numbers(mesh.faces))),
        place.device,
        vertex_attributes={"heat": place.array(given["heat"])},
    )
    for name, values in given.items():
        np.testing.assert_array_equal(mesh.vertex_attributes[name], values.astype(mesh.vertex_attributes[name].dtype))
    without = mesh.with_attributes(vertex={"heat": None})
    return [
        [dict(of) for of in (mesh.vertex_attributes, mesh.face_attributes, mesh.corner_attributes)],
        dict(again.vertex_attributes),
        sorted(without.vertex_attributes),
        mesh.on_device == place.ball.on_device,
        # they follow
        sorted(mesh.simplify(300).vertex_attributes),
    ]


def device_array(place: Place) -> Any:
    """An array of the package, of a mesh whose arrays live on the device."""
    return place.ball.to_device().vertices


def mapped(place: Place) -> object:
    files = [place.file(f"map-{i}.ply", place.ball) for i in range(3)]
    out = place.folder / f"{threading.current_thread().name}-out"
    result = rm.map(files, lambda mesh: mesh.simplify(200), out=out, device=place.device, workers=2, again=True)
    assert not result.failed, result.failed
    return [len(result.done), [len(rm.read(path, place.device)) for path in sorted(result.done)], repr(result)]


def piped(place: Place) -> object:
    path = place.file("pipe.ply", place.ball)
    out = place.folder / f"{threading.current_thread().name}-piped"
    pipeline = rm.MapPipeline(lambda mesh: mesh.simplify(200), out=out, device=place.device, again=True)
    found = pipeline({"path": np.array([str(path)])})
    return [found["error"].tolist(), len(rm.read(found["result"][0], place.device))]


def threads_are_set(place: Place) -> object:
    try:
        rm.set_threads(2)
    except rm.Error:
        pass  # the pool of this process has been made
    return None


def cleaned(place: Place) -> object:
    turned = np.array(numbers(place.open.faces))[:, ::-1].copy()
    mesh = rm.Mesh(place.array(np.array(numbers(place.open.vertices), np.float32)), place.array(turned), place.device)
    return [like(mesh.clean()), like(mesh.clean(wrap="always", resolution=24))]


def tetrahedra(place: Place) -> rm.Volume:
    return place.ball.tetrahedralize(size=0.4)


def cube(place: Place) -> rm.Volume:
    """Eight hexahedra."""
    points = np.array([[x, y, z] for z in range(3) for y in range(3) for x in range(3)], np.float64)
    corners = [0, 1, 4, 3, 9, 10, 13, 12]
    firsts = [x + 3 * y + 9 * z for z in range(2) for y in range(2) for x in range(2)]
    cells = np.array([[first + corner for corner in corners] for first in firsts])
    heat = {"heat": np.arange(27, dtype=np.float64)}
    return rm.Volume(points, {"hexahedra": cells}, place.device, point_data=heat, cell_data={"part": np.arange(8)})


def refused(work: Callable[[], object]) -> str:
    """The type of the error that ends this work."""
    try:
        work()
    except Exception as error:
        return type(error).__name__
    raise AssertionError("a report was changed")


def bent(place: Place) -> object:
    after = cube(place).elasticity(fix="min-x", load={"max-x": (0.0, 0.0, 0.01)})
    return [About(after.report.greatest_displacement), after.report.converged]


def matrix(place: Place) -> rm.SparseMatrix:
    """The Laplacian of a chain, plus one."""
    n = 50
    starts = np.concatenate([[0], np.cumsum([2 if i in (0, n - 1) else 3 for i in range(n)])])
    rows = [[j for j in (i - 1, i, i + 1) if 0 <= j < n] for i in range(n)]
    values = [3.0 if i == j else -1.0 for i, row in enumerate(rows) for j in row]
    return rm.SparseMatrix((starts, np.concatenate(rows), values), device=place.device)


def served(place: Place, work: Callable[[rm.Server], object]) -> object:
    """What work on a server of the ball gives."""
    with rm.serve(device=place.device) as server:
        heights = place.array(np.ascontiguousarray(numbers(place.ball.vertices), np.float32))
        server.update(place.ball.vertices, place.ball.faces, {"p": heights}, 0.5)
        return work(server)


def viewed(place: Place, work: Callable[[rm.LiveView], object]) -> object:
    view = place.ball.view({"one": np.ones(len(place.ball.vertices))})
    try:
        return work(view)
    finally:
        view.close()


def in_turn(server: rm.Server) -> object:
    server.pause()
    server.step()
    server.wait_for_turn()
    paused = server.paused
    server.play()
    server.wait_for_turn()
    return paused, server.paused


def rows_of(matrix: rm.DeviceCsr) -> list[np.ndarray]:
    return [numbers(matrix.indptr), numbers(matrix.indices), numbers(matrix.data)]


def heated(place: Place) -> rm.HeatMethod:
    heat = rm.HeatMethod(place.ball)
    heat.distance(0)
    return heat


def stretched(mesh: rm.Mesh) -> np.ndarray:
    return np.array(mesh.to_host().vertices, np.float32) * np.array([1.2, 0.9, 1.0], np.float32)


def as_scipy(matrix: rm.DeviceCsr) -> object:
    """Its numbers by scipy, where that is installed."""
    return matrix.to_scipy().toarray() if importlib.util.find_spec("scipy") else None


POINTS = np.random.default_rng(1).uniform(-1.5, 1.5, (500, 3))

# what each method of each class does, so that the CPU and the device can be compared; a method without a line here fails
CASES: Mapping[str, Callable[[Place], object]] = {
    "Mesh.__init__": lambda p: [
        numbers(p.made(p.bumpy).vertices),
        numbers(rm.Mesh(p.array(np.array(numbers(p.ball.vertices), np.float32)), p.array(np.array(numbers(p.ball.faces), np.int64)), p.device).faces),
    ],
    "Mesh.__len__": lambda p: len(p.bumpy),
    "Mesh.__bool__": lambda p: bool(p.bumpy),
    "Mesh.__repr__": lambda p: repr(p.bumpy).split(", device")[0],
    "Mesh.__reduce__": lambda p: [numbers(pickle.loads(pickle.dumps(p.bumpy)).vertices), len(pickle.loads(pickle.dumps(p.ball)))],
    "Mesh.vertices": lambda p: numbers(p.bumpy.vertices),
    "Mesh.faces": lambda p: numbers(p.bumpy.faces),
    "Mesh.edges": lambda p: p.bumpy.edges,
    "Mesh.report": lambda p: sorted(p.bumpy.smooth().report),
    "Mesh.device": lambda p: isinstance(p.bumpy.device, str),
    "Mesh.on_device": lambda p: p.bumpy.on_device == (p.lend is not None),
    "Mesh.vertex_attributes": lambda p: dict(p.bumpy.with_attributes(vertex={"a": p.array(np.ones(len(p.bumpy.vertices), np.float32))}).vertex_attributes),
    "Mesh.face_attributes": lambda p: dict(p.bumpy.with_attributes(face={"a": p.array(np.ones(len(p.bumpy), np.float32))}).face_attributes),
    "Mesh.corner_attributes": lambda p: dict(p.bumpy.with_attributes(corner={"a": p.array(np.ones(3 * len(p.bumpy), np.float32))}).corner_attributes),
    "Mesh.to": lambda p: [numbers(p.bumpy.to("cpu").vertices), numbers(p.bumpy.to(p.device).faces)],
    "Mesh.to_device": lambda p: numbers(p.bumpy.to_device().vertices),
    "Mesh.to_host": lambda p: [p.bumpy.to_host().vertices, p.bumpy.to_host().faces],
    "Mesh.with_attributes": with_attributes,
    "Mesh.write": lambda p: rm.read(p.file("written.ply", p.bumpy), "cpu").vertices,
    "Mesh.info": lambda p: [
        {name: value for name, value in p.bumpy.info(intersections=True).items() if isinstance(value, int)},
        About(p.bumpy.info().area),
    ],
    "Mesh.query": lambda p: [
        [rows.offsets, rows.indices]
        for rows in (*(p.ball.query(op) for op in ("VV", "VE", "VF", "EV", "EF", "FV", "FE", "FF", "EE", "EVDiamond")), p.ball.query("VV", oriented=True))
    ],
    "Mesh.normals": lambda p: numbers(p.bumpy.normals()),
    "Mesh.curvature": lambda p: [About(p.bumpy.curvature().report.total_defect), numbers(p.ball.curvature().angle_defect)],
    "Mesh.geodesic": lambda p: [
        *(numbers(p.ball.geodesic(3).distance), p.ball.geodesic(3, exact=True, path_to=[7]).paths[0].length),
        numbers(p.ball.geodesic(numbers(p.ball.faces)[0].tolist(), signed=True).distance),
        np.linalg.norm(p.ball.geodesic(3, log_map=True).log_map, axis=1) < 2.5,
    ],
    "Mesh.intersections": lambda p: [p.ball.intersections().pairs, len(p.ball.intersections(p.other).pairs) > 0],
    "Mesh.inside": lambda p: [
        *(p.ball.inside(POINTS).inside, p.ball.inside(POINTS, method="rays").inside),
        numbers(p.ball.inside(p.array(np.array(POINTS, np.float32))).inside),
        numbers(p.ball.inside(p.array(np.array(POINTS, np.float32)), method="rays").winding),
    ],
    "Mesh.distance": lambda p: About(p.ball.distance(p.bumpy, samples=2000).symmetric.hausdorff),
    "Mesh.closest": lambda p: [
        *(p.bumpy.closest(POINTS).distances, p.bumpy.closest(POINTS).points),
        numbers(p.bumpy.closest(p.array(np.array(POINTS, np.float32))).distances),
    ],
    "Mesh.smooth": lambda p: numbers(p.bumpy.smooth(steps=2, keep_volume=True).vertices),
    "Mesh.deform": lambda p: numbers(p.bumpy.deform({0: None, 9: (0.0, 0.0, 2.0)}, tolerance=1e-7).vertices),
    "Mesh.denoise": lambda p: [like(p.noisy.denoise()), like(p.noisy.denoise(method="bilateral")), like(p.noisy.denoise(method="taubin"))],
    "Mesh.delaunay": lambda p: like(p.noisy.delaunay(order="rounds", repair=True, validate=True)),
    "Mesh.remesh": lambda p: [like(p.bumpy.remesh("1.5x")), like(p.bumpy.remesh(fast=True)), like(p.bumpy.remesh("1.5x", repair=True, project=True))],
    "Mesh.simplify": lambda p: [
        # a CPU has another order unless it is told
        like(p.bumpy.simplify(600, order="rounds")),
        like(p.bumpy.simplify(max_error="1%", order="rounds")),
        like(p.bumpy.simplify(600, order="rounds", no_self_intersections=True, repair=True)),
    ],
    "Mesh.repair": lambda p: like(p.open.repair(fill_holes=100)),
    "Mesh.fill": lambda p: like(p.open.fill()),
    "Mesh.resolve": lambda p: [like(p.ball.resolve(p.other)), len(p.ball.resolve(p.other).intersections().pairs)],
    "Mesh.boolean": lambda p: like(p.ball.boolean(p.other, op="difference")),
    "Mesh.wrap": lambda p: like(p.open.wrap(resolution=24)),
    "Mesh.clean": cleaned,
    "Mesh.unwrap": lambda p: like(p.ball.unwrap()),
    "Mesh.parameterize": lambda p: like(p.made(rm.generate("grid", 8, device="cpu")).parameterize(method="tutte")),
    "Mesh.render": lambda p: [p.bumpy.render(size=(60, 40), patches=True)[:4], p.bumpy.render(size=(60, 40))[:4]],
    "Mesh.show": lambda p: p.ball.show().html[:2],
    "Mesh.laplacian": lambda p: [rows_of(p.bumpy.to_device().laplacian()), rows_of(p.ball.to_device().laplacian(extrinsic=True))],
    "Mesh.mass_matrix": lambda p: [numbers(p.bumpy.to_device().mass_matrix()), numbers(p.ball.to_device().mass_matrix(masses="voronoi"))],
    "Mesh.intrinsic": lambda p: [
        of
        for found in [p.bumpy.to_device().intrinsic(min_angle=25)]
        for of in (rows_of(found.laplacian), numbers(found.mass_matrix), found.report.inserted, About(found.interpolation.sum()))
    ],
    "Mesh.energy": lambda p: [
        of
        for mesh in [p.made(rm.generate("grid", 8, device="cpu")).to_device()]
        for name in ("springs", "symmetric-dirichlet", "arap")
        for single in (np.float32, np.float64)
        for found in [mesh.energy(name, p.array(stretched(mesh).astype(single)), hessian=True)]
        for of in (About(found.value), numbers(found.gradient), rows_of(found.hessian))
    ],
    "Energy.__repr__": lambda p: repr(p.ball.energy("arap", p.array(stretched(p.ball)))).split("(")[0],
    "Mesh.gradient": lambda p: rows_of(p.bumpy.to_device().gradient()),
    "Mesh.bake": lambda p: [About(float((p.ball.unwrap().bake(p.bumpy, "normal", resolution=64).covered == 2).mean()), 0.2)],
    "HeatMethod.__init__": lambda p: heated(p).distance(0).round(3),
    "HeatMethod.__repr__": lambda p: repr(heated(p)),
    "HeatMethod.reports": lambda p: len(heated(p).reports),
    "HeatMethod.distance": lambda p: heated(p).distance([0, 9]).round(3),
    "HeatMethod.distances": lambda p: heated(p).distances([0, (3, 9)]).round(3),
    "HeatMethod.transport": lambda p: heated(p).transport([0, 9], [[1, 0, 0], [0, 2, 0]]).round(3),
    "HeatMethod.log_map": lambda p: About(float(np.nanmean(np.linalg.norm(heated(p).log_map(0), axis=1)))),
    "HeatMethod.log_maps": lambda p: About(float(np.nanmean(np.linalg.norm(heated(p).log_maps([0, 9]), axis=2)))),
    "HeatMethod.signed_distance": lambda p: heated(p).signed_distance(np.asarray(p.ball.faces)[0]).round(3),
    "HeatMethod.basis": lambda p: heated(p).basis(9).round(3),
    "Mesh.spectrum": lambda p: p.bumpy.spectrum(8).eigenvalues.round(4),
    "DeviceCsr.to_scipy": lambda p: as_scipy(p.ball.to_device().laplacian()),
    "DeviceCsr.__repr__": lambda p: repr(p.ball.to_device().laplacian()).split(", '")[0],
    "Mesh.face_normals": lambda p: p.bumpy.face_normals(),
    "Mesh.face_areas": lambda p: p.bumpy.face_areas(),
    "Mesh.sample": lambda p: [p.ball.sample(100, seed=1).points, p.ball.sample(100, seed=1).faces],
    "Mesh.transfer": lambda p: dict(
        p.ball.transfer(p.bumpy.with_attributes(vertex={"h": p.array(np.ones(len(p.bumpy.vertices), np.float32))}), "h").vertex_attributes
    ),
    "Mesh.transform": lambda p: numbers(p.ball.transform([[0, -1, 0, 3], [1, 0, 0, 0], [0, 0, 2, 1]]).vertices),
    "Mesh.submesh": lambda p: numbers(p.ball.submesh(np.arange(10)).vertices),
    "Mesh.components": lambda p: rm.concatenate([p.ball, p.other]).components(),
    "Mesh.split": lambda p: [numbers(part.vertices) for part in rm.concatenate([p.ball, p.other]).split()],
    "Mesh.tetrahedralize": lambda p: About(tetrahedra(p).info().total_volume),
    "Tracker.input_index": lambda p: rm.Tracker(p.ball).input_index,
    "Tracker.origin": lambda p: tracked(p).origin,
    "Volume.__init__": lambda p: cube(p).points,
    "Volume.__len__": lambda p: len(cube(p)),
    "Volume.__repr__": lambda p: repr(cube(p)).split(", device")[0],
    "Volume.__bool__": lambda p: bool(cube(p)),
    "Volume.points": lambda p: cube(p).points,
    "Volume.cells": lambda p: cube(p).cells,
    "Volume.cell_ids": lambda p: cube(p).cell_ids,
    "Volume.point_data": lambda p: dict(cube(p).point_data),
    "Volume.cell_data": lambda p: dict(cube(p).cell_data),
    "Volume.face_data": lambda p: sorted(cube(p).face_data),
    "Volume.regions": lambda p: cube(p).regions,
    "Volume.report": lambda p: sorted(tetrahedra(p).report),
    "Volume.device": lambda p: isinstance(cube(p).device, str),
    "Volume.with_data": lambda p: dict(cube(p).with_data(point={"a": np.ones(27)}).point_data),
    "Volume.write": lambda p: cube(p).write(p.folder / f"{threading.current_thread().name}-volume.vtu"),
    "Volume.info": lambda p: About(cube(p).info().total_volume),
    "Volume.surface": lambda p: like(cube(p).surface()),
    "Volume.subdivide": lambda p: About(cube(p).subdivide().info().total_volume),
    "Volume.smooth": lambda p: About(tetrahedra(p).smooth(3).info().total_volume),
    "Volume.energy": lambda p: [
        of
        for solid in [rm.generate("icosphere", 2, device="cpu").tetrahedralize(size=0.5)]
        for volume in [rm.Volume(solid.points, solid.cells, p.device)]
        for found in [volume.energy("neo-hookean", volume.points * [1.1, 0.9, 1.0])]
        for of in (About(found.value), found.gradient)
    ],
    "Volume.elasticity": bent,
    "SparseMatrix.__init__": lambda p: matrix(p).shape,
    "SparseMatrix.shape": lambda p: matrix(p).shape,
    "SparseMatrix.nnz": lambda p: matrix(p).nnz,
    "SparseMatrix.dtype": lambda p: str(matrix(p).dtype),
    "SparseMatrix.layout": lambda p: isinstance(matrix(p).layout, str),
    "SparseMatrix.T": lambda p: matrix(p).T @ np.arange(50.0),
    "SparseMatrix.__repr__": lambda p: repr(matrix(p)).split(", device")[0],
    "SparseMatrix.__matmul__": lambda p: matrix(p) @ np.arange(50.0),
    "SparseMatrix.solve": lambda p: matrix(p).solve(np.ones(50)).x,
    "Tracker.__init__": lambda p: rm.Tracker(p.ball, method="grid-free").steps,
    "Tracker.__repr__": lambda p: repr(rm.Tracker(p.ball)),
    "Tracker.step": moved_by_function,
    "Tracker.improve": lambda p: sorted(tracked(p).improve()),
    "Tracker.mesh": lambda p: [like(tracked(p).mesh()), like(tracked(p).mesh(attributes=False))],
    "Tracker.vertices": lambda p: About(float(np.linalg.norm(numbers(tracked(p).vertices), axis=1).mean())),
    "Tracker.time": lambda p: About(tracked(p).time),
    "Tracker.steps": lambda p: tracked(p).steps,
    "Tracker.length": lambda p: About(tracked(p).length),
    "Tracker.components": lambda p: rm.Tracker(p.ball, correct_volume=True).components,
    "DeviceArray.shape": lambda p: device_array(p).shape,
    "DeviceArray.dtype": lambda p: str(device_array(p).dtype),
    "DeviceArray.device": lambda p: isinstance(device_array(p).device, str),
    "DeviceArray.address": lambda p: device_array(p).address % 16,
    "DeviceArray.__cuda_array_interface__": lambda p: hasattr(device_array(p), "__cuda_array_interface__") == device_array(p).device.startswith("cuda"),
    "DeviceArray.numpy": lambda p: device_array(p).numpy(),
    "DeviceArray.__array__": lambda p: np.asarray(device_array(p), dtype=np.float64),
    "DeviceArray.__dlpack__": lambda p: type(device_array(p).__dlpack__()).__name__,
    "DeviceArray.__dlpack_device__": lambda p: device_array(p).__dlpack_device__()[1],
    "DeviceArray.__len__": lambda p: len(device_array(p)),
    "DeviceArray.__repr__": lambda p: repr(device_array(p)).split(", ")[0],
    "MapPipeline.__init__": piped,
    "MapPipeline.__call__": piped,
    "MapResult.__repr__": mapped,
    "Mesh.view": lambda p: viewed(p, lambda v: v.height),
    "LiveView.__init__": lambda p: viewed(p, lambda v: v.server.closed),
    "LiveView.url": lambda p: viewed(p, lambda v: v.url[:17]),
    "LiveView.close": lambda p: viewed(p, lambda v: [v.close(), v.server.closed]),
    "LiveView.__repr__": lambda p: viewed(p, lambda v: repr(v)[:14]),
    "Server.__init__": lambda p: served(p, lambda s: s.closed),
    "Server.url": lambda p: served(p, lambda s: s.url[:17]),
    "Server.closed": lambda p: served(p, lambda s: [s.closed, s.close(), s.closed]),
    "Server.clients": lambda p: served(p, lambda s: s.clients),
    "Server.paused": lambda p: served(p, in_turn),
    "Server.update": lambda p: served(p, lambda s: s.update(fields={"z": np.arange(len(p.ball.vertices))})),
    "Server.wait_for_turn": lambda p: served(p, in_turn),
    "Server.wait": lambda p: served(p, lambda s: [s.close(), s.wait()]),
    "Server.play": lambda p: served(p, in_turn),
    "Server.pause": lambda p: served(p, in_turn),
    "Server.step": lambda p: served(p, in_turn),
    "Server.close": lambda p: served(p, lambda s: [s.close(), s.close()]),
    "Server.__enter__": lambda p: served(p, lambda s: s.closed),
    "Server.__exit__": lambda p: served(p, lambda s: s.closed),
    "Server.__repr__": lambda p: served(p, lambda s: repr(s)[:8]),
    "serve": lambda p: served(p, lambda s: s.clients),
    "Page.write": lambda p: p.ball.show().write(p.folder / f"{threading.current_thread().name}-page.html"),
    "Page.__repr__": lambda p: repr(p.ball.show())[:5],
    "Report.__init__": lambda p: len(rm.Report({"a": 1})),
    "Curvature.principal": lambda p: [About(float(np.abs(numbers(values)).mean()), 0.1) for values in p.ball.curvature().principal],
    "Report.__setitem__": lambda p: refused(lambda: p.ball.info().__setitem__("faces", 1)),
    "Report.__delitem__": lambda p: refused(lambda: p.ball.info().__delitem__("faces")),
    "Report.__ior__": lambda p: refused(lambda: p.ball.info().__ior__({"faces": 1})),
    "Report.clear": lambda p: refused(lambda: p.ball.info().clear()),
    "Report.pop": lambda p: refused(lambda: p.ball.info().pop("faces")),
    "Report.popitem": lambda p: refused(lambda: p.ball.info().popitem()),
    "Report.setdefault": lambda p: refused(lambda: p.ball.info().setdefault("new", 1)),
    "Report.update": lambda p: refused(lambda: p.ball.info().update(faces=1)),
    "Report.__getattr__": lambda p: p.ball.info().genus,
    "Report.__dir__": lambda p: "genus" in dir(p.ball.info()),
    "Report.__repr__": lambda p: repr(p.ball.info())[:7],
    "Report.__reduce__": lambda p: pickle.loads(pickle.dumps(p.ball.info())).faces,
    "Levels.__init__": lambda p: rm.lod(p.ball).report.faces,
    "Levels.report": lambda p: rm.lod(p.ball).report.faces,
    "Levels.diagonal": lambda p: rm.lod(p.ball).diagonal,
    "Levels.write": lambda p: rm.lod(p.ball).write(p.folder / f"{threading.current_thread().name}-written.json").name[-11:],
    "Levels.cut": lambda p: numbers(rm.lod(p.ball).cut(0.0).vertices),
    "Rows.__init__": lambda p: p.ball.query("VV").indices,
    "Rows.__len__": lambda p: len(p.ball.query("VV")),
    "Rows.__getitem__": lambda p: p.ball.query("VV")[5],
    "Rows.__iter__": lambda p: [len(row) for row in p.ball.query("VV")],
    "Rows.__repr__": lambda p: repr(p.ball.query("VV")),
    "concatenate": lambda p: numbers(rm.concatenate([p.ball, p.other]).vertices),
    "copies": lambda p: sorted(rm.copies()),
    "device_name": lambda p: len(rm.device_name(p.device)),
    "generate": lambda p: numbers(rm.generate("torus", 12, device=p.device).vertices),
    "lod": lambda p: rm.lod(p.ball).report.faces,
    "map": mapped,
    "read": lambda p: numbers(rm.read(p.file("read.ply", p.ball), p.device).vertices),
    "read_lod": lambda p: [
        rm.lod(p.ball).write(p.folder / f"{threading.current_thread().name}-levels.json").name[-10:],
        numbers(rm.read_lod(p.folder / f"{threading.current_thread().name}-levels.json", device=p.device).cut(0.0).vertices),
    ],
    "read_volume": lambda p: [
        cube(p).write(p.folder / f"{threading.current_thread().name}-read.vtu"),
        rm.read_volume(p.folder / f"{threading.current_thread().name}-read.vtu", p.device).points,
    ],
    "set_threads": threads_are_set,
    "tiles": lambda p: [
        rm.tiles(p.file("tiles.ply", p.bumpy), p.folder / f"{threading.current_thread().name}-tiled.ply", ratio=0.5).after.faces,
        rm.read(p.folder / f"{threading.current_thread().name}-tiled.ply", "cpu").vertices,
    ],
    "write": lambda p: rm.write(p.folder / f"{threading.current_thread().name}-out.ply", p.ball),
}

# of the interpreter and of dataclasses, which do no work of the package
PLAIN = {
    "__annotations__", "__class_getitem__", "__dataclass_fields__", "__dataclass_params__", "__delattr__", "__dict__", "__doc__",
    "__eq__", "__firstlineno__", "__hash__", "__match_args__", "__module__", "__new__", "__replace__", "__setattr__", "__slots__",
    "__static_attributes__", "__weakref__", "__abstractmethods__", "__orig_bases__", "__parameters__", "__annotate__", "__annotations_cache__", "__annotate_func__",
}  # fmt: skip


def methods() -> set[str]:
    """All that a user can call: functions, and the methods and properties of each class, but those of exceptions."""
    found: set[str] = set()
    for name in rm.__all__:
        value = getattr(rm, name)
        if inspect.isclass(value) and issubclass(value, Exception):
            continue
        if inspect.isclass(value):
            of_data = dataclasses.is_dataclass(value)
            values = {field.name for field in dataclasses.fields(value)} if of_data else set(getattr(value, "__slots__", ()))
            # those of the registry are inherited
            bases = [base for base in value.__mro__ if base.__module__.startswith("ribbonmesh")]
            for member in {member: None for base in bases for member in vars(base)}:
                private = member.startswith("_") and not member.startswith("__")
                generated = of_data and member.startswith("__") and member not in _own(value)
                if not (private or generated or member in PLAIN or member in values):
                    found.add(f"{name}.{member}")
        elif callable(value) and not _is_alias(value):
            found.add(name)
    return found


def _own(of: type) -> set[str]:
    """Special methods that the source of a class defines."""
    try:
        source = inspect.getsource(of)
    except (OSError, TypeError):
        return set(vars(of))
    return {name for name in vars(of) if f"def {name}(" in source}


def _is_alias(value: object) -> bool:
    return not (inspect.isfunction(value) or inspect.isbuiltin(value))


def compare(found: object, expected: object, where: str) -> None:
    """Refuses what differs by more than the order of sums explains."""
    if isinstance(expected, About):
        assert isinstance(found, About)
        assert math.isclose(found.value, expected.value, rel_tol=expected.part, abs_tol=1e-6), f"{where}: {found} for {expected}"
    elif isinstance(expected, Mapping):
        assert isinstance(found, Mapping)
        assert sorted(found) == sorted(expected), f"{where}: {sorted(found)} for {sorted(expected)}"
        for name in expected:
            compare(found[name], expected[name], f"{where}, {name}")
    elif isinstance(expected, (list, tuple)):
        assert isinstance(found, (list, tuple))
        assert len(found) == len(expected), f"{where}: {len(found)} for {len(expected)}"
        for i, (a, b) in enumerate(zip(found, expected, strict=True)):
            compare(a, b, f"{where}, {i}")
    elif isinstance(expected, np.ndarray) and expected.dtype.kind == "f":
        np.testing.assert_allclose(found, expected, atol=1e-3, rtol=1e-3, err_msg=where)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(found, expected, err_msg=where)
    elif isinstance(expected, float):
        assert isinstance(found, float)
        assert math.isclose(found, expected, rel_tol=1e-3), f"{where}: {found} for {expected}"
    else:
        assert found == expected, f"{where}: {found!r} for {expected!r}"


def every_method(device: str, lend: Callable[[np.ndarray], object], limit: Limit) -> None:
    """Every method with arrays of a device, from two threads at a time, beside the CPU's results."""
    known = methods()
    assert known == set(CASES), f"methods without a case: {sorted(known - set(CASES))}; cases without a method: {sorted(set(CASES) - known)}"
    host, there = Place("cpu", None), Place(device, lend)
    expected = {}
    for name, case in CASES.items():
        limit.does(f"{name} (on the CPU)")
        expected[name] = case(host)
    # made before, so that threads share them
    for mesh in (there.bumpy, there.ball, there.other, there.open, there.noisy):
        assert mesh.on_device
    failures: list[str] = []

    def run(names: list[str]) -> None:
        for name in names:
            limit.does(name)
            try:
                compare(CASES[name](there), expected[name], name)
            except BaseException:
                failures.append(f"{name}: {traceback.format_exc()}")
        limit.does("nothing")

    names = list(CASES)
    threads = [threading.Thread(target=run, args=(order,), name=f"thread{i}") for i, order in enumerate((names, names[::-1]))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, "\n".join(failures)
    print(f"{len(names)} methods and functions on {device} as on the CPU, from two threads")


def lent_by_cpu(values: np.ndarray) -> object:
    """An array that lives with the CPU's kernels, as those of a GPU live there: lent by DLPack, where the package takes such arrays."""
    n = len(values)
    if values.ndim == 2 and values.shape[1] == 3 and values.dtype == np.float32 and n > 0:
        carrier = rm.Mesh(values, np.zeros((0, 3), np.int32), "cpu")
        return carrier.to_device().vertices
    if values.ndim == 2 and values.shape[1] == 3 and values.dtype.kind in "iu" and n > 0:
        carrier = rm.Mesh(np.zeros((int(values.max()) + 1, 3), np.float32), values, "cpu")
        return carrier.to_device().faces
    return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1, …, or cpu for a trial without a GPU")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds within which all has to end")
    options = parser.parse_args()
    limit = Limit(options.limit)
    print(rm.device_name(options.device))
    start = time.perf_counter()
    if options.device == "cpu":
        _native.take_turns_on_cpu(True)
        every_method("cpu", lent_by_cpu, limit)
    else:
        library = Library()
        every_method(options.device, library.array, limit)
        limit.does("arrays and streams")
        gc.collect()
        assert Array.alive == 0, Array.alive
        arrays_and_streams(library)
    print(f"{time.perf_counter() - start:.0f} seconds")


if __name__ == "__main__":
    main()
    # as programs of Rust say it, for the bundle of the GPU
    print(f"all is well\ntest result: ok. {len(CASES)} passed; 0 failed; 0 ignored")
    sys.exit(0)
