"""The mesh."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _arrays, _geometry, _native, _serve
from ._arguments import progress_of, whole
from ._columns import Columns
from ._errors import ArgumentError, MeshError
from ._generated import Applications
from ._native import NativeMesh, NativeReport
from ._results import (
    Closest,
    DeviceCsr,
    Energy,
    Inside,
    Intersections,
    Intrinsic,
    Page,
    Report,
    Rows,
    Samples,
    Spectrum,
    Texture,
    Values,
    csr,
    diagonal_matrix,
)
from ._serve import LiveView

if TYPE_CHECKING:
    from ._volume import Volume

Array: TypeAlias = Any
"""An array of numpy; of a mesh whose arrays live on a device, a :class:`DeviceArray`."""

Length: TypeAlias = float | str
"""A number in the units of the positions; ``"0.8x"`` mean edge lengths; ``"1%"`` of the diagonal of the bounding box."""

Progress: TypeAlias = Any
"""A function that is called with the number of kernels since the last call, or an object with such a function
``update``, such as ``tqdm()``."""

Path: TypeAlias = str | PathLike[str]

Format: TypeAlias = Literal["obj", "ply", "off", "stl", "glb"]
Op: TypeAlias = Literal["VV", "VE", "VF", "EV", "EF", "FV", "FE", "FF", "EE", "EVDiamond"]


def _mesh(name: str, value: object) -> NativeMesh:
    """The native part of what has to be a mesh."""
    if not isinstance(value, Mesh):
        raise TypeError(f"{name} is a {type(value).__name__}: a Mesh is needed")
    return value._native


def _only_with(option: str, given: bool, **others: bool) -> None:
    """Refuses options that mean something only with another one."""
    if given:
        return
    for name, is_given in others.items():
        if is_given:
            raise ArgumentError(f"{name} is for {option} only")


def _not_together(**options: bool) -> None:
    given = [name for name, is_given in options.items() if is_given]
    if len(given) > 1:
        raise ArgumentError(f"{given[0]} and {given[1]} exclude each other")


class Mesh(Applications):
    """Triangles that share vertices, with attributes. A mesh does not change: functions give new ones.

    Parameters
    ----------
    vertices : array (n, 3)
        Positions: any real type and layout; converted once, to float32 or float64. Or an array on a GPU, by DLPack or the
        CUDA array interface (float32): it is copied on the GPU, and the arrays of the mesh and of its results live there.
    faces : array (m, 3)
        Vertices of triangles, from 0, counterclockwise seen from outside: any integer type and layout.
    device : ``"auto"``, ``"cpu"``, ``"cuda"``, ``"cuda:1"``, ``"cuda:0-1"``, ``"cuda:all"``, …
        The machine for its work. ``"auto"`` is the first NVIDIA GPU, or the CPU if there is none; ``"cuda:all"`` is all
        GPUs of this host as one. The driver is loaded at the first work.
    patch_size : int, optional
        Most faces that a patch owns, 16 to 4096.
    seed : int, optional
        Seed of all random choices.
    vertex_attributes, face_attributes, corner_attributes : dict of arrays, optional
        Arrays (n,) or (n, 1 to 4) with a row per vertex, face, or corner (three per face). ``normal``, ``color``, ``uv`` and
        ``quality`` mean what they say; others follow changes by interpolation, integers from the nearest element.

    Attributes
    ----------
    vertices : array (n, 3)
        float32 or float64 as given, read-only.
    faces : int32 array (m, 3)
        Read-only.
    report : Report
        What the function that made this mesh has done; empty if there was none.

    Raises
    ------
    ArgumentError
        An array has the wrong shape or type.
    MeshError
        A face has a vertex that is not there, or a vertex a coordinate that is not finite; the exception names it.

    Examples
    --------
    >>> import numpy as np
    >>> import ribbonmesh as rm
    >>> mesh = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], "cpu")
    >>> mesh
    Mesh(4 vertices, 4 faces, device='cpu')
    >>> mesh.vertices.dtype, mesh.faces.dtype
    (dtype('float64'), dtype('int32'))
    >>> rm.Mesh(mesh.vertices, [[0, 1, 9]], "cpu")
    Traceback (most recent call last):
    ...
    ribbonmesh._errors.MeshError: face 0 has vertex index 9, out of range (of 4 vertices)
    """

    __slots__ = ("__weakref__", "_device", "_native", "_report")

    _native: NativeMesh
    # not read until somebody asks for it: to read the report of a thousand holes takes milliseconds
    _report: Report | NativeReport | str
    _device: str

    def __init__(
        self,
        vertices: object,
        faces: object,
        device: str = "auto",
        *,
        patch_size: int | None = None,
        seed: int | None = None,
        vertex_attributes: Mapping[str, object] | None = None,
        face_attributes: Mapping[str, object] | None = None,
        corner_attributes: Mapping[str, object] | None = None,
    ) -> None:
        whole(16, 4096, patch_size=patch_size)
        whole(0, 2**64 - 1, seed=seed)
        homes = _arrays.device_of(vertices), _arrays.device_of(faces)
        if homes == (None, None):
            native = NativeMesh.of_arrays(
                _arrays.points(vertices, "vertices"), _arrays.faces(faces), device, patch_size, seed
            )
        elif None in homes:
            words = ["the host" if home is None else home for home in homes]
            raise ArgumentError(f"vertices live on {words[0]} and faces on {words[1]}: both have to live on one of them")
        else:
            if device == "auto":
                device = homes[0] or device
            native = NativeMesh.of_device(vertices, faces, device, patch_size, seed)
        self._set(native, Report({}), device)
        if vertex_attributes or face_attributes or corner_attributes:
            with_attributes = self.with_attributes(
                vertex=vertex_attributes, face=face_attributes, corner=corner_attributes
            )
            self._native = with_attributes._native

    def _set(self, native: NativeMesh, report: Report | NativeReport | str, device: str) -> None:
        self._native = native
        self._report = report
        self._device = device

    @classmethod
    def _of(cls, native: NativeMesh, report: Report | NativeReport | str, device: str) -> Mesh:
        mesh = cls.__new__(cls)
        mesh._set(native, report, device)
        return mesh

    def _made(self, made: tuple[NativeMesh, NativeReport | str]) -> Mesh:
        native, report = made
        return self._of(native, report, self._device)

    def _apply(self, name: str, progress: Progress, options: dict[str, object], others: tuple[Mesh, ...] = ()) -> Mesh:
        natives = [_mesh("other", mesh) for mesh in others]
        made, _, _, report = _native.run(name, self._native, natives, options, progress_of(progress))
        return self._made((self._native if made is None else made, report))

    def _values(self, name: str, options: dict[str, object]) -> Values:
        _, arrays, curves, report = _native.run(name, self._native, [], options, None)
        return Values(arrays, curves, Report._of(report))

    # what it is

    @property
    def vertices(self) -> Array:
        """Positions: an array (n, 3) of float32 or float64, read-only. No copy of float64; of float32 one, once."""
        return self._native.vertices

    @property
    def faces(self) -> Array:
        """Vertices of triangles: an int32 array (m, 3), read-only and not a copy."""
        return self._native.faces

    @property
    def edges(self) -> npt.NDArray[np.int32]:
        """The two vertices of each edge: an int32 array (k, 2), the lesser first, in ascending order."""
        return _native.edges(self._native)

    @property
    def report(self) -> Report:
        """What the function that made this mesh has done."""
        if not isinstance(self._report, Report):
            self._report = Report._of(self._report)
        return self._report

    @property
    def device(self) -> str:
        """The machine for its work, as it was asked for."""
        return self._device

    @property
    def on_device(self) -> bool:
        """Whether its arrays, and those of its results, live on the device."""
        return self._native.resident

    @property
    def vertex_attributes(self) -> Mapping[str, npt.NDArray[Any]]:
        """Attributes of vertices by name."""
        return Columns(self._native.attributes, self._native.attribute, "vertex")

    @property
    def face_attributes(self) -> Mapping[str, npt.NDArray[Any]]:
        """Attributes of faces by name."""
        return Columns(self._native.attributes, self._native.attribute, "face")

    @property
    def corner_attributes(self) -> Mapping[str, npt.NDArray[Any]]:
        """Attributes of corners by name: corner ``i`` of face ``f`` is row ``3 f + i``."""
        return Columns(self._native.attributes, self._native.attribute, "corner")

    def __len__(self) -> int:
        return self._native.sizes[1]

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        vertices, faces = self._native.sizes
        return f"Mesh({vertices} vertices, {faces} faces, device={self._device!r})"

    def __reduce__(self) -> tuple[Callable[..., Mesh], tuple[Any, ...]]:
        host = self.to_host()
        attributes = tuple(
            {name: np.array(array) for name, array in of.items()}
            for of in (host.vertex_attributes, host.face_attributes, host.corner_attributes)
        )
        return _unpickled, (np.array(host.vertices), np.array(host.faces), self._device, attributes, self.report)

    # where it is

    def to(self, device: str) -> Mesh:
        """The same mesh for the work of another device; its arrays are numpy's."""
        return self._of(self._native.to(device), self._report, device)

    def to_device(self) -> Mesh:
        """The same mesh with its arrays, and those of its results, on its device: :class:`DeviceArray`."""
        return self._of(self._native.moved(True), self._report, self._device)

    def to_host(self) -> Mesh:
        """The same mesh with arrays of numpy."""
        return self._of(self._native.moved(False), self._report, self._device) if self.on_device else self

    def with_attributes(
        self,
        *,
        vertex: Mapping[str, object] | None = None,
        face: Mapping[str, object] | None = None,
        corner: Mapping[str, object] | None = None,
    ) -> Mesh:
        """The same mesh with attributes put in, or taken out where the value is None.

        Parameters
        ----------
        vertex, face, corner : dict, optional
            Arrays (n,) or (n, 1 to 4) by name, with a row per element: of the host, or of a device, from which they are copied
            to the host, where attributes live.

        Raises
        ------
        ArgumentError
            An array has another number of rows, or no type of numbers.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 1, device="cpu")
        >>> ball.with_attributes(vertex={"height": ball.vertices[:, 2]}).vertex_attributes
        {'height': float32 (42,)}
        """
        changes: dict[str, dict[str, npt.NDArray[Any] | None]] = {}
        for element, given in (("vertex", vertex), ("face", face), ("corner", corner)):
            values = {
                name: None if of is None else _arrays.attribute(of, name) for name, of in (given or {}).items()
            }
            changes[element] = values
        return self._of(self._native.with_attributes(changes), self._report, self._device)

    def write(self, path: Path, *, format: Format | None = None, ascii: bool = False) -> list[str]:
        """Writes the mesh to a file, whose name says the format: OBJ, PLY, OFF, STL, GLB or glTF, also ``.gz`` and ``.zst``.

        The file is replaced only when it is complete.

        Parameters
        ----------
        path : str or path
        format : ``"obj"``, ``"ply"``, ``"off"``, ``"stl"``, ``"glb"``, ``"gltf"``, optional
            Where the name says none.
        ascii : bool
            Text instead of binary, for PLY and STL.

        Returns
        -------
        list of str
            What the format cannot hold, in words.

        Raises
        ------
        WriteError
            The file cannot be written.
        """
        return _native.write(self._native, fspath(path), format, ascii)

    # what it is like

    def info(self, *, intersections: bool = False) -> Report:
        """Sizes, defects, topology and shape, as ``ribbonmesh info --json``.

        Parameters
        ----------
        intersections : bool
            Also ``intersecting_pairs`` and ``intersecting_faces``.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> figures = rm.generate("torus", 20, device="cpu").info()
        >>> figures.genus, figures.euler_characteristic, figures.boundary_edges
        (1, 0, 0)
        """
        return Report._of(_native.info(self._native, intersections))

    def query(self, op: Op, *, oriented: bool = False) -> Rows:
        """The neighbours of every element.

        Parameters
        ----------
        op : ``"VV"``, ``"VE"``, ``"VF"``, ``"EV"``, ``"EF"``, ``"FV"``, ``"FE"``, ``"FF"``, ``"EE"`` or ``"EVDiamond"``
            The first letter is the element that has rows, the second what they hold.
        oriented : bool
            VV, VE and VF in the order of a walk around the vertex, counterclockwise: from the boundary if there is one, else
            from the lowest neighbour.

        Returns
        -------
        Rows
            Ascending; FV and FE in the order of the corners; EVDiamond: two vertices and the opposite ones, -1 for none.

        Raises
        ------
        NotManifoldError
            EVDiamond of an edge with more than two faces.
        MeshError
            A vertex has too many faces for a patch.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> rows = rm.generate("icosphere", 0, device="cpu").query("VV")
        >>> len(rows), len(rows[0])
        (12, 5)
        """
        offsets, indices, not_walkable = _native.query(self._native, op, oriented)
        return Rows(offsets, indices, not_walkable)

    def intersections(self, other: Mesh | None = None) -> Intersections:
        """The pairs of faces that intersect: of this mesh, or of this one and another. Exact for positions in float32.

        Parameters
        ----------
        other : Mesh, optional

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 2, device="cpu")
        >>> len(ball.intersections().pairs)
        0
        >>> moved = rm.Mesh(ball.vertices + 0.5, ball.faces, "cpu")
        >>> ball.intersections(moved).report.intersecting_pairs > 0
        True
        """
        native = None if other is None else _mesh("other", other)
        pairs, report = _native.intersections(self._native, native)
        return Intersections(pairs, Report._of(report))

    def inside(self, points: object, *, method: Literal["winding", "rays"] = "winding", beta: float = 2.0, exact: bool = False) -> Inside:
        """Which points are inside.

        Parameters
        ----------
        points : array (k, 3)
            Of points on a device, which are float32, nothing goes through the host: the results are a :class:`DeviceArray` each.
        method : ``"winding"`` or ``"rays"``
            By the generalised winding number (more than one half, or less than minus one half), also with holes; or exactly by
            crossings of a ray, for closed meshes.
        beta : float
            Faces count together where they are farther away than this many of their radii; at least 1.
        exact : bool
            Adds up all faces for each point.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> rm.generate("icosphere", 2, device="cpu").inside([[0, 0, 0], [2, 0, 0]]).inside
        array([ True, False])
        """
        found: tuple[Any, Any, str]
        if _arrays.device_of(points) is None:
            found = _native.inside(self._native, _arrays.points(points), method, beta, exact)
        else:
            found = _native.inside_on_device(self._native, points, method, beta, exact)
        return Inside(found[0], found[1], Report._of(found[2]))

    def distance(self, other: Mesh, *, samples: int = 500_000, progress: Progress = None) -> Report:
        """The distance from another surface, from vertices and random points, both ways.

        Parameters
        ----------
        other : Mesh
        samples : int
            Random points of each surface.

        Returns
        -------
        Report
            ``a_to_b``, ``b_to_a``, ``symmetric``: ``hausdorff``, ``mean``, ``rms``; ``diagonal`` of this mesh; ``relative``.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 2, device="cpu")
        >>> ball.distance(ball, samples=1000).symmetric.hausdorff < 1e-6
        True
        """
        whole(0, 2**31 - 1, samples=samples)
        return Report._of(
            _native.distance(self._native, _mesh("other", other), samples, progress_of(progress))
        )

    def closest(self, points: object) -> Closest:
        """The closest point of the surface to each of several points: an array (k, 3), of the host or on a device.

        With the face of each, and the weights of its corners. Distances are computed in single precision relative to the mesh, whose search
        tree is kept with it. Of points on a device, which are float32, nothing goes through the host: the results are a
        :class:`DeviceArray` each.

        Raises
        ------
        ArgumentError
            A point is not finite, or too far away for single precision; ``point`` says which.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> square = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], "cpu")
        >>> square.closest([[0.25, 0.25, 2.0]]).points
        array([[0.25, 0.25, 0.  ]])
        >>> square.closest([[0.25, 0.25, 2.0]]).barycentric
        array([[0.5 , 0.25, 0.25]])
        """
        if _arrays.device_of(points) is None:
            return Closest(*_native.closest(self._native, _arrays.points(points)))
        return Closest(*_native.closest_on_device(self._native, points))

    def laplacian(self, *, extrinsic: bool = False, mollify: float = 1e-5, max_rounds: int = 10_000) -> Any:
        """The Laplacian of any triangles: cotangents of an intrinsic Delaunay triangulation of the tufted cover (Sharp and Crane 2020).

        Rows and columns are vertices. The matrix is symmetric and positive semidefinite, and its rows add up to 0; with boundary, edges of
        several faces and faces without area it has no positive entry beside the diagonal, but for rounding. It is that of
        ``robust_laplacian.mesh_laplacian``.

        Parameters
        ----------
        extrinsic : bool
            Cotangents of the triangles as they are: no longer lengths, no flips.
        mollify : float
            Least length by which two sides of a triangle exceed the third, as a part of the mean length of edges, 0 to 1.
        max_rounds : int
            Most rounds of flips.

        Returns
        -------
        scipy.sparse.csr_array of float64
            Of a mesh whose arrays live on a device, a :class:`DeviceCsr`.

        Raises
        ------
        MeshError
            The triangulation is not Delaunay after ``max_rounds``.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu")
        >>> ball.to_device().laplacian()
        DeviceCsr(642 × 642, 4482 entries of float64, 'cpu')
        """
        whole(0, 2**32 - 1, max_rounds=max_rounds)
        arrays, report = _native.laplacian(self._native, extrinsic, mollify, max_rounds)
        if not extrinsic and not Report._of(report).delaunay:
            raise MeshError(f"the triangulation is not Delaunay after {max_rounds} rounds: max_rounds allows more")
        n = self._native.sizes[0]
        return self._matrix(arrays, (n, n))

    def mass_matrix(
        self,
        *,
        masses: Literal["lumped", "voronoi"] = "lumped",
        extrinsic: bool = False,
        mollify: float = 1e-5,
        max_rounds: int = 10_000,
    ) -> Any:
        """The mass matrix that belongs to :meth:`laplacian`, whose triangulation it makes again: diagonal, in squared units of the positions.

        Parameters
        ----------
        masses : ``"lumped"`` or ``"voronoi"``
            A third of each triangle at the vertex, or the cell of the points that are nearest to it.
        extrinsic, mollify, max_rounds
            As for :meth:`laplacian`.

        Returns
        -------
        scipy.sparse.dia_array of float64
            Of a mesh whose arrays live on a device, the diagonal as a :class:`DeviceArray`.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu")
        >>> bool(abs(ball.to_device().mass_matrix().numpy().sum() - ball.face_areas().sum()) < 0.01)
        True
        """
        whole(0, 2**32 - 1, max_rounds=max_rounds)
        diagonal = _native.mass(self._native, masses, extrinsic, mollify, max_rounds)
        return diagonal if self.on_device else diagonal_matrix(diagonal)

    def intrinsic(
        self,
        *,
        min_angle: float = 0.0,
        masses: Literal["lumped", "voronoi"] = "lumped",
        mollify: float = 1e-5,
        max_insertions: int = 10_000_000,
    ) -> Intrinsic:
        """An intrinsic Delaunay triangulation that knows where it is on the mesh, with new vertices so that no angle is small.

        The surface stays what it is; new vertices are places on faces of the mesh (Gillespie, Sharp and Crane 2021).

        Parameters
        ----------
        min_angle : float
            The least angle in degrees, 0 to 30; 0 adds no vertices. Triangles at a sharp cone may have smaller ones.
        masses : ``"lumped"`` or ``"voronoi"``
            As for :meth:`mass_matrix`.
        mollify : float
            As for :meth:`laplacian`.
        max_insertions : int
            New vertices at most.

        Raises
        ------
        MeshError
            An angle is still smaller after ``max_insertions``, or since rounding hides the place of a further vertex.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> found = rm.generate("bumpy-sphere", 3, device="cpu").intrinsic(min_angle=30)
        >>> found.report.least_angle >= 30
        True
        >>> found.interpolation.shape == (len(found.subdivision.vertices), found.laplacian.shape[0])
        True
        """
        whole(0, 2**64 - 1, max_insertions=max_insertions)
        arrays, diagonal, carried, points, faces, text = _native.intrinsic(
            self._native, min_angle, masses, mollify, max_insertions
        )
        report = Report._of(text)
        if not report.refined:
            more = "max_insertions allows more" if report.inserted == max_insertions else "rounding hides the place of more"
            raise MeshError(f"the least angle is {report.least_angle:.1f} degrees after {report.inserted} new vertices: {more}")
        n, subdivision = report.vertices, Mesh(points, faces, self._device)
        if self.on_device:
            subdivision = subdivision.to_device()
        indptr, indices, data = carried
        return Intrinsic(
            self._matrix(arrays, (n, n)),
            diagonal if self.on_device else diagonal_matrix(diagonal),
            subdivision,
            csr(data, indices, indptr, (len(points), n)),
            report,
        )

    def gradient(self) -> Any:
        """The gradient of functions with a value at each vertex, linear on faces: ``(mesh.gradient() @ u).reshape(-1, 3)`` has a row for each face.

        A face without area has zeros, and one that has a vertex twice no entries.

        Returns
        -------
        scipy.sparse.csr_array of float64, (3 m, n)
            Of a mesh whose arrays live on a device, a :class:`DeviceCsr`.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> triangle = rm.Mesh([[0, 0, 0], [2, 0, 0], [0, 1, 0]], [[0, 1, 2]], "cpu")
        >>> triangle.to_device().gradient().data.numpy().reshape(3, 3) + 0.0
        array([[-0.5,  0.5,  0. ],
               [-1. ,  0. ,  1. ],
               [ 0. ,  0. ,  0. ]])
        """
        n, m = self._native.sizes
        return self._matrix(_native.gradient(self._native), (3 * m, n))

    def spectrum(
        self,
        count: int = 100,
        *,
        tolerance: float = 1e-6,
        max_iterations: int = 200,
        masses: Literal["lumped", "voronoi"] = "lumped",
        hks: int | None = None,
        wks: int | None = None,
        source: int | None = None,
        distance: Literal["biharmonic", "commute"] = "biharmonic",
    ) -> Spectrum:
        """The lowest eigenvalues and eigenfunctions of the Laplacian of any triangles, that of :meth:`laplacian` with :meth:`mass_matrix`.

        Parameters
        ----------
        count : int
            Eigenpairs, from the lowest on; a 0 for each component comes first.
        tolerance : float
            The residual of each pair, as a part of its eigenvalue, above 0 and below 1.
        max_iterations : int
            Iterations at most.
        masses : ``"lumped"`` or ``"voronoi"``
            As for :meth:`mass_matrix`.
        hks : int, optional
            Also the heat that stays at each vertex after so many times, from short to long (Sun, Ovsjanikov and Guibas 2009).
        wks : int, optional
            Also the part of waves at each vertex by so many energies, from low to high (Aubry, Schlickewei and Cremers 2011).
        source : int, optional
            Also the distance of each vertex from this one in the space of eigenfunctions.
        distance : ``"biharmonic"`` or ``"commute"``
            The biharmonic distance (Lipman, Rustamov and Funkhouser 2010), or that of a random walk there and back.

        Returns
        -------
        Spectrum
            Arrays of numpy, also of a mesh whose arrays live on a device.

        Raises
        ------
        MeshError
            A pair is not within ``tolerance`` after ``max_iterations``; the mesh has no area.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> found = rm.generate("icosphere", 4, device="cpu").spectrum(9)
        >>> found.eigenvalues.round(1)
        array([0., 2., 2., 2., 6., 6., 6., 6., 6.])
        >>> found.eigenfunctions.shape
        (2562, 9)
        """
        whole(1, 2**32 - 1, count=count)
        whole(0, 2**32 - 1, max_iterations=max_iterations)
        whole(1, 10_000, hks=hks, wks=wks)
        whole(0, 2**32 - 1, source=source)
        values, functions, heat, wave, far, text = _native.spectrum(
            self._native, count, tolerance, max_iterations, masses, hks, wks, source, distance
        )
        report = Report._of(text)
        if report.converged < count:
            raise MeshError(
                f"{count - report.converged} of {count} eigenpairs are not within the tolerance after {max_iterations} iterations: "
                "max_iterations allows more"
            )
        return Spectrum(values, functions, heat, wave, far, report)

    def bake(
        self,
        source: Mesh,
        of: str = "color",
        *,
        resolution: int = 1024,
        dilate: int = 4,
        max_distance: float | None = None,
    ) -> Texture:
        """A texture for this mesh, which has texture coordinates, from the colours, normals or values of another one.

        Each texel gets the values of the point of the other mesh that is nearest to the point of this one there.

        Parameters
        ----------
        source : Mesh
            The mesh with the values.
        of : str
            ``"color"``, 0 to 1; ``"normal"``, unit normals in the space of the meshes; ``"tangent-normal"``, in the tangent space of
            this mesh; or the name of an attribute of the other mesh's vertices, faces or corners.
        resolution : int
            Side of the texture in texels, up to 32,768.
        dilate : int
            Texels around charts that get values as well, up to 256.
        max_distance : float, optional
            Leave texels that are farther from the other mesh.

        Returns
        -------
        Texture
            Arrays of numpy, also of a mesh whose arrays live on a device.

        Raises
        ------
        MeshError
            This mesh has no texture coordinates: :meth:`unwrap` gives it some. The other one has no such values.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> fine = rm.generate("icosphere", 4, device="cpu")
        >>> coarse = rm.generate("icosphere", 2, device="cpu").unwrap()
        >>> coarse.bake(fine, "normal", resolution=64).values.shape
        (64, 64, 3)
        """
        whole(1, 32_768, resolution=resolution)
        whole(0, 256, dilate=dilate)
        values, covered, text = _native.bake(
            self._native, _mesh("source", source), of, resolution, dilate, max_distance
        )
        return Texture(values, covered, Report._of(text))

    def _matrix(self, arrays: tuple[Any, Any, Any], shape: tuple[int, int]) -> Any:
        indptr, indices, data = arrays
        if self.on_device:
            return DeviceCsr(indptr, indices, data, shape)
        return csr(data, indices, indptr, shape)

    def energy(
        self,
        name: Literal["springs", "symmetric-dirichlet", "arap"],
        positions: Any,
        *,
        stiffness: float = 1.0,
        hessian: bool = False,
        project: bool = False,
    ) -> Energy:
        """An energy of other positions of the vertices, with its derivatives; the mesh is at rest as it is.

        What the energy needs of the mesh is made by the first call, and kept with the mesh for the next ones. Derivatives are
        in double precision, exact but for rounding, and have the same bits in every run.

        Parameters
        ----------
        name : ``"springs"``, ``"symmetric-dirichlet"`` or ``"arap"``
            Springs along edges: the sum of ``stiffness / 2 (l / L - 1)² L`` over lengths ``l`` that were ``L``. The symmetric
            Dirichlet energy of a map of faces to the plane of x and y, which is least for a map that keeps lengths, and infinite
            where a face is turned over. As rigid as possible over spokes and rims, with rotations that follow the positions.
        positions : array (n, 3), of a map to the plane also (n, 2)
            Of a mesh whose arrays live on a device, a float32 or float64 array (n, 3) there, such as a tensor of torch, which a GPU
            reads without a copy.
        stiffness : float
            Of springs: the force of one of twice its length.
        hessian : bool
            Also the second derivatives; those of ``"arap"`` with rotations as they are.
        project : bool
            Second derivatives of each edge or face without negative eigenvalues, as Newton's method needs them.

        Returns
        -------
        Energy

        Raises
        ------
        MeshError
            A face without area, or an edge without length; the message names it.

        Examples
        --------
        >>> import numpy as np, ribbonmesh as rm
        >>> mesh = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], device="cpu")
        >>> twice = mesh.energy("symmetric-dirichlet", 2 * np.asarray(mesh.vertices))
        >>> twice.value  # half of 4 + 4 + 1/4 + 1/4
        4.25
        >>> twice.gradient[1].tolist()[:2]
        [1.875, 0.0]
        """
        if not self.on_device:
            array = np.asarray(positions)
            if array.ndim == 2 and array.shape[1] == 2:
                positions = np.pad(array, ((0, 0), (0, 1)))
            positions = _arrays.points(positions, "positions")
        value, gradient, arrays = _native.energy(self._native, name, positions, stiffness, hessian, project)
        n = 3 * self._native.sizes[0]
        return Energy(value, gradient, None if arrays is None else self._matrix(arrays, (n, n)))

    def face_normals(self) -> npt.NDArray[np.float64]:
        """Unit normals of faces, counterclockwise: an array (m, 3); 0 0 0 of a face without area."""
        return _geometry.normals_and_areas(self._corners())[0]

    def face_areas(self) -> npt.NDArray[np.float64]:
        """Areas of faces, in squared units of the positions: an array (m,)."""
        return _geometry.normals_and_areas(self._corners())[1]

    def _corners(self) -> npt.NDArray[np.float64]:
        host = self.to_host()
        return _geometry.corners(host.vertices, host.faces)

    def sample(self, count: int, *, seed: int = 0) -> Samples:
        """Random points, uniform by area: one in each of ``count`` parts of equal area, in the order of the faces.

        Parameters
        ----------
        count : int
        seed : int
            The same seed gives the same points.

        Raises
        ------
        MeshError
            The surface has no area.

        Examples
        --------
        >>> import numpy as np, ribbonmesh as rm
        >>> found = rm.generate("icosphere", 3, device="cpu").sample(1000, seed=1)
        >>> found.points.shape, bool(np.allclose(found.barycentric.sum(1), 1))
        ((1000, 3), True)
        """
        whole(count=count)
        whole(0, 2**64 - 1, seed=seed)
        corners = self._corners()
        areas = _geometry.normals_and_areas(corners)[1]
        if not areas.sum() > 0:
            raise MeshError("the surface has no area to sample")
        if count == 0:
            return Samples(np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros((0, 3)))
        return Samples(*_geometry.sample(corners, areas, count, seed))

    def transfer(self, source: Mesh, *names: str) -> Mesh:
        """This mesh with the attributes of another one, at the closest points of its surface.

        Vertices get the values at the closest point to them: real numbers interpolated, others of the nearest corner. Faces get those of the face
        that is closest to their middle. Attributes of corners are left out.

        Parameters
        ----------
        source : Mesh
        *names : str
            Of attributes of vertices or faces; default: all but normals.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu")
        >>> ball = ball.with_attributes(vertex={"height": ball.vertices[:, 2]})
        >>> coarse = ball.simplify(100).with_attributes(vertex={"height": None}).transfer(ball, "height")
        >>> bool(abs(coarse.vertex_attributes["height"] - coarse.vertices[:, 2]).max() < 0.05)
        True
        """
        _mesh("source", source)
        of_vertices, of_faces = source.vertex_attributes, source.face_attributes
        unknown = [name for name in names if name not in of_vertices and name not in of_faces]
        if unknown:
            raise ArgumentError(f"source has no attribute {unknown[0]!r} of vertices or faces")
        wanted = set(names) if names else {*of_vertices, *of_faces} - {"normal"}
        vertex: dict[str, object] = {}
        face: dict[str, object] = {}
        corners = np.asarray(source.to_host().faces)
        if any(name in wanted for name in of_vertices):
            found = source.closest(np.asarray(self.to_host().vertices))
            for name in (name for name in of_vertices if name in wanted):
                vertex[name] = _geometry.mixed(of_vertices[name], corners[found.faces], found.barycentric)
        if any(name in wanted for name in of_faces):
            nearest = source.closest(self._corners().mean(axis=1)).faces
            face = {name: of_faces[name][nearest] for name in of_faces if name in wanted}
        return self.with_attributes(vertex=vertex, face=face)

    def transform(self, matrix: object) -> Mesh:
        """The mesh after an affine map. Normals follow, and a mirror image has its faces turned.

        Parameters
        ----------
        matrix : array (4, 4) or (3, 4)
            Of homogeneous coordinates: positions become ``matrix[:3, :3] @ p + matrix[:3, 3]``.

        Raises
        ------
        ArgumentError
            The matrix is singular, or no affine map.
        """
        try:
            rows = _geometry.affine(matrix)
        except (TypeError, ValueError) as error:
            raise ArgumentError(str(error)) from None
        return self._of(self._native.transformed(rows.tolist()), self._report, self._device)

    def submesh(self, faces: object) -> Mesh:
        """Some faces, with the vertices that they have and all attributes, in the order that is given.

        Parameters
        ----------
        faces : integers (k,), or bool array (m,)
        """
        chosen = np.asarray(faces)
        if chosen.dtype.kind == "b":
            if chosen.shape != (len(self),):
                raise ArgumentError(f"faces have {_arrays.described(chosen)}: ({len(self)},) is needed of bools")
            chosen = np.flatnonzero(chosen)
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise ArgumentError(f"faces have {_arrays.described(chosen)}: integers of the shape (k,) are needed")
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < len(self):
            wrong = chosen[(chosen < 0) | (chosen >= len(self))][0]
            raise ArgumentError(f"face {wrong}: the mesh has {len(self)} faces, numbered from 0")
        return self._of(self._native.part([int(face) for face in chosen]), Report({}), self._device)

    def components(self) -> npt.NDArray[np.int32]:
        """The component of each face, from 0 in the order of their first faces: faces that share an edge have the same."""
        return self._native.components()

    def split(self) -> list[Mesh]:
        """The components, each a mesh with its attributes: faces that are connected by shared edges.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 1, device="cpu")
        >>> two = rm.concatenate([ball, ball.transform([[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0]])])
        >>> two.split()
        [Mesh(42 vertices, 80 faces, device='cpu'), Mesh(42 vertices, 80 faces, device='cpu')]
        """
        label = self.components()
        order = np.argsort(label, kind="stable")
        ends = np.cumsum(np.bincount(label)) if len(label) else np.zeros(0, np.int64)
        return [self.submesh(part) for part in np.split(order, ends[:-1])] if len(label) else []

    def tetrahedralize(
        self,
        *,
        size: float | None = None,
        cells: int | None = None,
        inside: Literal["winding", "parity"] = "winding",
        faces: bool = False,
        no_checks: bool = False,
        progress: Progress = None,
    ) -> Volume:
        """Fills the closed surface with tetrahedra, by isosurface stuffing (Labelle and Shewchuk 2007).

        Dihedral angles are between 10.7 and 164.8 degrees. Sharp edges are cut off, and what is thinner than cells is lost.

        Parameters
        ----------
        size, cells : float, int
            The length of the lattice's long edges, or about so many tetrahedra. One of them is needed.
        inside : ``"winding"`` or ``"parity"``
            Where the winding number is not 0, or where a ray crosses the surface an odd number of times.
        faces : bool
            Lists the triangles around the volume, with the nearest face of the surface as ``surface_face``.
        no_checks : bool
            Does not look for faces that intersect.

        Raises
        ------
        MeshError
            The surface is not closed.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> volume = rm.generate("icosphere", 2, device="cpu").tetrahedralize(size=0.4)
        >>> 3.5 < volume.info().total_volume < 4.2
        True
        """
        from ._volume import Volume

        whole(1, 2**63, cells=cells)
        native, report = _native.tetrahedralize(
            self._native, size, cells, inside, faces, no_checks, progress_of(progress)
        )
        return Volume._of(native, Report._of(report), self._device)

    # what it looks like

    def _picture(self, html: bool, title: str, options: Mapping[str, Any]) -> bytes:
        chosen = {**_VIEW, **options}
        unknown = [name for name in options if name not in _VIEW]
        try:
            width, height = chosen["size"]
        except (TypeError, ValueError):
            raise ArgumentError(f"size is {chosen['size']!r}: two numbers of pixels are needed") from None
        whole(1, 2**16, width=width, height=height)
        if unknown:
            raise TypeError(f"unknown option {unknown[0]!r}; there are {', '.join(_VIEW)}")
        _not_together(scalar=chosen["scalar"] is not None, patches=chosen["patches"], normals=chosen["normals"])
        _only_with("scalar", chosen["scalar"] is not None, colormap=chosen["colormap"] is not None)
        _only_with("scalar", chosen["scalar"] is not None, range=chosen["range"] is not None)
        _only_with("patches=True", chosen["patches"], ribbons=chosen["ribbons"])
        return _native.render(self._native, html, title, **chosen)

    def render(
        self,
        path: Path | None = None,
        *,
        scalar: str | None = None,
        colormap: Literal["viridis", "magma", "coolwarm"] | None = None,
        range: tuple[float | str, float | str] | None = None,
        patches: bool = False,
        ribbons: bool = False,
        normals: bool = False,
        edges: bool = False,
        flat: bool = False,
        size: tuple[int, int] = (1200, 900),
        view: str = "front",
        up: Literal["x", "y", "z", "-x", "-y", "-z"] = "y",
        perspective: bool = False,
        transparent: bool = False,
    ) -> bytes:
        """A picture: the bytes of a PNG file.

        Parameters
        ----------
        path : str or path, optional
            A file for it, too.
        scalar : str, optional
            Colours by a number per vertex: an attribute, a component of a vector (``force_x``, ``nx``), or ``x``, ``y``, ``z``.
        colormap : ``"viridis"``, ``"magma"`` or ``"coolwarm"``, optional
        range : pair, optional
            Numbers at the ends of the colours, or percentages of the vertices: ``("2%", "98%")``.
        patches, ribbons, normals : bool
            Colours by patches, lighter in ribbons; by the direction of the normal.
        edges, flat : bool
        size : (int, int)
            Pixels.
        view : str
            ``"front"``, ``"back"``, ``"left"``, ``"right"``, ``"top"``, ``"bottom"``, ``"iso"``, or ``"30,20"``: degrees to the
            right of the front and above the horizon.
        up : ``"x"``, ``"y"``, ``"z"``, ``"-x"``, ``"-y"`` or ``"-z"``
        perspective, transparent : bool

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> rm.generate("torus", 20, device="cpu").render(size=(80, 60), view="iso")[:4]
        b'\\x89PNG'
        """
        options = {
            "scalar": scalar,
            "colormap": colormap,
            "range": range,
            "patches": patches,
            "ribbons": ribbons,
            "normals": normals,
            "edges": edges,
            "flat": flat,
            "size": size,
            "view": view,
            "up": up,
            "perspective": perspective,
            "transparent": transparent,
        }
        picture = self._picture(False, "", options)
        if path is not None:
            with open(path, "wb") as file:
                file.write(picture)
        return picture

    def show(self, title: str = "ribbonmesh", *, height: int = 600, **options: Any) -> Page:
        """A page that shows the mesh, to be turned with the mouse; notebooks show it.

        Parameters
        ----------
        title : str
        height : int
            Of the frame in a notebook, in pixels.
        **options
            As for :meth:`render`, without ``size`` and ``transparent``.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> page = rm.generate("torus", 20, device="cpu").show(scalar="y")
        >>> page.html.startswith("<!")
        True
        """
        return Page(self._picture(True, title, options).decode(), height)

    def view(
        self,
        fields: Mapping[str, object] | None = None,
        *,
        face_fields: Mapping[str, object] | None = None,
        up: str = "y",
        height: int = 600,
    ) -> LiveView:
        """The mesh in a browser, where formulas over its fields are typed; notebooks show it in a frame.

        The mesh stays on its device: the browser gets the points that it sees. So meshes may be large, and a browser
        elsewhere needs a tunnel to the port of the address.

        Parameters
        ----------
        fields : dictionary of (n,) or (n, k), optional
            Of vertices, beside the mesh's attributes.
        face_fields : dictionary of (m,) or (m, k), optional
            Of faces.
        up : ``"x"``, ``"y"``, ``"z"``, ``"-x"``, ``"-y"`` or ``"-z"``
        height : int
            Of the frame in a notebook, in pixels.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> view = rm.generate("torus", 20, device="cpu").view()
        >>> view.url.startswith("http://127.0.0.1:")
        True
        >>> view.close()
        """
        return _serve.view(self, fields, face_fields, up, height)


