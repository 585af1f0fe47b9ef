"""Sparse matrices."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._arguments import progress_of, whole
from ._arrays import described
from ._errors import ArgumentError
from ._mesh import Progress
from ._native import NativeSparse
from ._results import Report, Solution


class SparseMatrix:
    """A sparse matrix on a device, which does not change: products with vectors, and systems by conjugate gradients.

    Parameters
    ----------
    matrix : scipy.sparse matrix or array, or (indptr, indices, values)
        Compressed rows; anything with ``tocsr`` is converted. Columns may be in any order in a row; entries at one place are summed.
    shape : (int, int), optional
        Where three arrays are given; default: as many columns as the largest index needs.
    device : str
        As for :class:`Mesh`.
    dtype : ``"float32"`` or ``"float64"``, optional
        Default: that of the values where they have one of these, else float64.

    Examples
    --------
    >>> import numpy as np, ribbonmesh as rm
    >>> matrix = rm.SparseMatrix(([0, 2, 4], [0, 1, 0, 1], [2.0, -1.0, -1.0, 2.0]), device="cpu")
    >>> matrix @ [1.0, 2.0]
    array([0., 3.])
    >>> np.round(matrix.solve([0.0, 3.0]).x, 4)
    array([1., 2.])
    """

    __slots__ = ("__weakref__", "_device", "_dtype", "_native", "_rows")

    def __init__(
        self,
        matrix: Any,
        shape: tuple[int, int] | None = None,
        *,
        device: str = "auto",
        dtype: npt.DTypeLike | None = None,
    ) -> None:
        if hasattr(matrix, "tocsr"):
            csr = matrix.tocsr()
            starts, indices, values = csr.indptr, csr.indices, csr.data
            shape = csr.shape
        else:
            try:
                starts, indices, values = matrix
            except (TypeError, ValueError):
                raise ArgumentError(
                    "matrix is neither a sparse matrix of scipy nor three arrays (indptr, indices, values)"
                ) from None
        starts, indices, values = _integers("indptr", starts), _integers("indices", indices), np.asarray(values)
        if values.ndim != 1 or values.dtype.kind not in "iuf":
            raise ArgumentError(f"values have {described(values)}: real numbers of the shape (n,) are needed")
        wanted = np.dtype(dtype if dtype is not None else values.dtype if values.dtype == np.float32 else np.float64)
        if wanted not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise ArgumentError(f"dtype is {wanted}: float32 or float64")
        rows = len(starts) - 1
        columns = int(indices.max()) + 1 if len(indices) else 0
        if shape is not None:
            if rows != shape[0]:
                raise ArgumentError(f"the shape is {shape}, and indptr has {rows} rows")
            columns = shape[1]
        if rows < 0:
            raise ArgumentError("indptr is empty: it has a number more than there are rows")
        starts, indices, values = _sorted(starts, indices, values)
        self._rows = (starts, indices, values)
        self._native = NativeSparse(starts, indices, np.ascontiguousarray(values, dtype=wanted), columns, device)
        self._dtype = wanted
        self._device = device

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._native.sizes[:2]

    @property
    def nnz(self) -> int:
        """The number of entries."""
        return self._native.sizes[2]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the entries."""
        return self._dtype

    @property
    def layout(self) -> str:
        """How it lies on the device, which follows from its rows."""
        return self._native.layout

    @property
    def T(self) -> SparseMatrix:
        """The matrix with rows and columns exchanged."""
        starts, indices, values = self._rows
        rows = np.repeat(np.arange(self.shape[0]), np.diff(starts))
        order = np.argsort(indices, kind="stable")
        counts = np.bincount(indices, minlength=self.shape[1])
        turned = (np.concatenate([[0], np.cumsum(counts)]), rows[order], values[order])
        return SparseMatrix(turned, self.shape[::-1], device=self._device, dtype=self._dtype)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"SparseMatrix({rows} × {columns}, {self.nnz} entries of {self._dtype}, device={self._device!r})"

    def __matmul__(self, x: object) -> npt.NDArray[Any]:
        """The product with a vector (n,), or with each column of a matrix (n, k)."""
        array = np.asarray(x)
        if array.ndim not in (1, 2) or len(array) != self.shape[1] or array.dtype.kind not in "iuf":
            raise ArgumentError(
                f"the factor has {described(array)}: real numbers of the shape ({self.shape[1]},) or ({self.shape[1]}, k) are needed"
            )
        if array.ndim == 2:
            result = np.empty((self.shape[0], array.shape[1]), self._dtype)
            for column in range(array.shape[1]):
                result[:, column] = self._native.multiply(self._vector(array[:, column]))
            return result
        return self._native.multiply(self._vector(array))

    def _vector(self, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.ascontiguousarray(x, dtype=self._dtype)

    def solve(
        self,
        b: object,
        *,
        x0: object = None,
        tolerance: float = 1e-6,
        max_iterations: int = 10_000,
        preconditioner: Literal["jacobi", "none"] = "jacobi",
        progress: Progress = None,
    ) -> Solution:
        """Solves ``A x = b`` by conjugate gradients. The matrix has to be symmetric and positive definite, which is not checked.

        Parameters
        ----------
        b : array (n,)
        x0 : array (n,), optional
            Where to begin; default 0.
        tolerance : float
            The length of the residual by that of ``b``.
        max_iterations : int
        preconditioner : ``"jacobi"`` or ``"none"``

        Returns
        -------
        Solution
            ``x``, and ``report`` with ``converged``, ``iterations``, ``residual`` and ``true_residual``, computed anew.
        """
        n = self.shape[0]
        if n != self.shape[1]:
            raise ArgumentError(f"the matrix has {n} rows and {self.shape[1]} columns: as many are needed")
        whole(1, max_iterations=max_iterations)
        vectors: list[npt.NDArray[Any] | None] = []
        for name, of in (("b", b), ("x0", x0)):
            array = None if of is None else np.asarray(of)
            if array is not None and (array.shape != (n,) or array.dtype.kind not in "iuf"):
                raise ArgumentError(f"{name} has {described(array)}: real numbers of the shape ({n},) are needed")
            vectors.append(None if array is None else self._vector(array))
        x, report = self._native.solve(
            vectors[0], vectors[1], tolerance, max_iterations, preconditioner, progress_of(progress)
        )
        return Solution(x, Report._of(report))


def _integers(name: str, values: object) -> npt.NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise ArgumentError(f"{name} have {described(array)}: integers of the shape (n,) are needed")
    return np.ascontiguousarray(array, dtype=np.int64)


def _sorted(
    starts: npt.NDArray[np.int64], indices: npt.NDArray[np.int64], values: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[Any]]:
    """The same with ascending columns in each row, and entries at one place summed; what is wrong stays."""
    counts = np.diff(starts)
    if len(indices) != len(values) or starts[0] != 0 or starts[-1] != len(indices) or (counts < 0).any():
        return starts, indices, values
    rows = np.repeat(np.arange(len(counts)), counts)
    step = np.diff(indices)
    if ((step > 0) | (np.diff(rows) > 0)).all():
        return starts, indices, values
    order = np.lexsort((indices, rows))
    rows, indices, values = rows[order], indices[order], values[order]
    first = np.ones(len(rows), bool)
    first[1:] = (np.diff(rows) > 0) | (np.diff(indices) > 0)
    if not first.all():
        values = np.add.reduceat(values, np.flatnonzero(first))
        rows, indices = rows[first], indices[first]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(counts)))]).astype(np.int64)
    return starts, np.ascontiguousarray(indices), values
