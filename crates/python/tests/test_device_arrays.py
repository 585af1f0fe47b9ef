"""Arrays on a device, by DLPack. On the CPU the same code runs as for a GPU, which gpu.py tests."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import ribbonmesh as rm


@pytest.fixture
def resident(ball) -> rm.Mesh:
    return ball.to_device()


def test_arrays_of_a_mesh_on_its_device(ball, resident) -> None:
    assert resident.on_device
    assert not ball.on_device
    vertices, faces = resident.vertices, resident.faces
    assert isinstance(vertices, rm.DeviceArray)
    assert (vertices.shape, vertices.dtype, vertices.device) == ((642, 3), np.float32, "cpu")
    assert (faces.shape, faces.dtype, len(faces)) == ((1280, 3), np.int32, 1280)
    assert repr(faces) == 'DeviceArray((1280, 3), int32, "cpu")'
    np.testing.assert_array_equal(vertices.numpy(), ball.vertices)
    np.testing.assert_array_equal(np.asarray(faces), ball.faces)
    assert np.asarray(vertices, dtype=np.float64).dtype == np.float64
    assert not hasattr(vertices, "__cuda_array_interface__")


def test_results_live_where_the_mesh_does(resident, ball) -> None:
    small = resident.simplify(200).smooth()
    assert small.on_device
    assert small.to_host().vertices.shape == small.vertices.shape
    for values in (
        resident.normals(),
        resident.curvature().mean_curvature,
        resident.geodesic(0).distance,
    ):
        assert isinstance(values, rm.DeviceArray)
    np.testing.assert_array_equal(resident.normals().numpy(), ball.normals())
    with_height = resident.with_attributes(vertex={"height": ball.vertices[:, 2]})
    assert with_height.on_device
    assert with_height.simplify(300).vertex_attributes["height"].shape == (len(with_height.simplify(300).vertices),)


def test_dlpack_lends_the_same_memory(resident) -> None:
    vertices = resident.vertices
    before = rm.copies()
    lent = np.from_dlpack(vertices)
    assert rm.copies() == before
    assert lent.ctypes.data == vertices.address == resident.vertices.address
    assert not lent.flags.writeable
    expected = lent.copy()
    del vertices, resident
    gc.collect()
    filler = [np.full((642, 3), 5, np.float32) for _ in range(100)]
    np.testing.assert_array_equal(lent, expected)
    del filler


def test_a_mesh_of_lent_arrays(ball, resident) -> None:
    before = rm.copies()
    mesh = rm.Mesh(resident.vertices, resident.faces)
    after = rm.copies()
    assert mesh.on_device
    assert mesh.device == "cpu"
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == {"on_device": 2}
    assert mesh.vertices.address != resident.vertices.address
    np.testing.assert_array_equal(mesh.faces.numpy(), ball.faces)
    with pytest.raises(rm.ArgumentError, match="vertices live on cpu and faces on the host"):
        rm.Mesh(resident.vertices, ball.faces)


class Lender:
    """Lends an array of numpy as a library does that knows DLPack, and only it."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0), old: bool = False) -> None:
        self.array, self.device, self.old = array, device, old
        self.asked: list[dict] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options):
        self.asked.append(options)
        if self.old and "max_version" in options:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.array.__dlpack__(**options)


def of_device(vertices: object, faces: object) -> rm.Mesh:
    from ribbonmesh import _native

    return rm.Mesh._of(_native.NativeMesh.of_device(vertices, faces, "cpu"), rm.Report({}), "cpu")


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("integer", [np.int32, np.uint32, np.int64, np.uint64])
def test_arrays_of_others(ball, old, integer) -> None:
    vertices = Lender(np.array(ball.vertices, dtype=np.float32), old=old)
    faces = Lender(np.array(ball.faces, dtype=integer), old=old)
    mesh = of_device(vertices, faces)
    np.testing.assert_array_equal(mesh.faces.numpy(), ball.faces)
    np.testing.assert_array_equal(mesh.vertices.numpy(), ball.vertices)
    assert len(vertices.asked) == 1 + old
    gc.collect()
    # given back
    vertices.array[:] = 1
    assert mesh.normals().numpy().shape == (642, 3)


