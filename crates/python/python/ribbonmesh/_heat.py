"""The heat method, with what its calls share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._arguments import vertices_of, whole
from ._arrays import described
from ._errors import ArgumentError
from ._mesh import Mesh
from ._native import NativeHeat
from ._results import Report


class HeatMethod:
    """Distances, vectors and coordinates by heat on a mesh, again and again (Crane, Weischedel and Wardetzky 2013).

    The first call of :meth:`distance` or :meth:`distances` makes the matrices of distances, with factors or levels of multigrid; the
    first one of the other methods those of vectors. Later calls use them again. All results are arrays of numpy, in double precision.

    Parameters
    ----------
    mesh : Mesh
        Any triangles; for all but distances an oriented manifold.
    time : float
        The time for which heat flows, in squared mean edge lengths; more is smoother, 0.01 to 1000000.
    solver : ``"auto"``, ``"iterative"`` or ``"direct"``
        As for :meth:`Mesh.geodesic`: ``"auto"`` is a factorization on a CPU but for very large even meshes, and iterations on a GPU.

    Raises
    ------
    ArgumentError
        A vertex that is not there; from the first call, where a matrix has no factorization and ``"direct"`` asks for one.
    NotManifoldError
        From vectors, signed distances and coordinates; the exception names the element.

    Examples
    --------
    >>> import numpy as np, ribbonmesh as rm
    >>> heat = rm.HeatMethod(rm.generate("icosphere", 3, device="cpu"))
    >>> each = heat.distances([0, 5, (0, 5)])
    >>> each.shape, bool(np.allclose(each[2], each[:2].min(axis=0), atol=0.2))
    ((3, 642), True)
    >>> east, north = heat.basis(0)
    >>> bool(np.allclose(np.linalg.norm(heat.transport(0, 2 * east), axis=1), 2))
    True
    """

    __slots__ = ("__weakref__", "_native", "_reports", "_vertices")

    def __init__(
        self, mesh: Mesh, *, time: float = 1.0, solver: Literal["auto", "iterative", "direct"] = "auto"
    ) -> None:
        if not isinstance(mesh, Mesh):
            raise TypeError(f"mesh is a {type(mesh).__name__}: a Mesh is needed")
        self._native = NativeHeat(mesh._native, time, solver)
        self._vertices = mesh._native.sizes[0]
        self._reports: list[Report] = []

    def __repr__(self) -> str:
        return f"HeatMethod({self._vertices} vertices)"

    @property
    def reports(self) -> list[Report]:
        """What the last call has done, for each of its results: ``solver``, ``reason``, ``converged`` and others, as for
        :meth:`Mesh.geodesic` with ``heat``; empty before the first one."""
        return list(self._reports)

    def _found(self, found: tuple[npt.NDArray[np.float64], list[str]], *shape: int) -> npt.NDArray[np.float64]:
        numbers, reports = found
        self._reports = [Report._of(report) for report in reports]
        return numbers.reshape(shape)

    def distance(self, source: int | Iterable[int]) -> npt.NDArray[np.float64]:
        """The distance of each vertex from the nearest of one or several vertices: an array (n,), infinite where no path leads."""
        return self._found(self._native.distances([vertices_of("source", source)]), -1)

    def distances(self, sources: Iterable[int | Iterable[int]]) -> npt.NDArray[np.float64]:
        """Distances from each of several sources, each a vertex or several: an array (k, n), a row for each source. All rows are
        solved for together."""
        each = [vertices_of("sources", source) for source in sources]
        return self._found(self._native.distances(each), len(each), self._vertices)

    def transport(self, source: int | Iterable[int], vectors: Any) -> npt.NDArray[np.float64]:
        """Carry vectors from one or several vertices to all: each vertex gets that of the nearest source, along the shortest
        geodesic (Sharp, Soliman and Crane 2019).

        Parameters
        ----------
        source : int or several
        vectors : array (3,) or (k, 3)
            One for each source, in space; their parts outside of the tangent planes are dropped.

        Returns
        -------
        array (n, 3)
            0 0 0 where no path leads.
        """
        sources, rows = vertices_of("source", source), np.atleast_2d(np.asarray(vectors, dtype=np.float64))
        if rows.shape != (len(sources), 3):
            raise ArgumentError(f"vectors have {described(rows)}: the shape ({len(sources)}, 3) is needed")
        if not np.isfinite(rows).all():
            raise ArgumentError("vectors have numbers that are not finite")
        gifts = list(zip(sources, (tuple(row) for row in rows.tolist()), strict=True))
        return self._found(self._native.transport([gifts]), self._vertices, 3)

    def log_map(self, source: int) -> npt.NDArray[np.float64]:
        """The logarithmic map of a vertex: coordinates of each vertex by the axes of :meth:`basis` (Soliman and Sharp 2025), an array
        (n, 2); not a number where no path leads."""
        whole(source=source)
        return self._found(self._native.log_maps([source]), self._vertices, 2)

    def log_maps(self, sources: Iterable[int]) -> npt.NDArray[np.float64]:
        """The logarithmic maps of several vertices, an array (k, n, 2). All are solved for together."""
        each = vertices_of("sources", sources)
        return self._found(self._native.log_maps(each), len(each), self._vertices, 2)

    def signed_distance(self, curve: Iterable[int]) -> npt.NDArray[np.float64]:
        """Distances with a sign, from a curve along edges with these vertices, in order: positive on its right (Feng and Crane 2024).
        An array (n,). The curve is closed where its last vertex has an edge to the first one."""
        return self._found(self._native.signed(vertices_of("curve", curve)), -1)

    def basis(self, vertex: int) -> npt.NDArray[np.float64]:
        """Two directions at right angles that span the tangent plane of a vertex: an array (2, 3)."""
        whole(vertex=vertex)
        return self._native.basis(vertex)
