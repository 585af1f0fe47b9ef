"""Spectra."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm


def test_beside_scipy() -> None:
    linalg = pytest.importorskip("scipy.sparse.linalg")
    mesh = rm.generate("bumpy-sphere", 4, device="cpu")
    found = mesh.spectrum(20, tolerance=1e-8)
    matrix, mass = mesh.laplacian().tocsc(), mesh.mass_matrix().tocsc()
    expected = np.sort(linalg.eigsh(matrix, 20, mass, sigma=-1e-3)[0])
    np.testing.assert_allclose(found.eigenvalues, expected, rtol=1e-8, atol=1e-8)
    functions = found.eigenfunctions
    np.testing.assert_allclose(functions.T @ (mass @ functions), np.eye(20), atol=1e-9)


def test_columns() -> None:
    mesh = rm.generate("torus", 24, device="cpu")
    found = mesh.to_device().spectrum(12, hks=3, wks=4, source=5)
    n = len(mesh.vertices)
    assert (found.eigenfunctions.shape, found.hks.shape, found.wks.shape) == ((n, 12), (n, 3), (n, 4))
    expected = (np.exp(-np.outer(found.eigenvalues, found.report.times))[None] * found.eigenfunctions[:, :, None] ** 2).sum(1)
    np.testing.assert_allclose(found.hks, expected)
    assert found.distance[5] == 0
    assert mesh.spectrum(12).hks is None


def test_refusals() -> None:
    mesh = rm.generate("torus", 8, device="cpu")
    with pytest.raises(rm.ArgumentError, match="count"):
        mesh.spectrum(0)
    with pytest.raises(rm.ArgumentError, match="tolerance"):
        mesh.spectrum(4, tolerance=2)
    with pytest.raises(rm.ArgumentError, match="distance"):
        mesh.spectrum(4, distance="none")  # type: ignore[arg-type]
    with pytest.raises(rm.MeshError, match="max_iterations"):
        rm.generate("icosphere", 4, device="cpu").spectrum(20, max_iterations=1)