def test_refusals_on_a_device(ball) -> None:
    x, f = np.array(ball.vertices, dtype=np.float32), np.array(ball.faces)
    for vertices, faces, words in (
        (x.astype(np.float64), f, "vertices have the dtype float64: float32 is needed on a device"),
        (x[:, :2].copy(), f, r"vertices have the shape \(642, 2\)"),
        (x[::2], f, "vertices have the strides"),
        (np.asfortranarray(x), f, "vertices have the strides"),
        (x, f.astype(np.int16), "faces have the dtype int16"),
        (x, f.astype(np.float32), "faces have the dtype float32"),
        (x, f.ravel(), r"faces have the shape \(3840\)"),
        (x, f.astype(np.int64) - 1, "negative"),
    ):
        with pytest.raises(rm.ArgumentError, match=words):
            of_device(Lender(vertices), Lender(faces))
    with pytest.raises(rm.MeshError) as caught:
        of_device(Lender(x), Lender(f + 1))
    assert caught.value.vertex == 642
    with pytest.raises(rm.ArgumentError, match="on the device"):
        of_device(Lender(x, (2, 0)), Lender(f))
    with pytest.raises(rm.ArgumentError, match="lends no memory"):
        of_device(7, Lender(f))
    with pytest.raises(rm.ArgumentError, match="CPU and CUDA are known"):
        rm.Mesh(Lender(x, (4, 0)), f)
    empty = of_device(Lender(x[:0]), Lender(f[:0]))
    assert len(empty) == 0


def test_what_the_protocol_refuses(resident) -> None:
    vertices = resident.vertices
    assert vertices.__dlpack_device__() == (1, 0)
    for options in ({"stream": 3}, {"dl_device": (2, 0)}, {"copy": True}):
        with pytest.raises(BufferError):
            vertices.__dlpack__(**options)
    with pytest.raises(ValueError, match="copied"):
        np.array(vertices, copy=False)
    for version in (None, (0, 8), (1, 0), (1, 3)):
        capsule = vertices.__dlpack__(max_version=version)
        assert ("versioned" in repr(capsule)) == (version is not None and version[0] >= 1)
        del capsule
    gc.collect()


def test_capsules_are_taken_once(ball) -> None:
    capsule = ball.to_device().vertices.__dlpack__()

    class Given:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **options):
            return capsule

    faces = Lender(np.array(ball.faces))
    of_device(Given(), faces)
    with pytest.raises(rm.ArgumentError, match="no capsule of DLPack that is still to be taken"):
        of_device(Given(), faces)

    class Wrong(Given):
        def __dlpack__(self, **options):
            return 5

    with pytest.raises(rm.ArgumentError, match="no capsule"):
        of_device(Wrong(), faces)


def test_jax(ball) -> None:
    jax = pytest.importorskip("jax")
    lent = jax.dlpack.from_dlpack(ball.to_device().vertices)
    assert lent.shape == (642, 3)
    np.testing.assert_array_equal(np.asarray(lent), ball.vertices)
    mesh = rm.Mesh(jax.numpy.asarray(np.array(ball.vertices)), jax.numpy.asarray(np.array(ball.faces)), "cpu")
    np.testing.assert_array_equal(mesh.faces, ball.faces)


def test_torch(ball) -> None:
    torch = pytest.importorskip("torch")
    lent = torch.from_dlpack(ball.to_device().vertices)
    assert lent.shape == (642, 3)
    mesh = rm.Mesh(torch.tensor(ball.vertices), torch.tensor(ball.faces), "cpu")
    np.testing.assert_array_equal(mesh.faces, ball.faces)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_numbers_of_a_device_come_to_the_host(dtype) -> None:
    from ribbonmesh import _native

    for values in (np.arange(24).reshape(8, 3), np.arange(5), np.zeros((0, 2))):
        given = values.astype(dtype)
        numbers, name, shape = _native.fetch(Lender(given), "cpu", "values")
        found = numbers.view(name).reshape(shape)
        assert found.dtype == given.dtype
        np.testing.assert_array_equal(found, given)
    with pytest.raises(rm.ArgumentError, match="values have the dtype .*64: integers or real numbers are needed"):
        _native.fetch(Lender(np.zeros(3, np.complex64)), "cpu", "values")
    with pytest.raises(rm.ArgumentError, match="values have the strides"):
        _native.fetch(Lender(np.zeros((4, 4), dtype)[:, :2]), "cpu", "values")


def lent(points: np.ndarray) -> rm.DeviceArray:
    """Points as an array of the package on a device."""
    padded = np.concatenate([points, np.zeros((3, 3), np.float32)])
    return rm.Mesh(padded, [[0, 1, 2]], "cpu").to_device().vertices


@pytest.mark.parametrize("count", [1, 700, 30_000])
def test_closest_points_of_device_arrays(resident, ball, count) -> None:
    points = np.random.default_rng(1).uniform(-2, 2, (count, 3)).astype(np.float32)
    given = lent(points)
    before = rm.copies()
    found = resident.closest(given)
    assert rm.copies() == before
    arrays = {name: getattr(found, name) for name in ("points", "faces", "normals", "distances", "barycentric")}
    assert all(isinstance(array, rm.DeviceArray) for array in arrays.values())
    assert {name: array.dtype for name, array in arrays.items()} == {name: np.int32 if name == "faces" else np.float32 for name in arrays}
    expected = ball.closest(points)
    assert isinstance(expected.points, np.ndarray)
    np.testing.assert_array_equal(found.faces.numpy()[:count], expected.faces)
    np.testing.assert_array_equal(found.normals.numpy()[:count], expected.normals)
    np.testing.assert_array_equal(found.points.numpy()[:count], expected.points.astype(np.float32))
    np.testing.assert_allclose(found.distances.numpy()[:count], expected.distances, atol=1e-6)
    np.testing.assert_allclose(found.barycentric.numpy()[:count], expected.barycentric, atol=1e-4)
    # results are where the points are, wherever the mesh is; and the order of the points does not matter
    turned = ball.closest(lent(points[::-1]))
    np.testing.assert_array_equal(turned.faces.numpy()[:count][::-1], expected.faces)


