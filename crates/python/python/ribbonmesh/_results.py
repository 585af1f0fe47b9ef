"""What functions give back."""

from __future__ import annotations

import html
import importlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._native import DeviceArray, NativeReport

if TYPE_CHECKING:
    from ._mesh import Mesh


class Report(dict[str, Any]):
    """What a function has done and measured: a read-only dictionary whose entries are attributes, too.

    The entries are those of the command's JSON report; ``json.dumps`` writes them.

    Examples
    --------
    >>> import json
    >>> report = Report({"flips": 3, "blocked": {"topology": 1}})
    >>> report.flips, report["flips"], report.blocked.topology
    (3, 3, 1)
    >>> json.dumps(report)
    '{"flips": 3, "blocked": {"topology": 1}}'
    """

    __slots__ = ()

    def __init__(self, entries: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__({key: _nested(value) for key, value in entries.items()})

    @classmethod
    def _of(cls, given: NativeReport | str) -> Report:
        entries = json.loads(given if isinstance(given, str) else given.text())
        return cls(entries or {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the report has no {name!r}; it has {', '.join(self)}") from None

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a report does not change; dict(report) is a copy that does")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return f"Report({super().__repr__()})"

    def __reduce__(self) -> tuple[type[Report], tuple[dict[str, Any]]]:
        return Report, (dict(self),)


def _nested(value: Any) -> Any:
    if isinstance(value, dict):
        return Report(value)
    return [_nested(of) for of in value] if isinstance(value, list) else value


class Rows:
    """Neighbours of elements as compressed rows: row ``i`` is ``indices[offsets[i]:offsets[i + 1]]``.

    Attributes
    ----------
    offsets : int64 array of n + 1
    indices : int32 array
        Elements of the input, from 0; edges are numbered as in :attr:`Mesh.edges`. -1 stands for none.
    not_walkable : int64 array
        With ``oriented``: vertices around which no single walk leads; their rows ascend.
    """

    __slots__ = ("indices", "not_walkable", "offsets")

    def __init__(
        self,
        offsets: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        not_walkable: npt.NDArray[np.int64],
    ) -> None:
        self.offsets = offsets
        self.indices = indices
        self.not_walkable = not_walkable

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> npt.NDArray[np.int32]:
        n = len(self)
        if not -n <= row < n:
            raise IndexError(f"row {row} of {n}")
        row %= n
        return self.indices[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[np.int32]]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        return f"Rows({len(self)} rows, {len(self.indices)} entries)"


@dataclass(frozen=True, eq=False)
class DeviceCsr:
    """A sparse matrix of compressed rows whose arrays live on a device, each a :class:`DeviceArray`.

    Attributes
    ----------
    indptr : int32 array of rows + 1
        The first entry of each row, and the end.
    indices : int32 array
        Columns, which ascend in each row.
    data : float64 array
        Entries.
    shape : (int, int)

    Notes
    -----
    torch reads them without a copy: ``torch.sparse_csr_tensor(*map(torch.from_dlpack, (m.indptr, m.indices, m.data)), m.shape)``.
    """

    indptr: DeviceArray
    indices: DeviceArray
    data: DeviceArray
    shape: tuple[int, int]

    def to_scipy(self) -> Any:
        """A copy on the host: ``scipy.sparse.csr_array``."""
        return csr(self.data.numpy(), self.indices.numpy(), self.indptr.numpy(), self.shape)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"DeviceCsr({rows} × {columns}, {len(self.data)} entries of {self.data.dtype}, {self.data.device!r})"


@dataclass(frozen=True, eq=False)
class Energy:
    """An energy of a mesh with its derivatives by the positions of vertices.

    Attributes
    ----------
    value : float
        Infinite where an element is turned inside out and may not be; then the derivatives are those of the others.
    gradient : float64 array (n, 3)
        A :class:`DeviceArray` for a mesh whose arrays live on a device: ``torch.from_dlpack`` reads it without a copy.
    hessian : scipy.sparse.csr_array or DeviceCsr of float64, or None
        Row ``3 v + c`` belongs to coordinate ``c`` of vertex ``v``.
    """

    value: float
    gradient: Any
    hessian: Any

    def __repr__(self) -> str:
        return f"Energy({self.value:.6g}, {len(self.gradient)} vertices)"


def csr(data: Any, indices: Any, indptr: Any, shape: tuple[int, int]) -> Any:
    """A matrix of scipy, which the package does without otherwise."""
    return _scipy_sparse().csr_array((data, indices, indptr), shape=shape)


def diagonal_matrix(diagonal: Any) -> Any:
    """A diagonal matrix of scipy."""
    n = len(diagonal)
    return _scipy_sparse().dia_array((diagonal[None, :], [0]), shape=(n, n))


def _scipy_sparse() -> Any:
    try:
        return importlib.import_module("scipy.sparse")
    except ImportError:
        raise ImportError("matrices on the host are scipy's: pip install scipy") from None


@dataclass(frozen=True, eq=False)
class Values:
    """What an application has found without changing the mesh: attributes of vertices by name, points of curves."""

    arrays: dict[str, Any]
    curves: list[npt.NDArray[np.float64]]
    report: Report


@dataclass(frozen=True, eq=False)
class Curvature:
    """Curvatures of vertices, each an array of n float32 numbers.

    Attributes
    ----------
    gaussian_curvature : in 1/length²; 0 on the boundary
    mean_curvature : in 1/length; of a sphere with outward normals positive; 0 on the boundary
    geodesic_curvature : of the boundary within the surface, in 1/length; 0 elsewhere
    angle_defect : in radians
    vertex_area : in length²
    report : Report
        The sums, and the distribution of each curvature.
    """

    gaussian_curvature: Any
    mean_curvature: Any
    geodesic_curvature: Any
    angle_defect: Any
    vertex_area: Any
    report: Report

    @classmethod
    def _of(cls, found: Values) -> Curvature:
        return cls(**found.arrays, report=found.report)

    @property
    def principal(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The greater and the lesser principal curvature, in 1/length: ``H ± sqrt(H² - K)``; 0 on the boundary.

        Arrays of numpy. Where H² is less than K, by which rounding and coarse triangles make them differ, both are H.
        """
        mean, gaussian = (np.asarray(of, np.float64) for of in (self.mean_curvature, self.gaussian_curvature))
        root = np.sqrt(np.maximum(mean * mean - gaussian, 0.0))
        return (mean + root).astype(np.float32), (mean - root).astype(np.float32)


@dataclass(frozen=True, eq=False)
class GeodesicPath:
    """A shortest path on the surface.

    Attributes
    ----------
    to : the target vertex
    source : the vertex at which it begins; None if no path leads to the target
    length : in the units of the positions; None without a path
    points : float64 array (k, 3)
    """

    to: int
    source: int | None
    length: float | None
    points: npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Geodesic:
    """Geodesic distances.

    Attributes
    ----------
    distance : array of n
        float32, with ``exact``, ``heat``, ``signed`` and ``log_map`` float64; in the units of the positions; infinite where no path leads.
    paths : list of GeodesicPath
    report : Report
    nearest : int64 array of n, or None
        With ``nearest=True``: the source to which a walk along edges leads from each vertex, always to the neighbour whose distance with the
        edge is least; -1 where no path leads. Near the lines where two sources are equally far it may name either.
    log_map : float64 array (n, 2), or None
        With ``log_map=True``: coordinates in the tangent plane of the source; not a number where no path leads.
    """

    distance: Any
    paths: list[GeodesicPath]
    report: Report
    nearest: npt.NDArray[np.int64] | None = None
    log_map: npt.NDArray[np.float64] | None = None

    @classmethod
    def _of(cls, found: Values) -> Geodesic:
        ends = found.report.get("paths", [])
        paths = [GeodesicPath(of.to, of["from"], of.length, points) for of, points in zip(ends, found.curves, strict=True)]
        axes = [found.arrays.get(name) for name in ("log_x", "log_y")]
        log_map = None if axes[0] is None else np.stack([np.asarray(axis) for axis in axes], axis=1)
        return cls(found.arrays["distance"], paths, found.report, found.arrays.get("nearest_source"), log_map)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The lowest eigenvalues and eigenfunctions of a Laplacian.

    Attributes
    ----------
    eigenvalues : float64 array (k,)
        Ascending, in the units of an inverse area; a 0 for each component.
    eigenfunctions : float64 array (n, k)
        A column for each. The integral of the square of each is 1, that of a product of two is 0; their signs have no meaning.
    hks, wks : float64 array (n, columns), or None
        The heat kernel signature, and the wave kernel signature, if they were asked for.
    distance : float64 array (n,), or None
        The distance of each vertex from ``source``, if there is one.
    report : Report
        ``iterations``, ``residual``, ``converged``; with ``hks`` also ``times``, those of its columns.
    """

    eigenvalues: npt.NDArray[np.float64]
    eigenfunctions: npt.NDArray[np.float64]
    hks: npt.NDArray[np.float64] | None
    wks: npt.NDArray[np.float64] | None
    distance: npt.NDArray[np.float64] | None
    report: Report


@dataclass(frozen=True, eq=False)
class Texture:
    """A square texture.

    Attributes
    ----------
    values : float32 array (n, n, channels)
        The first row is at the second texture coordinate 0: ``values[::-1]`` is an image whose first row is at the top. 0 where
        there is nothing.
    covered : uint8 array (n, n)
        2 for texels whose centre is in a chart, 1 for those near one, 0 for those that got nothing.
    report : Report
        ``resolution``, ``channels``; ``texels`` in charts, and ``dilated`` ones around; whether colours are ``linear``, not sRGB.
    """

    values: npt.NDArray[np.float32]
    covered: npt.NDArray[np.uint8]
    report: Report


@dataclass(frozen=True, eq=False)
class Intrinsic:
    """An intrinsic triangulation of a mesh: other triangles of the same surface.

    Attributes
    ----------
    laplacian : scipy.sparse.csr_array or DeviceCsr of float64, (n, n)
        A row for each vertex of the mesh, then for each new one.
    mass_matrix : scipy.sparse.dia_array or DeviceArray of float64
        The masses of the same vertices.
    subdivision : Mesh
        Triangles that are each in one of the mesh and in one of the triangulation. Its first n vertices are those of the triangulation,
        so that its first ones are the mesh's.
    interpolation : scipy.sparse.csr_array of float64
        ``interpolation @ u`` has values at the vertices of ``subdivision``, for values u at those of the triangulation.
    report : Report
        ``inserted``, ``least_angle`` in degrees, ``refined``, ``left``, ``flips``, ``crossings``, and others.
    """

    laplacian: Any
    mass_matrix: Any
    subdivision: Mesh
    interpolation: Any
    report: Report


@dataclass(frozen=True, eq=False)
class Intersections:
    """Faces that intersect.

    Attributes
    ----------
    pairs : int64 array (k, 2)
        Faces, ascending. Of one mesh, the first is the lesser; of two, the second is of the other mesh.
    report : Report
        ``intersecting_pairs``, ``intersecting_faces``, and of two meshes ``intersecting_faces_of_other``.
    """

    pairs: npt.NDArray[np.int64]
    report: Report


@dataclass(frozen=True, eq=False)
class Inside:
    """Which points are inside; of points on a device the arrays are a :class:`DeviceArray` each.

    Attributes
    ----------
    inside : bool array
    winding : float32 array
        Winding numbers; by rays the crossings out of the mesh minus those into it.
    report : Report
        ``closed``: whether each edge has an even number of faces; ``points``, ``inside``: numbers.
    """

    inside: Any
    winding: Any
    report: Report


@dataclass(frozen=True, eq=False)
class Closest:
    """Closest points of a surface; of points on a device each a :class:`DeviceArray`, of float32 and int32.

    Attributes
    ----------
    points : float64 array (n, 3)
    faces : int64 array (n,)
        The face on which each lies, of several the lowest.
    normals : float32 array (n, 3)
        Unit normals of these faces; 0 of a face without area.
    distances : float32 array (n,)
    barycentric : float64 array (n, 3)
        Weights of the corners of these faces: not negative, 1 in all. ``(barycentric[:, :, None] * values[mesh.faces[faces]]).sum(1)``
        interpolates values of vertices.
    """

    points: Any
    faces: Any
    normals: Any
    distances: Any
    barycentric: Any


@dataclass(frozen=True, eq=False)
class Samples:
    """Random points of a surface.

    Attributes
    ----------
    points : float64 array (n, 3)
    faces : int64 array (n,)
        The face of each.
    barycentric : float64 array (n, 3)
        Weights of the face's corners.
    """

    points: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]
    barycentric: npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Solution:
    """The solution of a system.

    Attributes
    ----------
    x : array (n,)
    report : Report
        ``converged``, ``iterations``, ``residual``, and ``true_residual``, computed anew.
    """

    x: npt.NDArray[Any]
    report: Report


@dataclass(frozen=True)
class Page:
    """A page that shows a mesh, to be turned with the mouse. It needs no network. Notebooks show it.

    Attributes
    ----------
    html : str
    height : int
        Of the frame in a notebook, in pixels.
    """

    html: str
    height: int = 600

    def write(self, path: str | Path) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Page({len(self.html)} characters)"
