"""Arrays on a GPU: ``python gpu.py`` on a machine with one. It needs the package and numpy; torch is used where there is one.

Memory, streams and copies of another library are played by the CUDA driver, through ctypes.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time

import numpy as np

import ribbonmesh as rm

DRIVER = ctypes.CDLL("libcuda.so.1")


def call(name: str, *arguments: object) -> None:
    code = getattr(DRIVER, name)(*arguments)
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


def main() -> None:
    print(rm.device_name("cuda"))
    library = Library()
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


if __name__ == "__main__":
    main()
    print("all is well")
    sys.exit(0)
