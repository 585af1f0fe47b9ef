"""The functions, with properties of their results."""

from __future__ import annotations

import math
import threading
from typing import get_args

import numpy as np
import pytest

import ribbonmesh as rm
from ribbonmesh._mesh import Op


def shifted(mesh: rm.Mesh, by: float) -> rm.Mesh:
    return rm.Mesh(np.array(mesh.vertices, float) + by, mesh.faces, "cpu")


def test_figures(bumpy) -> None:
    figures = bumpy.info(intersections=True)
    assert (figures.vertices, figures.faces, figures.genus) == (2562, 5120, 0)
    assert figures.edges == len(bumpy.edges) == 7680
    assert figures.quality.valence.regular > 0.9
    assert figures["intersecting_pairs"] == len(bumpy.intersections().pairs)
    with pytest.raises(AttributeError, match="no 'nothing'; it has angle"):
        figures.nothing  # noqa: B018


def test_queries_agree_with_the_faces(bumpy) -> None:
    faces, edges = bumpy.faces, bumpy.edges
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    np.testing.assert_array_equal(np.unique(sides, axis=0), edges)
    around: list[set[int]] = [set() for _ in range(len(bumpy.vertices))]
    for a, b in edges.tolist():
        around[a].add(b)
        around[b].add(a)
    rows = bumpy.query("VV")
    assert [row.tolist() for row in rows] == [sorted(row) for row in around]
    np.testing.assert_array_equal(bumpy.query("FV").indices.reshape(-1, 3), faces)
    np.testing.assert_array_equal(bumpy.query("EV").indices.reshape(-1, 2), edges)
    by_edge = bumpy.query("FE").indices.reshape(-1, 3)
    np.testing.assert_array_equal(np.sort(edges[by_edge[:, 0]]), np.sort(faces[:, :2]))
    for op in ("VE", "VF", "EF", "FF", "EE"):
        rows = bumpy.query(op)
        assert len(rows.indices) == rows.offsets[-1]
    for row, face in zip(bumpy.query("EF"), edges[:50], strict=False):
        assert all(set(face) <= set(faces[f]) for f in row)
    diamond = bumpy.query("evdiamond").indices.reshape(-1, 4)
    np.testing.assert_array_equal(diamond[:, [0, 2]], edges)


def test_oriented_queries_walk(bumpy) -> None:
    directed = {tuple(side) for face in bumpy.faces.tolist() for side in zip(face, face[1:] + face[:1], strict=True)}
    faces = {frozenset(face) for face in bumpy.faces.tolist()}
    for vertex, row in enumerate(bumpy.query("VV", oriented=True)):
        assert row[0] == row.min()
        for a, b in zip(row, np.roll(row, -1), strict=True):
            assert frozenset((vertex, a, b)) in faces
            assert (a, b) in directed
    with pytest.raises(rm.ArgumentError, match="oriented is for VV, VE or VF"):
        bumpy.query("FF", oriented=True)
    with pytest.raises(rm.ArgumentError, match="XY") as refused:
        bumpy.query("XY")
    # the names for type checkers are those of the library
    *others, last = get_args(Op)
    assert f"{', '.join(others)} or {last}" in str(refused.value)


def test_an_edge_on_the_boundary_has_one_opposite_vertex(square) -> None:
    rows = rm.Mesh(*square, "cpu").query("EVDiamond")
    assert rows[0].tolist() == [0, 2, 1, -1]


def test_values_of_vertices(ball) -> None:
    x = ball.vertices
    for weight in ("area", "angle", "max"):
        normals = ball.normals(weight=weight)
        assert normals.dtype == np.float32
        np.testing.assert_allclose(normals, x, atol=0.02)
    found = ball.curvature()
    np.testing.assert_allclose(found.gaussian_curvature, 1, atol=0.05)
    np.testing.assert_allclose(found.mean_curvature, 1, atol=0.05)
    assert math.isclose(found.angle_defect.sum(), 4 * math.pi, rel_tol=1e-4)
    assert math.isclose(found.vertex_area.sum(), found.report.surface_area, rel_tol=1e-5)


