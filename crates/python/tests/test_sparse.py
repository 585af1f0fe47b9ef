"""Sparse matrices."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm


def grid(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Five points of a grid of n times n, as rows and as a dense matrix."""
    dense = np.zeros((n * n, n * n))
    for i in range(n):
        for j in range(n):
            at = n * i + j
            dense[at, at] = 4.5
            for k, m in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if 0 <= k < n and 0 <= m < n:
                    dense[at, n * k + m] = -1
    rows, columns = np.nonzero(dense)
    return np.concatenate([[0], np.cumsum(np.bincount(rows))]), columns, dense[rows, columns], dense


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_and_systems(dtype) -> None:
    starts, columns, values, dense = grid(12)
    matrix = rm.SparseMatrix((starts, columns, values), device="cpu", dtype=dtype)
    assert (matrix.shape, matrix.nnz, matrix.dtype) == ((144, 144), len(values), np.dtype(dtype))
    x = np.random.default_rng(0).normal(size=(144, 3))
    tolerance = 1e-4 if dtype == "float32" else 1e-10
    np.testing.assert_allclose(matrix @ x[:, 0], dense @ x[:, 0], atol=tolerance)
    np.testing.assert_allclose(matrix @ x, dense @ x, atol=tolerance)
    for preconditioner in ("jacobi", "none"):
        found = matrix.solve(dense @ x[:, 1], tolerance=1e-5, preconditioner=preconditioner)
        assert found.report.converged
        assert found.report.true_residual < 1e-4
        np.testing.assert_allclose(found.x, x[:, 1], atol=1e-3)
    near = matrix.solve(dense @ x[:, 1], x0=x[:, 1], tolerance=1e-4)
    assert near.report.iterations <= 2
    assert not matrix.solve(dense @ x[:, 1], max_iterations=1).report.converged


def test_rectangles_and_disorder() -> None:
    # columns in any order, one entry twice
    matrix = rm.SparseMatrix(([0, 3, 3, 4], [2, 0, 2, 1], [1.0, 2.0, 3.0, 5.0]), (3, 4), device="cpu")
    dense = np.array([[2, 0, 4, 0], [0, 0, 0, 0], [0, 5, 0, 0]])
    x = np.arange(1.0, 5)
    np.testing.assert_array_equal(matrix @ x, dense @ x)
    np.testing.assert_array_equal(matrix.T @ x[:3], dense.T @ x[:3])
    assert matrix.T.shape == (4, 3)
    with pytest.raises(rm.ArgumentError, match="as many are needed"):
        matrix.solve(x)


def test_scipy() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    theirs = sparse.random(50, 40, 0.1, random_state=0, format="coo")
    matrix = rm.SparseMatrix(theirs, device="cpu")
    x = np.random.default_rng(1).normal(size=40)
    np.testing.assert_allclose(matrix @ x, theirs @ x, atol=1e-12)


def test_refusals() -> None:
    good = ([0, 1, 2], [0, 1], [1.0, 2.0])
    for wrong in (
        lambda: rm.SparseMatrix(3, device="cpu"),
        lambda: rm.SparseMatrix(([0, 1, 9], [0, 1], [1.0, 2.0]), device="cpu"),
        lambda: rm.SparseMatrix(([1, 1, 2], [0, 1], [1.0, 2.0]), device="cpu"),
        lambda: rm.SparseMatrix(([0, 1, 2], [0, -1], [1.0, 2.0]), device="cpu"),
        lambda: rm.SparseMatrix(([0, 1, 2], [0, 5], [1.0, 2.0]), (2, 2), device="cpu"),
        lambda: rm.SparseMatrix(([0, 1, 2], [0, 1], [1.0]), device="cpu"),
        lambda: rm.SparseMatrix(([0, 1, 2], [0, 1], ["a", "b"]), device="cpu"),
        lambda: rm.SparseMatrix(good, (3, 2), device="cpu"),
        lambda: rm.SparseMatrix(good, device="cpu", dtype="int32"),
        lambda: rm.SparseMatrix(good, device="cpu") @ [1.0],
        lambda: rm.SparseMatrix(good, device="cpu") @ ["a", "b"],
        lambda: rm.SparseMatrix(good, device="cpu").solve([1.0, 2.0], tolerance=-1.0),
        lambda: rm.SparseMatrix(good, device="cpu").solve([1.0]),
        lambda: rm.SparseMatrix(good, device="cpu").solve([1.0, 2.0], preconditioner="magic"),
    ):
        with pytest.raises(rm.ArgumentError):
            wrong()
