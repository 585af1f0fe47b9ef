"""The Laplacian, the mass matrix and the gradient."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm

# three triangles at one edge
BOOK = [[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, -1, 0], [0.5, 0, 1.0]], [[0, 1, 2], [0, 1, 3], [0, 1, 4]]


def test_on_the_host() -> None:
    pytest.importorskip("scipy.sparse")
    mesh = rm.generate("bumpy-sphere", 3, device="cpu")
    matrix, mass, slopes = mesh.laplacian(), mesh.mass_matrix(), mesh.gradient()
    n, m = len(mesh.vertices), len(mesh)
    assert (matrix.shape, mass.shape, slopes.shape) == ((n, n), (n, n), (3 * m, n))
    assert abs(matrix - matrix.T).max() == 0
    assert abs(matrix @ np.ones(n)).max() < 1e-12
    assert matrix.tocoo().data[matrix.tocoo().row != matrix.tocoo().col].max() < 1e-6
    np.testing.assert_allclose(mass.diagonal().sum(), mesh.face_areas().sum(), rtol=1e-3)
    # the same energy in two ways
    u = np.asarray(mesh.vertices, float)[:, 0]
    squares = ((slopes @ u).reshape(-1, 3) ** 2).sum(1)
    np.testing.assert_allclose(u @ (mesh.laplacian(extrinsic=True) @ u), squares @ mesh.face_areas(), rtol=1e-6)


def test_any_triangles() -> None:
    pytest.importorskip("scipy.sparse")
    mesh = rm.Mesh(*BOOK, device="cpu")
    matrix = mesh.laplacian().toarray()
    assert (np.linalg.eigvalsh(matrix) > -1e-12).all()
    assert (matrix - np.diag(np.diag(matrix))).max() < 1e-6
    voronoi = mesh.mass_matrix(masses="voronoi").diagonal()
    assert (voronoi > 0).all()
    np.testing.assert_allclose(voronoi.sum(), mesh.mass_matrix().diagonal().sum())


def test_on_the_device() -> None:
    mesh = rm.Mesh(*BOOK, device="cpu").to_device()
    matrix = mesh.laplacian()
    assert isinstance(matrix, rm.DeviceCsr)
    assert (matrix.shape, matrix.indptr.shape) == ((5, 5), (6,))
    assert (matrix.indices.dtype, matrix.data.dtype) == (np.dtype("int32"), np.dtype("float64"))
    np.testing.assert_array_equal(np.from_dlpack(matrix.data), matrix.data.numpy())
    assert mesh.mass_matrix().shape == (5,)
    assert mesh.gradient().shape == (9, 5)
    pytest.importorskip("scipy.sparse")
    assert abs(matrix.to_scipy() - mesh.to_host().laplacian()).max() == 0


def test_refusals() -> None:
    mesh = rm.Mesh(*BOOK, device="cpu")
    with pytest.raises(rm.ArgumentError, match="mollify"):
        mesh.laplacian(mollify=2)
    with pytest.raises(rm.ArgumentError, match="masses"):
        mesh.mass_matrix(masses="none")  # type: ignore[arg-type]
    with pytest.raises(rm.MeshError, match="max_rounds"):
        rm.generate("torus", 8, device="cpu").laplacian(max_rounds=0)


def test_no_small_angles() -> None:
    pytest.importorskip("scipy.sparse")
    torus = rm.generate("torus", 12, device="cpu")
    mesh = rm.Mesh(np.asarray(torus.vertices, float) * [6, 1, 1], torus.faces, "cpu")
    found = mesh.intrinsic(min_angle=25)
    n, old = found.laplacian.shape[0], len(mesh.vertices)
    assert n == old + found.report.inserted > old
    assert found.report.least_angle >= 25
    assert abs(found.laplacian @ np.ones(n)).max() < 1e-10
    np.testing.assert_allclose(found.mass_matrix.diagonal().sum(), mesh.face_areas().sum(), rtol=1e-4)
    np.testing.assert_allclose(found.subdivision.face_areas().sum(), mesh.face_areas().sum(), rtol=1e-4)
    np.testing.assert_array_equal(found.subdivision.vertices[:old], mesh.vertices)
    u = found.interpolation @ np.arange(n)
    np.testing.assert_array_equal(u[:n], np.arange(n))
    assert len(u) == len(found.subdivision.vertices) == n + found.report.crossings
    # without new vertices, the same matrix in another order of flips
    assert abs(mesh.intrinsic().laplacian - mesh.laplacian()).max() < 1e-4
    device = mesh.to_device().intrinsic(min_angle=25)
    assert abs(device.laplacian.to_scipy() - found.laplacian).max() == 0
    assert device.subdivision.on_device
    with pytest.raises(rm.ArgumentError, match="min_angle"):
        mesh.intrinsic(min_angle=31)
    with pytest.raises(rm.MeshError, match="max_insertions"):
        mesh.intrinsic(min_angle=25, max_insertions=1)