_VIEW: Mapping[str, Any] = MappingProxyType(
    {
        "scalar": None,
        "colormap": None,
        "range": None,
        "patches": False,
        "ribbons": False,
        "normals": False,
        "edges": False,
        "flat": False,
        "size": (1200, 900),
        "view": "front",
        "up": "y",
        "perspective": False,
        "transparent": False,
    }
)


def _unpickled(
    vertices: npt.NDArray[Any],
    faces: npt.NDArray[Any],
    device: str,
    attributes: tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object]],
    report: Report | None = None,
) -> Mesh:
    vertex, face, corner = attributes
    mesh = Mesh(
        vertices,
        faces,
        device,
        vertex_attributes=vertex,
        face_attributes=face,
        corner_attributes=corner,
    )
    mesh._report = Report({}) if report is None else report
    return mesh


def read(
    path: Path | bytes | bytearray | memoryview,
    device: str = "auto",
    *,
    format: Format | None = None,
    points: bool = False,
    strict: bool = False,
    patch_size: int | None = None,
    seed: int | None = None,
) -> Mesh:
    """Reads a mesh with its attributes: OBJ, PLY, OFF, STL, GLB or glTF, also ``.gz`` and ``.zst``.

    Parameters
    ----------
    path : str, path or bytes
        A file; or the bytes of one, such as a download, whose format is told by the content. Materials of OBJ are not read of bytes.
    device : str
        As for :class:`Mesh`.
    format : str, optional
        Where neither name nor content say it.
    points : bool
        Vertices need have no faces.
    strict : bool
        Refuse elements that are else left out with a note: faces of two corners, coordinates or normals that are not
        finite, unknown lines.
    patch_size, seed : int, optional
        As for :class:`Mesh`.

    Returns
    -------
    Mesh
        Its ``report`` says what reading has changed or passed over.

    Raises
    ------
    ReadError
        The message names the file, and the line or the byte.
    """
    whole(16, 4096, patch_size=patch_size)
    whole(0, 2**64 - 1, seed=seed)
    if isinstance(path, (bytes, bytearray, memoryview)):
        native, notes = _native.read_bytes(bytes(path), device, format, points, strict, patch_size, seed)
    else:
        native, notes = _native.read(fspath(path), device, format, points, strict, patch_size, seed)
    return Mesh._of(native, Report(json.loads(notes)), device)


