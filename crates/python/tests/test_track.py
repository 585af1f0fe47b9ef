"""Surfaces that move."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import ribbonmesh as rm


def volume(mesh: rm.Mesh) -> float:
    a, b, c = (np.array(mesh.vertices, float)[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def turn(x: np.ndarray, time: float) -> np.ndarray:
    return np.cross([0, 0, 1], x)


def test_a_function_moves_it(ball) -> None:
    tracker = rm.Tracker(ball, no_improvement=True)
    for _ in range(20):
        report = tracker.step(np.pi / 20, turn)
    assert tracker.steps == report.step == 20
    assert tracker.time == pytest.approx(np.pi)
    expected = np.array(ball.vertices) * [-1, -1, 1]
    # by id, the order of the mesh is another one
    found = tracker.mesh().closest(expected)
    assert np.abs(found.distances).max() < 1e-4


def test_the_time_is_that_of_the_stage(ball) -> None:
    times: list[float] = []

    def uniform(x: np.ndarray, time: float) -> np.ndarray:
        times.append(time)
        assert x.dtype == np.float32
        assert x.flags.c_contiguous
        return np.broadcast_to([0.0, 0.0, 2 * time], x.shape)

    tracker = rm.Tracker(ball)
    tracker.step(0.5, uniform)
    assert times == [0, 0.25, 0.25, 0.5]
    assert np.mean(tracker.vertices[:, 2]) == pytest.approx(0.25, abs=1e-3)
    euler = rm.Tracker(ball, integration="euler")
    euler.step(0.5, uniform)
    assert np.mean(euler.vertices[:, 2]) == pytest.approx(0, abs=1e-3)


def test_an_array_moves_it(ball) -> None:
    tracker = rm.Tracker(ball)
    for _ in range(5):
        x = tracker.vertices
        tracker.step(0.1, x.astype(np.float64)[:, ::1])
    mesh = tracker.mesh()
    assert len(mesh.vertices) == len(tracker.vertices)
    np.testing.assert_array_equal(mesh.vertices, tracker.vertices)
    assert volume(mesh) == pytest.approx(volume(ball) * 1.1**15, rel=0.01)
    with pytest.raises(rm.ArgumentError, match=r"velocities have the shape \(3, 3\): \(\d+, 3\) is needed"):
        tracker.step(0.1, np.zeros((3, 3)))


def test_normals_and_curvature(ball) -> None:
    tracker = rm.Tracker(ball)
    tracker.step(0.1, rm.AlongNormals(1.0))
    assert volume(tracker.mesh()) == pytest.approx(volume(ball) * 1.1**3, rel=0.01)
    tracker = rm.Tracker(ball)
    tracker.step(0.002, rm.ByCurvature(1.0))
    assert volume(tracker.mesh()) < volume(ball)


def test_attributes_follow(ball) -> None:
    heat = np.array(ball.vertices)[:, 0].astype(np.float32)
    tracker = rm.Tracker(ball.with_attributes(vertex={"heat": heat}))
    for _ in range(4):
        tracker.step(0.1, lambda x, time: x)
    mesh = tracker.mesh()
    scale = np.linalg.norm(mesh.vertices, axis=1).mean()
    np.testing.assert_allclose(mesh.vertex_attributes["heat"], np.array(mesh.vertices)[:, 0] / scale, atol=0.05)


def test_two_merge(ball) -> None:
    moved = rm.Mesh(np.array(ball.vertices) + [2.2, 0, 0], ball.faces, "cpu")
    two = ball.resolve(moved)
    tracker = rm.Tracker(two, method="grid-free")
    assert len(tracker.components) == 2
    for _ in range(10):
        report = tracker.step(0.1, lambda x, time: -0.3 * np.sign(x - [1.1, 0, 0]) * [1, 0, 0])
    mesh = tracker.mesh()
    assert len(tracker.components) == 1
    assert report.grid_free.components == 1
    assert len(mesh.intersections().pairs) == 0
    assert set(np.asarray(mesh.vertex_attributes["component"])) == set(tracker.components)
    assert volume(mesh) == pytest.approx(volume(two), rel=0.1)


def test_arrays_of_the_device(ball) -> None:
    tracker = rm.Tracker(ball.to_device())
    tracker.step(0.1, lambda x, time: x)
    tracker.step(0.1, tracker.vertices)
    assert isinstance(tracker.vertices, rm.DeviceArray)
    before = rm.copies()
    mesh = tracker.mesh(attributes=False)
    assert mesh.on_device
    assert rm.copies() == before | {"on_device": before["on_device"] + 1}
    assert volume(mesh.to_host()) == pytest.approx(volume(ball) * np.exp(0.3) * 1.1**3, rel=0.01)
    with pytest.raises(rm.ArgumentError, match="velocities are of the host"):
        tracker.step(0.1, lambda x, time: np.zeros(x.shape))
    host = rm.Tracker(ball)
    with pytest.raises(rm.ArgumentError, match="live on a device"):
        host.step(0.1, lambda x, time: tracker.vertices)


def test_collisions(ball) -> None:
    two = ball.resolve(rm.Mesh(np.array(ball.vertices) + [2.2, 0, 0], ball.faces, "cpu"))
    tracker = rm.Tracker(two, collisions=True)
    found = [
        tracker.step(0.1, lambda x, time: -0.5 * np.sign(x - [1.1, 0, 0]) * [1, 0, 0]).collisions.collisions
        for _ in range(6)
    ]
    assert max(found) > 0
    mesh = tracker.mesh()
    assert mesh.info().components == 2
    assert len(mesh.intersections().pairs) == 0
    with pytest.raises(rm.ArgumentError, match="collisions"):
        rm.Tracker(two, method="grid-free", collisions=True)


def test_refusals(ball) -> None:
    square = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "cpu")
    with pytest.raises(rm.MeshError, match="boundary"):
        rm.Tracker(square, method="grid-free")
    with pytest.raises(rm.ArgumentError, match='method is "magic": one of improve, grid-free'):
        rm.Tracker(ball, method="magic")
    with pytest.raises(rm.ArgumentError, match="tolerance is for adaptive=True only"):
        rm.Tracker(ball, tolerance=0.1)
    with pytest.raises(TypeError, match="a Mesh is needed"):
        rm.Tracker("ball.ply")  # type: ignore[arg-type]
    with pytest.raises(rm.ArgumentError, match="shortest"):
        rm.Tracker(ball, shortest=2.0)
    tracker = rm.Tracker(ball)
    before = tracker.vertices
    with pytest.raises(rm.ArgumentError, match="leads to no finite place") as caught:
        tracker.step(0.1, lambda x, time: np.full_like(x, np.nan))
    assert isinstance(caught.value.vertex, int)
    with pytest.raises(rm.ArgumentError, match="take shorter steps"):
        tracker.step(0.1, lambda x, time: 1e6 * x)
    with pytest.raises(rm.ArgumentError, match=r"velocities have the shape \(4, 3\)"):
        tracker.step(0.1, lambda x, time: x[:4])
    with pytest.raises(rm.ArgumentError, match=r"the shape \(\) and the dtype object"):
        tracker.step(0.1, lambda x, time: None)
    with pytest.raises(ZeroDivisionError):
        tracker.step(0.1, lambda x, time: 1 / 0)
    with pytest.raises(rm.ArgumentError, match="time step"):
        tracker.step(float("nan"), turn)
    np.testing.assert_array_equal(tracker.vertices, before)
    tracker.step(0.1, turn)
    assert tracker.steps == 1


@pytest.mark.parametrize("faces", [3, 5])
def test_a_function_may_use_the_package(faces) -> None:
    ball = rm.generate("icosphere", faces, device="cpu")
    tracker = rm.Tracker(ball)

    def towards(x: np.ndarray, time: float) -> np.ndarray:
        return ball.closest(0.5 * x).points - 0.4 * x

    tracker.step(0.1, towards)

    def itself(x: np.ndarray, time: float) -> np.ndarray:
        return tracker.vertices

    with pytest.raises(rm.ArgumentError, match="in the middle of a step"):
        tracker.step(0.1, itself)
    tracker.step(0.1, towards)


def test_threads_do_not_wait_for_each_other(ball) -> None:
    tracker = rm.Tracker(ball)
    inside, go = threading.Event(), threading.Event()

    def slow(x: np.ndarray, time: float) -> np.ndarray:
        inside.set()
        assert go.wait(20)
        return turn(x, time)

    thread = threading.Thread(target=lambda: tracker.step(0.1, slow))
    thread.start()
    assert inside.wait(20)
    with pytest.raises(rm.ArgumentError, match="in the middle of a step"):
        tracker.step(0.1, turn)
    go.set()
    thread.join()
    assert tracker.steps == 1


def test_all_attributes_and_the_input(ball) -> None:
    x = np.asarray(ball.vertices, float)
    mesh = ball.with_attributes(
        vertex={"height": x[:, 2], "half": (x[:, 2] > 0).astype(np.int64), "heat": x[:, 0].astype(np.float32)},
        face={"label": np.arange(len(ball))},
    )
    still = rm.Tracker(mesh)
    np.testing.assert_array_equal(still.vertices, x[still.input_index].astype(np.float32))
    assert sorted(still.input_index.tolist()) == list(range(642))
    np.testing.assert_array_equal(still.mesh().vertex_attributes["height"], x[still.input_index, 2])
    tracker = rm.Tracker(mesh)
    for _ in range(5):
        tracker.step(0.1, lambda x, time: x)
    grown = tracker.mesh()
    kept = tracker.input_index
    assert (kept < 0).any()
    known = kept >= 0
    np.testing.assert_array_equal(grown.vertex_attributes["height"][known], x[kept[known], 2])
    assert grown.vertex_attributes["half"].dtype == np.int64
    assert grown.face_attributes["label"].dtype == np.int64
    unit = np.asarray(grown.vertices) / np.linalg.norm(grown.vertices, axis=1)[:, None]
    np.testing.assert_allclose(grown.vertex_attributes["height"], unit[:, 2], atol=0.05)


def test_far_from_the_origin(ball) -> None:
    at = np.array([1e6, -2e6, 5e5])
    mesh = rm.Mesh(np.asarray(ball.vertices, float) + at, ball.faces, "cpu")
    tracker = rm.Tracker(mesh)
    assert tracker.vertices.dtype == np.float64

    def outwards(x: np.ndarray, time: float) -> np.ndarray:
        assert x.dtype == np.float64
        return x - at

    for _ in range(5):
        tracker.step(0.1, outwards)
    radii = np.linalg.norm(tracker.mesh().vertices - at, axis=1)
    assert np.abs(radii / np.exp(0.5) - 1).max() < 0.01
    assert (rm.Tracker(ball).origin == 0).all()