def test_closest_points_of_device_arrays_that_are_far(resident, ball) -> None:
    points = np.array([[1e25, 0, 0], [0, 0, 2], [0, 3e30, 0]], np.float32)
    found, expected = resident.closest(lent(points)), ball.closest(points)
    np.testing.assert_array_equal(found.faces.numpy()[:3], expected.faces)
    np.testing.assert_allclose(found.distances.numpy()[:3], expected.distances)


def test_closest_points_of_device_arrays_are_refused(resident) -> None:
    from ribbonmesh import _native

    for points, words in (
        (np.array([[0, 0, 0], [np.nan, 0, 0]], np.float32), "point 1 "),
        (np.zeros((4, 3)), "points have the dtype float64: float32 is needed"),
        (np.zeros((4, 2), np.float32), "points have the shape"),
    ):
        with pytest.raises(rm.ArgumentError, match=words):
            _native.closest_on_device(resident._native, Lender(points))
    found = _native.closest_on_device(resident._native, Lender(np.zeros((0, 3), np.float32)))
    assert [array.shape for array in found] == [(0, 3), (0,), (0, 3), (0,), (0, 3)]


@pytest.mark.parametrize("method", ["winding", "rays"])
@pytest.mark.parametrize("count", [1, 700, 30_000])
def test_device_points_that_are_inside(resident, ball, count, method) -> None:
    points = np.random.default_rng(1).uniform(-2, 2, (count, 3)).astype(np.float32)
    given = lent(points)
    before = rm.copies()
    found = resident.inside(given, method=method)
    assert rm.copies() == before
    expected = ball.inside(points, method=method)
    assert (found.inside.dtype, found.winding.dtype) == (np.bool_, np.float32)
    assert found.inside.__dlpack_device__() == given.__dlpack_device__()
    flags = np.from_dlpack(found.inside)
    assert flags.dtype == np.bool_
    np.testing.assert_array_equal(flags[:count], expected.inside)
    np.testing.assert_array_equal(found.inside.numpy(), flags)
    np.testing.assert_array_equal(found.winding.numpy()[:count], expected.winding)


def test_device_points_that_are_refused(resident) -> None:
    from ribbonmesh import _native

    points = Lender(np.array([[0, 0, 0], [np.nan, 0, 0]], np.float32))
    with pytest.raises(rm.ArgumentError, match="point 1 "):
        _native.inside_on_device(resident._native, points, "winding", 2.0, False)
    with pytest.raises(rm.ArgumentError, match="float32 is needed"):
        _native.inside_on_device(resident._native, Lender(np.zeros((4, 3))), "rays", 2.0, False)
    with pytest.raises(rm.ArgumentError, match="beta"):
        resident.inside(lent(np.zeros((1, 3), np.float32)), beta=0.5)


def test_distances_are_the_same_where_the_meshes_are(resident, ball, bumpy) -> None:
    assert resident.distance(bumpy.to_device(), samples=2000) == ball.distance(bumpy, samples=2000)
    before = rm.copies()
    assert resident.distance(resident, samples=2000).symmetric.hausdorff < 1e-6
    assert rm.copies() == before


def test_attributes_may_live_on_the_device(ball, resident) -> None:
    curvature = resident.curvature()
    normals = resident.normals()
    assert isinstance(normals, rm.DeviceArray)
    mesh = resident.with_attributes(vertex={"mean": curvature.mean_curvature, "normal": normals})
    assert mesh.on_device
    np.testing.assert_array_equal(mesh.vertex_attributes["mean"], ball.curvature().mean_curvature)
    np.testing.assert_array_equal(mesh.vertex_attributes["normal"], ball.normals())
    # of a mesh of the host, too
    mesh = ball.with_attributes(vertex={"normal": normals})
    assert not mesh.on_device
    np.testing.assert_array_equal(mesh.vertex_attributes["normal"], ball.normals())
    made = rm.Mesh(resident.vertices, resident.faces, vertex_attributes={"normal": normals})
    np.testing.assert_array_equal(made.vertex_attributes["normal"], ball.normals())
    with pytest.raises(rm.ArgumentError, match="has the shape"):
        resident.with_attributes(face={"normal": normals})