def test_geodesic_distances(ball) -> None:
    x = np.asarray(ball.vertices, float)
    truth = np.arccos(np.clip(x @ x[5], -1, 1))
    for found in (ball.geodesic(5), ball.geodesic([5], order="hops"), ball.geodesic(np.array([5]), exact=True)):
        np.testing.assert_allclose(found.distance, truth, atol=0.06)
    exact = ball.geodesic(0, exact=True, path_to=[9, 0])
    path = exact.paths[0]
    assert (path.to, path.source) == (9, 0)
    assert path.points.shape[1] == 3
    assert math.isclose(path.length, exact.distance[9], rel_tol=1e-9)
    assert exact.paths[1].length == 0
    heat = ball.geodesic(5, heat=True)
    assert heat.distance.dtype == np.float64
    np.testing.assert_allclose(heat.distance, truth, atol=0.1)
    direct = ball.geodesic(5, heat=True, solver="direct")
    assert direct.report.solver == "direct"
    np.testing.assert_allclose(direct.distance, heat.distance, atol=1e-4)
    flat = ball.geodesic(5, log_map=True)
    assert flat.log_map.shape == (642, 2)
    np.testing.assert_allclose(np.linalg.norm(flat.log_map, axis=1), flat.distance)
    # opposite to the source geodesics of all directions meet
    unique = truth < 2.5
    np.testing.assert_allclose(flat.distance[unique], truth[unique], atol=0.2)
    face = [int(v) for v in ball.faces[7]]
    signed = ball.geodesic(face, signed=True)
    assert signed.report.closed
    assert np.abs(signed.distance[face]).max() < 0.1 < signed.distance.max()
    for wrong in (642, [0, 1000], []):
        with pytest.raises(rm.ArgumentError):
            ball.geodesic(wrong)
        with pytest.raises(rm.ArgumentError):
            ball.geodesic(wrong, heat=True)
    with pytest.raises(rm.ArgumentError, match="source is -1: 0 to 4294967295"):
        ball.geodesic(-1)
    with pytest.raises(rm.ArgumentError, match="path_to is for exact=True only"):
        ball.geodesic(0, path_to=[1])


def test_deformation_follows_handles(ball, tmp_path) -> None:
    goal = (0.1, 0.2, -2.5)
    moved = ball.deform({0: None, np.int64(3): goal})
    np.testing.assert_allclose(moved.vertices[3], goal, atol=1e-6)
    np.testing.assert_allclose(moved.vertices[0], ball.vertices[0], atol=1e-6)
    np.testing.assert_array_equal(moved.faces, ball.faces)
    assert moved.report.converged
    assert moved.report.handles == 2
    file = tmp_path / "handles.txt"
    file.write_text("0\n3 0.1 0.2 -2.5\n")
    np.testing.assert_array_equal(ball.deform(file).vertices, moved.vertices)
    for wrong in ({}, {642: None}, {-1: None}, {0: (1, 2)}, "nowhere.txt"):
        with pytest.raises(rm.ArgumentError):
            ball.deform(wrong)
    with pytest.raises(TypeError, match="positions by vertex"):
        ball.deform(3)


def test_order_of_large_meshes_stays() -> None:
    # from 32,768 faces on, devices have an order of their own
    mesh = rm.generate("icosphere", 6, shuffle=True, device="cpu")
    np.testing.assert_allclose(mesh.normals(), mesh.vertices, atol=0.01)
    np.testing.assert_allclose(mesh.curvature().gaussian_curvature, 1, atol=0.1)
    distance = mesh.geodesic(17).distance
    x = np.asarray(mesh.vertices, float)
    np.testing.assert_allclose(distance, np.arccos(np.clip(x @ x[17], -1, 1)), atol=0.03)
    same = mesh.smooth(steps=1, time_step="0.01h2")
    np.testing.assert_array_equal(same.faces, mesh.faces)
    np.testing.assert_allclose(same.vertices, mesh.vertices, atol=1e-3)
    resident = mesh.to_device()
    np.testing.assert_array_equal(resident.normals().numpy(), mesh.normals())
    np.testing.assert_array_equal(resident.geodesic(17).distance.numpy(), distance)
    np.testing.assert_array_equal(resident.curvature().vertex_area.numpy(), mesh.curvature().vertex_area)