def write(path: Path, mesh: Mesh, *, format: Format | None = None, ascii: bool = False) -> list[str]:
    """Writes a mesh: :meth:`Mesh.write`."""
    return mesh.write(path, format=format, ascii=ascii)


def concatenate(meshes: Iterable[Mesh]) -> Mesh:
    """Several meshes one after the other, as one mesh on the device of the first. Nothing is welded.

    Attributes stay that all of them have, of the same type and width; ``notes`` of the report name the others.
    """
    given = list(meshes)
    if not given:
        raise ArgumentError("no mesh is given")
    natives = [_mesh("a mesh", mesh) for mesh in given]
    native, notes = natives[0].joined(natives[1:])
    return Mesh._of(native, Report({"notes": notes}), given[0].device)


_SIZES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "icosphere": (5,),
        "bumpy-sphere": (5,),
        "torus": (100,),
        "grid": (100,),
        "torus-knot": (2, 3, 24, 500),
        "mobius": (200, 8),
    }
)


def generate(
    kind: Literal["icosphere", "bumpy-sphere", "torus", "grid", "torus-knot", "mobius"],
    *sizes: int,
    seed: int | None = None,
    shuffle: bool = False,
    noise: float = 0.0,
    device: str = "auto",
) -> Mesh:
    """A generated shape, as of ``ribbonmesh generate``.

    Parameters
    ----------
    kind : ``"icosphere"``, ``"bumpy-sphere"``, ``"torus"``, ``"grid"``, ``"torus-knot"`` or ``"mobius"``
    *sizes : int
        ``icosphere`` and ``bumpy-sphere``: subdivisions (5); ``torus``, ``grid``: size (100); ``torus-knot``: P, Q, vertices
        around and along (2, 3, 24, 500); ``mobius``: vertices along and across (200, 8).
    seed : int, optional
    shuffle : bool
        Vertices and faces in random order.
    noise : float
        Moves vertices along their normals: standard deviation in mean edge lengths.
    device : str

    Examples
    --------
    >>> import ribbonmesh as rm
    >>> rm.generate("icosphere", 2, device="cpu")
    Mesh(162 vertices, 320 faces, device='cpu')
    """
    usual = _SIZES.get(kind)
    if usual is None:
        raise ArgumentError(f"kind is {kind!r}: one of {', '.join(_SIZES)}")
    if len(sizes) > len(usual):
        raise ArgumentError(f"{kind} has {len(usual)} sizes, and {len(sizes)} are given")
    for size in sizes:
        whole(size=size)
    whole(0, 2**64 - 1, seed=seed)
    chosen = [*sizes, *usual[len(sizes) :]]
    return Mesh._of(_native.generate(kind, chosen, seed, shuffle, noise, device), Report({}), device)
