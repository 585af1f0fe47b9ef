"""Arrays in and out."""

from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import pytest

import ribbonmesh as rm

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, ">i4", ">i8", "<u2"]
REALS = [np.float16, np.float32, np.float64, np.longdouble, np.int32, np.uint8, ">f8", ">f4"]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_faces_of_any_integer_type(square, dtype) -> None:
    vertices, faces = square
    mesh = rm.Mesh(vertices, faces.astype(dtype), "cpu")
    assert mesh.faces.dtype == np.int32
    np.testing.assert_array_equal(mesh.faces, faces)


@pytest.mark.parametrize("dtype", REALS)
def test_vertices_of_any_real_type(square, dtype) -> None:
    vertices, faces = square
    mesh = rm.Mesh(vertices.astype(dtype), faces, "cpu")
    single = np.dtype(dtype).kind == "f" and np.dtype(dtype).itemsize <= 4
    assert mesh.vertices.dtype == (np.float32 if single else np.float64)
    np.testing.assert_array_equal(mesh.vertices, vertices)


LAYOUTS = {
    "fortran": np.asfortranarray,
    "every second": lambda a: np.repeat(a, 2, axis=0)[::2],
    "backwards": lambda a: a[::-1].copy()[::-1],
    "columns of more": lambda a: np.hstack([a, a])[:, :3],
    "columns backwards": lambda a: a[:, ::-1].copy()[:, ::-1],
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), dtype=np.uint8)[1:].view(a.dtype).reshape(a.shape),
    "read-only": lambda a: np.frombuffer(a.tobytes(), dtype=a.dtype).reshape(a.shape),
    "list": lambda a: a.tolist(),
    "tuple of arrays": lambda a: tuple(a),
    "memory view": lambda a: memoryview(np.ascontiguousarray(a)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("integer", [np.int32, np.uint32, np.int64, np.uint64])
def test_any_layout(ball, layout, real, integer) -> None:
    vertices = np.array(ball.vertices, dtype=real)
    faces = np.array(ball.faces, dtype=integer)
    change = LAYOUTS[layout]
    mesh = rm.Mesh(change(vertices), change(faces), "cpu")
    np.testing.assert_array_equal(mesh.vertices, vertices)
    np.testing.assert_array_equal(mesh.faces, faces)


@pytest.mark.parametrize(
    ("vertices", "faces", "words"),
    [
        (np.zeros((4, 2)), [[0, 1, 2]], "vertices have the shape (4, 2) and the dtype float64"),
        (np.zeros(12), [[0, 1, 2]], "vertices have the shape (12,)"),
        (np.zeros((1, 4, 3)), [[0, 1, 2]], "vertices have the shape (1, 4, 3)"),
        (np.zeros((4, 3), complex), [[0, 1, 2]], "complex128: real numbers"),
        (np.zeros((4, 3), bool), [[0, 1, 2]], "bool: real numbers"),
        (np.zeros((4, 3), object), [[0, 1, 2]], "object: real numbers"),
        (np.full((4, 3), "1"), [[0, 1, 2]], "real numbers"),
        ([[0, 0, 0], [1]], [[0, 1, 2]], "vertices are no array"),
        (None, [[0, 1, 2]], "vertices have the shape ()"),
        (np.zeros((4, 3)), [[0, 1, 2, 3]], "faces have the shape (1, 4)"),
        (np.zeros((4, 3)), [[0.0, 1.0, 2.0]], "faces have the shape (1, 3) and the dtype float64"),
        (np.zeros((4, 3)), [], "faces have the shape (0,)"),
        (np.zeros((4, 3)), [[True, False, True]], "bool"),
        (np.ma.masked_equal(np.zeros((4, 3)), 0), [[0, 1, 2]], "masked"),
    ],
)
def test_refusals_name_shape_and_type(vertices, faces, words) -> None:
    with pytest.raises(rm.ArgumentError) as caught:
        rm.Mesh(vertices, faces, "cpu")
    assert words in str(caught.value)


def test_errors_name_elements(square) -> None:
    vertices, faces = square
    with pytest.raises(rm.MeshError) as caught:
        rm.Mesh(vertices, [[0, 1, 2], [0, 1, 7]], "cpu")
    assert (caught.value.face, caught.value.vertex) == (1, 7)
    with pytest.raises(rm.ArgumentError, match="face 1 has the vertex -1"):
        rm.Mesh(vertices, [[0, 1, 2], [0, 1, -1]], "cpu")
    with pytest.raises(rm.ArgumentError, match="face 0 has the vertex 4294967296"):
        rm.Mesh(vertices, [[2**32, 1, 2]], "cpu")
    vertices[2, 1] = np.nan
    with pytest.raises(rm.MeshError) as caught:
        rm.Mesh(vertices, faces, "cpu")
    assert caught.value.vertex == 2
    with pytest.raises(rm.NotManifoldError) as caught:
        rm.Mesh(np.eye(5, 3), [[0, 1, 2], [0, 1, 3], [1, 0, 4]], "cpu").remesh()
    assert caught.value.edge == (0, 1)
    assert isinstance(caught.value, rm.MeshError | ValueError)


def test_the_input_is_not_kept_and_not_changed(square) -> None:
    vertices, faces = square
    before = vertices.copy()
    mesh = rm.Mesh(vertices, faces, "cpu")
    vertices[:] = 7
    faces[:] = 0
    np.testing.assert_array_equal(mesh.vertices, before)
    assert mesh.smooth().faces.max() == 3


def test_results_are_views_that_keep_their_mesh() -> None:
    mesh = rm.generate("icosphere", 2, device="cpu").smooth()
    gone = weakref.ref(mesh)
    faces, vertices = mesh.faces, mesh.vertices
    again = mesh.faces
    assert faces.ctypes.data == again.ctypes.data
    expected = faces.copy(), vertices.copy()
    del mesh, again
    gc.collect()
    assert gone() is None
    filler = [np.full((1000, 3), 9, np.int32) for _ in range(100)]
    np.testing.assert_array_equal(faces, expected[0])
    np.testing.assert_array_equal(vertices, expected[1])
    del filler


def test_results_are_read_only(ball) -> None:
    for array in (ball.vertices, ball.faces, ball.with_attributes(vertex={"a": np.arange(642)}).vertex_attributes["a"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_copies_are_counted() -> None:
    vertices = np.array(rm.generate("icosphere", 2, device="cpu").vertices, dtype=np.float64)
    faces = np.array(rm.generate("icosphere", 2, device="cpu").faces)
    before = rm.copies()
    mesh = rm.Mesh(vertices, faces, "cpu")
    mesh.vertices, mesh.faces, mesh.vertices  # noqa: B018
    after = rm.copies()
    assert {name: after[name] - before[name] for name in after} == {
        "on_host": 2,
        "to_device": 0,
        "to_host": 0,
        "on_device": 0,
    }


def test_attributes(ball) -> None:
    n, m = len(ball.vertices), len(ball)
    rng = np.random.default_rng(1)
    given = {
        "height": ball.vertices[:, 2],
        "label": np.arange(n, dtype=np.uint16),
        "force": rng.normal(size=(n, 3)),
        "half": rng.normal(size=n).astype(np.float16),
        "flag": rng.normal(size=n) > 0,
    }
    mesh = ball.with_attributes(
        vertex=given, face={"group": np.arange(m)}, corner={"uv": ball.vertices[ball.faces.ravel(), :2]}
    )
    assert list(mesh.vertex_attributes) == list(given)
    assert not ball.vertex_attributes
    np.testing.assert_array_equal(mesh.vertex_attributes["force"], given["force"])
    np.testing.assert_array_equal(mesh.vertex_attributes["flag"], given["flag"])
    assert mesh.vertex_attributes["half"].dtype == np.float32
    small = mesh.simplify(200)
    assert small.vertex_attributes["label"].dtype == np.uint16
    np.testing.assert_allclose(small.vertex_attributes["height"], small.vertices[:, 2], atol=0.1)
    assert small.corner_attributes["uv"].shape == (600, 2)
    assert set(small.face_attributes["group"].tolist()) <= set(range(m))
    assert list(mesh.with_attributes(vertex={"force": None}).vertex_attributes) == ["height", "label", "half", "flag"]
    with pytest.raises(KeyError):
        mesh.vertex_attributes["none"]
    for wrong in (np.zeros(n + 1), np.zeros((n, 5)), np.zeros((n, 2, 2)), np.zeros(n, complex), "text"):
        with pytest.raises(rm.ArgumentError):
            ball.with_attributes(vertex={"wrong": wrong})


def test_pickle(ball) -> None:
    mesh = ball.with_attributes(vertex={"height": ball.vertices[:, 2]})
    again = pickle.loads(pickle.dumps(mesh))
    np.testing.assert_array_equal(again.faces, mesh.faces)
    np.testing.assert_array_equal(again.vertex_attributes["height"], mesh.vertex_attributes["height"])
    report = mesh.smooth().report
    assert pickle.loads(pickle.dumps(report)) == report


def test_empty_meshes() -> None:
    empty = rm.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int), "cpu")
    assert empty.vertices.shape == empty.faces.shape == (0, 3)
    assert empty.info().faces == 0
    assert empty.edges.shape == (0, 2)
    for work in (empty.remesh, empty.clean, empty.wrap, empty.fill, lambda: empty.simplify(3)):
        with pytest.raises(rm.Error):
            work()


def test_other_libraries() -> None:
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.icosphere(subdivisions=2)
    mesh = rm.Mesh(box.vertices, box.faces, "cpu").simplify(100)
    assert trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).is_watertight