def test_closest_points_and_distance(ball) -> None:
    points = np.random.default_rng(3).normal(size=(200, 3)) * 2
    found = ball.closest(points)
    np.testing.assert_allclose(np.linalg.norm(found.points, axis=1), 1, atol=0.01)
    np.testing.assert_allclose(np.linalg.norm(points - found.points, axis=1), found.distances, rtol=1e-4, atol=1e-5)
    corners = np.asarray(ball.vertices, float)[ball.faces[found.faces]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    np.testing.assert_allclose(normals, found.normals, atol=1e-5)
    report = ball.distance(shifted(ball, 0.1), samples=5000)
    assert 0.05 < report.symmetric.hausdorff < 0.2
    with pytest.raises(rm.ArgumentError) as caught:
        ball.closest([[0, 0, 0], [np.inf, 0, 0]])
    assert caught.value.point == 1


def test_inside_and_intersections(ball) -> None:
    points = np.random.default_rng(4).uniform(-1.5, 1.5, size=(500, 3))
    radius = np.linalg.norm(points, axis=1)
    sure = abs(radius - 1) > 0.02
    for options in ({}, {"exact": True}, {"method": "rays"}):
        found = ball.inside(points, **options)
        np.testing.assert_array_equal(found.inside[sure], radius[sure] < 1)
        assert found.report.closed
    crossing = ball.intersections(shifted(ball, 0.3))
    assert crossing.pairs.shape[1] == 2
    assert crossing.report.intersecting_pairs == len(crossing.pairs) > 0


def test_smoothing_and_denoising(ball) -> None:
    noisy = rm.generate("icosphere", 4, noise=0.3, device="cpu")
    rough = np.linalg.norm(noisy.vertices, axis=1).std()
    for smooth in (
        noisy.smooth(time_step="3h2"),
        noisy.smooth(weights="uniform", mass="unit", time_step=2, solver="matrix-free"),
        noisy.denoise(),
        noisy.denoise(method="bilateral", radius="mean"),
        noisy.denoise(method="taubin", iterations=10),
    ):
        assert np.linalg.norm(smooth.vertices, axis=1).std() < 0.7 * rough
        np.testing.assert_array_equal(smooth.faces, noisy.faces)
    kept = noisy.smooth(time_step="3h2", keep_volume=True)
    assert math.isclose(kept.info().volume, noisy.info().volume, rel_tol=1e-3)


def test_triangles_change(bumpy) -> None:
    even = bumpy.remesh("1.5x", project=True)
    assert even.info().genus == 0
    assert even.report.before.faces == 5120
    assert len(bumpy.remesh(fast=True, vertices=300).vertices) >= 300
    adaptive = bumpy.remesh(adaptive=True, tolerance="0.5%", range=(0.5, 3))
    assert adaptive.report.tolerance > 0
    assert len(bumpy.simplify(1000)) in (999, 1000)
    assert len(bumpy.simplify(ratio=0.1)) in (511, 512)
    near = bumpy.simplify(max_error="1%")
    assert near.report.measured_distance <= near.report.max_error
    assert len(near) < len(bumpy)
    assert bumpy.delaunay().report.non_delaunay_after >= 0
    with pytest.raises(rm.ArgumentError, match="exclude each other"):
        bumpy.remesh(fast=True, project=True)
    with pytest.raises(rm.ArgumentError):
        bumpy.simplify()
    with pytest.raises(rm.ArgumentError, match="exclude each other"):
        bumpy.simplify(10, ratio=0.5)
    with pytest.raises(rm.ArgumentError, match="vertices is for fast=True only"):
        bumpy.remesh(vertices=10)
    with pytest.raises(rm.ArgumentError, match="target_length"):
        bumpy.remesh("1y")
    with pytest.raises(rm.ArgumentError, match="boundary"):
        bumpy.remesh(boundary="loose")


def test_meshes_become_sound(ball) -> None:
    broken = rm.Mesh(ball.vertices, np.vstack([ball.faces[7:], ball.faces[20:22], ball.faces[30:31, ::-1]]), "cpu")
    with pytest.raises(rm.NotManifoldError):
        broken.repair(check=True)
    with pytest.raises(rm.NotManifoldError):
        broken.fill()
    repaired = broken.repair(remove_isolated=True)
    assert repaired.repair(check=True).faces.shape == repaired.faces.shape
    # a face by itself has a border
    filled = repaired.fill(borders=True)
    assert filled.info().boundary_edges == 0
    assert broken.repair(fill_holes=100).info().boundary_edges == 0
    cleaned = broken.clean(faces=400)
    figures = cleaned.info(intersections=True)
    assert (figures.boundary_edges, figures.intersecting_pairs) == (0, 0)
    assert figures.volume > 0
    both = ball.resolve(shifted(ball, 0.4))
    assert both.info(intersections=True).intersecting_pairs == 0
    wrapped = broken.wrap(resolution=24)
    assert wrapped.info().boundary_edges == 0
    soup = rm.Mesh(np.asarray(ball.vertices)[ball.faces].reshape(-1, 3), np.arange(3 * len(ball)).reshape(-1, 3), "cpu")
    assert len(soup.repair(weld=0).vertices) == len(ball.vertices)
    assert len(soup.repair(weld="0.01%").vertices) == len(ball.vertices)
    opened = rm.Mesh(ball.vertices, ball.faces[1:], "cpu")
    assert [opening.mesh for opening in ball.resolve(opened).report.open] == [1]
    with pytest.raises(rm.NotManifoldError) as caught:
        rm.Mesh(ball.vertices, ball.faces[:1], "cpu").resolve()
    assert caught.value.mesh == 0


def test_pictures(ball, tmp_path) -> None:
    mesh = ball.with_attributes(vertex={"heat": ball.vertices[:, 0], "force": ball.vertices})
    for options in (
        {},
        {"scalar": "heat"},
        {"scalar": "force_y", "colormap": "coolwarm", "range": ("5%", 0.5)},
        {"patches": True, "ribbons": True},
        {"normals": True, "edges": True, "flat": True},
        {"view": "30,20", "up": "z", "perspective": True, "transparent": True},
    ):
        picture = mesh.render(tmp_path / "picture.png", size=(200, 150), **options)
        assert picture.startswith(b"\x89PNG")
        assert (tmp_path / "picture.png").read_bytes() == picture
    page = mesh.show("heat", scalar="heat", height=300)
    assert "heat" in page.html
    assert "<iframe" in page._repr_html_()
    for wrong in ({"scalar": "none"}, {"view": "sideways"}, {"size": (0, 5)}, {"colormap": "magma"}, {"range": (0, 1)}):
        with pytest.raises(rm.ArgumentError):
            mesh.render(**wrong)
    with pytest.raises(TypeError, match="colour"):
        mesh.show(colour=1)


def test_files(bumpy, tmp_path) -> None:
    mesh = bumpy.with_attributes(vertex={"quality": bumpy.vertices[:, 0]})
    for name in ("a.ply", "a.obj", "a.off", "a.stl", "a.glb", "a.gltf", "a.ply.gz", "a.ply.zst"):
        losses = rm.write(tmp_path / name, mesh)
        again = rm.read(tmp_path / name, "cpu")
        assert again.faces.shape == mesh.faces.shape
        assert bool(losses) == (name in ("a.obj", "a.off", "a.stl"))
    again = rm.read(tmp_path / "a.ply.gz", "cpu")
    np.testing.assert_array_equal(again.vertex_attributes["quality"], mesh.vertex_attributes["quality"])
    mesh.write(tmp_path / "text", format="ply", ascii=True)
    assert (tmp_path / "text").read_bytes().startswith(b"ply\nformat ascii")
    with pytest.raises(rm.ReadError) as caught:
        rm.read(tmp_path / "missing.ply")
    assert isinstance(caught.value, OSError)
    (tmp_path / "wrong.ply").write_text("ply\nnonsense")
    with pytest.raises(rm.ReadError, match="line 2"):
        rm.read(tmp_path / "wrong.ply")
    with pytest.raises(rm.ArgumentError):
        mesh.write(tmp_path / "a.unknown")
    with pytest.raises(rm.WriteError):
        mesh.write(tmp_path / "no" / "folder.ply")


def test_strict_reading(tmp_path) -> None:
    path = tmp_path / "two.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 nan\nf 1 2 3\nf 1 2\n")
    mesh = rm.read(path, "cpu")
    assert (len(mesh.vertices), len(mesh.faces)) == (3, 1)
    assert mesh.report.faces_left_out == mesh.report.vertices_left_out == 1
    assert mesh.report.left_out_first == "line 4"
    with pytest.raises(rm.ReadError, match="line 4"):
        rm.read(path, "cpu", strict=True)


def test_devices() -> None:
    name, kind, why = rm.device_name("cpu")
    assert (kind, why) == ("cpu", None)
    assert "CPU" in name
    with pytest.raises(rm.ArgumentError, match="gpu"):
        rm.generate("icosphere", 1, device="gpu")
    if rm.device_name("auto")[1] == "cpu":
        with pytest.raises(rm.DeviceError):
            rm.generate("icosphere", 1, device="cuda").normals()


def test_threads_share_a_mesh(bumpy) -> None:
    expected, found = bumpy.smooth(steps=2).vertices, []

    def work() -> None:
        found.append(bumpy.smooth(steps=2).vertices)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for vertices in found:
        np.testing.assert_array_equal(vertices, expected)


def test_far_from_the_origin(ball) -> None:
    far = shifted(ball, 1e7)
    assert far.vertices.dtype == np.float64
    even = far.remesh("1.5x")
    np.testing.assert_allclose(np.linalg.norm(even.vertices - 1e7, axis=1), 1, atol=0.02)
    assert math.isclose(far.closest([[1e7, 1e7, 1e7 + 3]]).distances[0], 2, rel_tol=1e-2)
