"""What is done with meshes beside the command's functions."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import ribbonmesh as rm


def test_reports_are_dictionaries(ball) -> None:
    report = ball.info()
    again = json.loads(json.dumps(report))
    assert again["vertices"] == report.vertices == 642
    assert again["bounding_box"]["max"] == report.bounding_box.max
    with pytest.raises(TypeError, match="does not change"):
        report["vertices"] = 3
    with pytest.raises(TypeError, match="does not change"):
        report.update(vertices=3)
    assert isinstance(report, dict)
    assert pickle.loads(pickle.dumps(report)) == report
    smooth = ball.smooth()
    kept = pickle.loads(pickle.dumps(smooth))
    assert kept.report == smooth.report != {}
    np.testing.assert_array_equal(kept.vertices, smooth.vertices)


def test_closest_points_with_weights(ball) -> None:
    points = np.random.default_rng(0).normal(size=(500, 3))
    found = ball.closest(points)
    assert (found.barycentric >= 0).all()
    np.testing.assert_allclose(found.barycentric.sum(1), 1, atol=1e-12)
    corners = np.asarray(ball.vertices, float)[ball.faces[found.faces]]
    np.testing.assert_allclose(np.einsum("ni,nij->nj", found.barycentric, corners), found.points, atol=1e-6)


@pytest.mark.parametrize("far", [1e15, 1e20, 1e30, 3e38])
def test_closest_points_of_far_ones(ball, far) -> None:
    found = ball.closest([[far, 0, 0], [0, 0, 2]])
    assert (found.faces >= 0).all()
    assert (found.faces < len(ball)).all()
    np.testing.assert_allclose(found.points[1], [0, 0, 1], atol=0.02)
    np.testing.assert_allclose(found.distances, [far, 1], rtol=0.05)


@pytest.mark.parametrize("work", ["closest", "inside"])
def test_points_that_are_refused(ball, work) -> None:
    for wrong, text in ((1e300, "too far away"), (np.nan, "point 1"), (np.inf, "point 1")):
        with pytest.raises(rm.ArgumentError, match=text) as caught:
            getattr(ball, work)([[0, 0, 0], [0, wrong, 0]])
        assert caught.value.point == 1
    with pytest.raises(rm.MeshError, match="vertex 2 is too far away") as caught:
        rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1e300, 0]], [[0, 1, 2]], "cpu")
    assert caught.value.vertex == 2


def test_arguments_are_refused_early(ball) -> None:
    with pytest.raises(TypeError, match="other is a str: a Mesh is needed"):
        ball.distance("x")
    with pytest.raises(TypeError, match="a Mesh is needed"):
        ball.resolve(3)
    with pytest.raises(TypeError, match="a Mesh is needed"):
        ball.intersections(3)
    for work in (
        lambda: ball.simplify(2**40),
        lambda: ball.simplify(-1),
        lambda: ball.smooth(steps=-1),
        lambda: ball.distance(ball, samples=2**31),
        lambda: ball.geodesic(2**40),
        lambda: rm.generate("torus", -3, device="cpu"),
        lambda: rm.Mesh(ball.vertices, ball.faces, "cpu", seed=-1),
        lambda: rm.Mesh(ball.vertices, ball.faces, "cpu", patch_size=2**40),
        lambda: ball.wrap(resolution=1),
        lambda: ball.render(size=(2**33, 3)),
    ):
        with pytest.raises(rm.ArgumentError):
            work()
    with pytest.raises(TypeError, match="whole number"):
        ball.simplify(3.5)


def test_normals_and_areas(ball) -> None:
    normals, areas = ball.face_normals(), ball.face_areas()
    assert areas.sum() == pytest.approx(ball.info().area)
    middles = np.asarray(ball.vertices)[ball.faces].mean(1)
    assert (np.einsum("ij,ij->i", normals, middles) > 0.9).all()
    flat = rm.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]], "cpu")
    assert flat.face_normals().tolist() == [[0, 0, 0]]


def test_samples(bumpy) -> None:
    found = bumpy.sample(20_000, seed=3)
    np.testing.assert_array_equal(found.points, bumpy.sample(20_000, seed=3).points)
    assert not (found.points == bumpy.sample(20_000, seed=4).points).any()
    corners = np.asarray(bumpy.vertices, float)[bumpy.faces[found.faces]]
    np.testing.assert_allclose(np.einsum("ni,nij->nj", found.barycentric, corners), found.points)
    share = np.bincount(found.faces, weights=None, minlength=len(bumpy)) / 20_000
    # one in each part of equal area: no face has more than one point too many or too few
    assert np.abs(share - bumpy.face_areas() / bumpy.face_areas().sum()).max() <= 2 / 20_000
    with pytest.raises(rm.MeshError, match="no area"):
        rm.Mesh(np.zeros((3, 3)), [[0, 1, 2]], "cpu").sample(3)
    assert len(bumpy.sample(0).points) == 0


def test_transfer(ball) -> None:
    x = np.asarray(ball.vertices, float)
    label = (np.asarray(ball.vertices)[ball.faces].mean(1)[:, 0] > 0).astype(np.int64)
    source = ball.with_attributes(
        vertex={"height": x[:, 2], "half": (x[:, 2] > 0).astype(np.uint8), "place": x}, face={"label": label}
    )
    coarse = rm.generate("icosphere", 2, device="cpu").transfer(source)
    y = np.asarray(coarse.vertices, float)
    np.testing.assert_allclose(coarse.vertex_attributes["height"], y[:, 2], atol=0.02)
    np.testing.assert_allclose(coarse.vertex_attributes["place"], y, atol=0.02)
    assert coarse.vertex_attributes["half"].dtype == np.uint8
    clear = np.abs(y[:, 2]) > 0.1
    np.testing.assert_array_equal(coarse.vertex_attributes["half"][clear], (y[:, 2] > 0)[clear])
    middle = y[coarse.faces].mean(1)
    clear = np.abs(middle[:, 0]) > 0.1
    np.testing.assert_array_equal(coarse.face_attributes["label"][clear], (middle[:, 0] > 0)[clear])
    assert set(rm.generate("icosphere", 1, device="cpu").transfer(source, "half").vertex_attributes) == {"half"}
    with pytest.raises(rm.ArgumentError, match="nothing"):
        coarse.transfer(source, "nothing")


def test_transform(ball) -> None:
    normals = ball.normals()
    mesh = ball.with_attributes(vertex={"normal": normals}, corner={"uv": np.random.default_rng(0).random((3 * len(ball), 2))})
    turn = np.array([[0, -1, 0, 5], [2, 0, 0, 0], [0, 0, 1, -1], [0, 0, 0, 1.0]])
    moved = mesh.transform(turn)
    np.testing.assert_allclose(moved.vertices, np.asarray(ball.vertices) @ turn[:3, :3].T + turn[:3, 3], atol=1e-6)
    np.testing.assert_allclose(moved.vertex_attributes["normal"], moved.normals(), atol=0.05)
    mirrored = mesh.transform(np.diag([-1, 1, 1, 1.0]))
    assert mirrored.info().volume == pytest.approx(ball.info().volume)
    np.testing.assert_allclose(mirrored.vertex_attributes["normal"], normals * [-1, 1, 1], atol=1e-6)
    # corners go along
    uv = mirrored.corner_attributes["uv"].reshape(-1, 3, 2)[:, [0, 2, 1]]
    np.testing.assert_array_equal(uv.reshape(-1, 2), mesh.corner_attributes["uv"])
    for wrong in (np.eye(3), np.zeros((4, 4)), np.diag([1, 1, 1, 2.0]), np.diag([0, 1, 1, 1.0]), "x", np.full((3, 4), np.nan)):
        with pytest.raises(rm.ArgumentError):
            ball.transform(wrong)


def test_parts(ball, bumpy) -> None:
    far = bumpy.transform([[1, 0, 0, 9], [0, 1, 0, 0], [0, 0, 1, 0]])
    both = rm.concatenate([ball.with_attributes(vertex={"a": np.arange(642), "b": np.zeros(642)}), far.with_attributes(vertex={"a": np.arange(2562)})])
    assert len(both) == len(ball) + len(bumpy)
    assert both.report.notes == ["vertex.b"]
    parts = both.split()
    assert [len(part) for part in parts] == [len(ball), len(bumpy)]
    np.testing.assert_array_equal(parts[1].vertices, far.vertices)
    np.testing.assert_array_equal(parts[0].vertex_attributes["a"], np.arange(642))
    half = np.asarray(ball.vertices)[ball.faces][:, :, 2].min(1) > 0
    upper = ball.submesh(half)
    assert len(upper) == half.sum()
    assert upper.vertices[:, 2].min() > 0
    assert ball.submesh([5, 3]).faces.shape == (2, 3)
    np.testing.assert_array_equal(
        np.asarray(ball.vertices)[ball.faces[[5, 3]]], (lambda m: np.asarray(m.vertices)[m.faces])(ball.submesh([5, 3]))
    )
    assert len(ball.submesh([])) == 0
    for wrong in ([-1], [1280], [0.5], np.ones(3, bool), [[0]]):
        with pytest.raises(rm.ArgumentError):
            ball.submesh(wrong)
    # faces that share a vertex alone are two components
    bow = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], [[0, 1, 2], [0, 3, 4]], "cpu")
    assert bow.components().tolist() == [0, 1]
    with pytest.raises(rm.ArgumentError, match="no mesh"):
        rm.concatenate([])


def test_nearest_sources(bumpy) -> None:
    found = bumpy.geodesic([0, 7, 30], nearest=True)
    alone = np.stack([bumpy.geodesic(source).distance for source in (0, 7, 30)])
    assert set(found.nearest.tolist()) == {0, 7, 30}
    best = np.array([0, 7, 30])[alone.argmin(axis=0)]
    ordered = np.sort(alone, axis=0)
    clear = ordered[1] - ordered[0] > 0.1
    assert (found.nearest == best)[clear].mean() > 0.99
    assert bumpy.geodesic(0).nearest is None
    two = rm.concatenate([bumpy, bumpy.transform([[1, 0, 0, 9], [0, 1, 0, 0], [0, 0, 1, 0]])])
    assert (two.geodesic(0, nearest=True).nearest[2562:] == -1).all()


def test_principal_curvatures() -> None:
    ball = rm.generate("icosphere", 4, device="cpu").transform(np.diag([2, 2, 2, 1.0]))
    greater, lesser = ball.curvature().principal
    assert (greater >= lesser).all()
    np.testing.assert_allclose([np.median(greater), np.median(lesser)], 0.5, atol=0.05)


def test_bytes(ball, tmp_path) -> None:
    for name in ("ball.ply", "ball.obj", "ball.stl", "ball.off", "ball.glb", "ball.ply.gz"):
        ball.write(tmp_path / name)
        data = (tmp_path / name).read_bytes()
        assert len(rm.read(data, "cpu")) == len(ball), name
        assert len(rm.read(memoryview(data), "cpu")) == len(ball)
    with pytest.raises(rm.ReadError):
        rm.read(b"nothing", "cpu")
    assert len(rm.read((tmp_path / "ball.obj").read_bytes(), "cpu", format="obj")) == len(ball)


class Tensor:
    """As open3d's: memory by DLPack, a function numpy, and no array of numpy by itself."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, i: int) -> Tensor:
        return Tensor(self.array[i])

    def numpy(self) -> np.ndarray:
        return self.array


class Lent(Tensor):
    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("kind", [Tensor, Lent])
def test_tensors(ball, kind) -> None:
    mesh = rm.Mesh(kind(np.array(ball.vertices)), kind(np.array(ball.faces, np.int64)), "cpu")
    np.testing.assert_array_equal(mesh.vertices, ball.vertices)
    np.testing.assert_array_equal(mesh.faces, ball.faces)
