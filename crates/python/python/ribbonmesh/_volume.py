"""Volumes: cells in place of faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import fspath
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _native
from ._arguments import progress_of, whole
from ._columns import Columns
from ._errors import ArgumentError
from ._mesh import Mesh, Path, Progress
from ._native import NativeVolume
from ._results import Energy, Report, csr

CellKind = Literal["tetrahedra", "pyramids", "wedges", "hexahedra"]
VolumeFormat = Literal["vtk", "vtu", "msh", "mesh", "ovm"]


class Volume:
    """Cells that share vertices, with data. A volume does not change: functions give new ones.

    Parameters
    ----------
    points : array (n, 3)
        Positions of the vertices.
    cells : dict from kind to array (m, k)
        Vertices of ``"tetrahedra"`` (4), ``"pyramids"`` (5), ``"wedges"`` (6) and ``"hexahedra"`` (8), in the order of VTK. Cells are
        numbered in the order of the dictionary.
    device : str
        As for :class:`Mesh`.
    point_data, cell_data : dict of arrays, optional
        Arrays (n,) or (n, k) with a row per vertex, or per cell.

    Attributes
    ----------
    report : Report
        What the function that made this volume has done; empty if there was none.

    Examples
    --------
    >>> import ribbonmesh as rm
    >>> one = rm.Volume([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], {"tetrahedra": [[0, 1, 2, 3]]}, "cpu")
    >>> one
    Volume(4 vertices, 1 cells, device='cpu')
    >>> len(one.surface()), round(one.info().total_volume, 4)
    (4, 0.1667)
    """

    __slots__ = ("__weakref__", "_device", "_native", "_report")

    def __init__(
        self,
        points: object,
        cells: Mapping[CellKind, object],
        device: str = "auto",
        *,
        point_data: Mapping[str, object] | None = None,
        cell_data: Mapping[str, object] | None = None,
    ) -> None:
        if not isinstance(cells, Mapping):
            raise TypeError(f"cells are a {type(cells).__name__}: a dictionary from kind to array is needed")
        given: dict[str, npt.NDArray[Any]] = {}
        for kind, of in cells.items():
            array = np.asarray(of)
            if array.ndim != 2 or array.dtype.kind not in "iu":
                raise ArgumentError(
                    f"{kind} have {_arrays.described(array)}: integers of the shape (m, vertices of a cell) are needed"
                )
            given[kind] = np.ascontiguousarray(array, dtype=np.int64)
        native = NativeVolume.of_arrays(_arrays.points(points, "points"), given, device)
        self._native = native
        self._device = device
        self._report = Report({})
        if point_data or cell_data:
            self._native = self.with_data(point=point_data, cell=cell_data)._native

    @classmethod
    def _of(cls, native: NativeVolume, report: Report, device: str) -> Volume:
        volume = cls.__new__(cls)
        volume._native, volume._report, volume._device = native, report, device
        return volume

    @property
    def points(self) -> npt.NDArray[Any]:
        """Positions: a float32 or float64 array (n, 3), a copy."""
        return self._native.points()

    @property
    def cells(self) -> dict[str, npt.NDArray[np.int32]]:
        """Vertices of the cells of each kind that is there, copies. Polyhedra, which only files have, are left out."""
        return {kind: vertices for kind, _, vertices in self._native.cells()}

    @property
    def cell_ids(self) -> dict[str, npt.NDArray[np.int64]]:
        """The numbers of the cells of each kind: their rows in :attr:`cell_data`."""
        return {kind: ids for kind, ids, _ in self._native.cells()}

    @property
    def point_data(self) -> Mapping[str, npt.NDArray[Any]]:
        """Data of vertices by name, copies."""
        return Columns(self._native.data_names, self._native.data, "point")

    @property
    def cell_data(self) -> Mapping[str, npt.NDArray[Any]]:
        """Data of cells by name, copies."""
        return Columns(self._native.data_names, self._native.data, "cell")

    @property
    def face_data(self) -> Mapping[str, npt.NDArray[Any]]:
        """Data of the faces that a file lists by themselves, copies."""
        return Columns(self._native.data_names, self._native.data, "face")

    @property
    def regions(self) -> list[tuple[int, int, str]]:
        """Names of regions: the dimension (3 for cells, 2 for faces), the number, the name."""
        return self._native.regions

    @property
    def report(self) -> Report:
        """What the function that made this volume has done."""
        return self._report

    @property
    def device(self) -> str:
        """The machine for its work, as it was asked for."""
        return self._device

    def __len__(self) -> int:
        return self._native.sizes[1]

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        vertices, cells = self._native.sizes
        return f"Volume({vertices} vertices, {cells} cells, device={self._device!r})"

    def with_data(
        self, *, point: Mapping[str, object] | None = None, cell: Mapping[str, object] | None = None
    ) -> Volume:
        """The same volume with data of vertices or cells put in, or taken out where the value is None."""

        def arrays(given: Mapping[str, object] | None) -> dict[str, npt.NDArray[Any] | None]:
            return {name: None if of is None else _arrays.attribute(of, name) for name, of in (given or {}).items()}

        return self._of(self._native.with_data(arrays(point), arrays(cell)), self._report, self._device)

    def write(
        self, path: Path, *, format: VolumeFormat | None = None, ascii: bool = False, old: bool = False
    ) -> list[str]:
        """Writes a file, whose name says the format: VTK, VTU, MSH, MESH or OVM. Gives what the format cannot hold, in words.

        Parameters
        ----------
        path : str or path
        format : str, optional
            Where the name says none.
        ascii : bool
            Text instead of binary, for VTK, VTU and MSH.
        old : bool
            VTK 3.0 and MSH 2.2, which more programs read.
        """
        return self._native.write(fspath(path), format, ascii, old)

    def info(self, *, turn_inverted: bool = False) -> Report:
        """Sizes, defects and volumes, as ``ribbonmesh volume info --json``."""
        return Report._of(self._native.info(turn_inverted))

    def surface(self, *, turn_inverted: bool = False) -> Mesh:
        """The triangles around the volume, with its data; ``volume_vertex`` and ``volume_cell`` say where they come from."""
        native, losses = self._native.surface(turn_inverted)
        return Mesh._of(native, Report({"notes": losses}), self._device)

    def subdivide(self, levels: int = 1, *, turn_inverted: bool = False) -> Volume:
        """Subdivides by Catmull and Clark's scheme: each cell becomes one for each of its vertices."""
        whole(1, 8, levels=levels)
        native, losses = self._native.subdivide(levels, turn_inverted)
        return self._of(native, Report({"notes": losses}), self._device)

    def smooth(self, steps: int = 10, *, turn_inverted: bool = False) -> Volume:
        """Moves each vertex inside to the mean of its neighbours, so many times. The report says how many cells are inverted."""
        whole(1, steps=steps)
        native, report = self._native.smooth(steps, turn_inverted)
        return self._of(native, Report._of(report), self._device)

    def energy(
        self,
        name: Literal["neo-hookean"],
        positions: object,
        *,
        young: float = 1.0,
        poisson: float = 0.3,
        hessian: bool = False,
        project: bool = False,
    ) -> Energy:
        """An energy of other positions of the vertices, with its derivatives; the volume is at rest as it is.

        What the energy needs of the volume is made by the first call, and kept with the volume for the next ones.

        Parameters
        ----------
        name : ``"neo-hookean"``
            Of tetrahedra: that of ``elasticity(large=True)``, infinite where one is turned inside out.
        positions : array (n, 3)
        young, poisson : float
            Young's modulus and Poisson's ratio.
        hessian : bool
            Also the second derivatives.
        project : bool
            Second derivatives of each tetrahedron without negative eigenvalues, as Newton's method needs them.

        Returns
        -------
        Energy

        Raises
        ------
        MeshError
            A cell that is no tetrahedron, has no volume, or is turned inside out; the message names it.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> one = rm.Volume([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], {"tetrahedra": [[0, 1, 2, 3]]}, "cpu")
        >>> pulled = one.points * [2, 1, 1]
        >>> one.energy("neo-hookean", pulled, poisson=0.0).gradient[1].round(4)  # to the right: pulled back
        array([0.125, 0.   , 0.   ])
        """
        if name != "neo-hookean":
            raise ArgumentError(f"name is {name!r}: one of neo-hookean")
        given = _arrays.points(positions, "positions")
        value, gradient, arrays = _native.volume_energy(self._native, given, young, poisson, hessian, project)
        n = 3 * self._native.sizes[0]
        return Energy(value, gradient, None if arrays is None else csr(arrays[2], arrays[1], arrays[0], (n, n)))

    def elasticity(
        self,
        *,
        fix: str | Sequence[str] = (),
        move: Mapping[str, Sequence[float | None]] | None = None,
        load: Mapping[str, Sequence[float]] | None = None,
        traction: Mapping[str, Sequence[float]] | None = None,
        pressure: Mapping[str, float] | None = None,
        gravity: Sequence[float] = (0.0, 0.0, 0.0),
        density: float = 1.0,
        young: float = 1.0,
        poisson: float = 0.3,
        material: Mapping[str, Sequence[float]] | None = None,
        order: int = 1,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        precision: Literal["double", "mixed"] = "double",
        preconditioner: Literal["automatic", "multigrid", "blocks"] = "automatic",
        large: bool = False,
        modes: int | None = None,
        turn_inverted: bool = False,
        progress: Progress = None,
    ) -> Volume:
        """Deforms a solid body under loads, or finds how it vibrates: finite elements, as ``ribbonmesh elasticity``.

        A place is ``"all"``; ``"min-x"``, a side of the bounding box; ``"x=0.5"``, ``"y<0.1"``; ``"box:X,Y,Z,X,Y,Z"``; or
        ``"region:NAME"``.

        Parameters
        ----------
        fix : place or several
            Held vertices.
        move : dict from place to three numbers
            Displacements; None leaves a direction free.
        load, traction, pressure : dict from place
            Forces, forces per area (three numbers each), pressures.
        gravity : three numbers
            Acceleration; with ``density``, the mass per volume.
        young, poisson : float
            Young's modulus and Poisson's ratio.
        material : dict from place to (young, poisson) or (young, poisson, density)
            Other materials; the last one counts.
        order : int
            Of the elements: 1, 2 or 3 on tetrahedra, 1 on hexahedra.
        tolerance, max_iterations, precision, preconditioner
            Of the solver: 1e-8 and 20,000 by default; 1e-6 and 200 for modes, which have neither of the others.
        large : bool
            Displacements and strains may be large: neo-Hookean tetrahedra of order 1.
        modes : int
            The lowest frequencies at which the body vibrates by itself, instead of its displacement under loads. A body
            needs no support: motions without strain come first, with frequency 0.

        Returns
        -------
        Volume
            With the data that the command writes: ``displacement``, ``reaction``, ``stress``, ``von_mises``. ``converged`` of
            its report says whether the tolerance was reached. With ``modes`` it has ``mode_0``, ``mode_1``, …, the
            displacements of each mode, and its report has ``frequencies``, ascending, by the unit of time.

        Examples
        --------
        >>> import numpy as np, ribbonmesh as rm
        >>> corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
        >>> cube = rm.Volume(corners, {"hexahedra": [[0, 1, 3, 2, 4, 5, 7, 6]]}, "cpu")
        >>> pulled = cube.elasticity(fix="min-x", load={"max-x": (1.0, 0.0, 0.0)}, young=100.0, poisson=0.0)
        >>> bool(np.isclose(pulled.point_data["displacement"][:, 0].max(), 0.01, rtol=1e-3))
        True
        >>> free = cube.elasticity(modes=8, young=100.0, density=4.0)
        >>> [frequency > 0 for frequency in free.report["frequencies"]]
        [False, False, False, False, False, False, True, True]
        """
        whole(1, 3, order=order)
        if max_iterations is not None:
            whole(1, max_iterations=max_iterations)
        if modes is not None:
            whole(1, modes=modes)
            given = {"load": load, "traction": traction, "pressure": pressure, "large": large, "gravity": any(gravity)}
            for name, value in given.items():
                if value:
                    raise ArgumentError(f"{name} is given: modes have no loads, and small displacements")
            if (precision, preconditioner) != ("double", "automatic"):
                raise ArgumentError("precision and preconditioner: modes have double precision, and multigrid")
        materials: list[tuple[str, float, float, float | None]] = []
        for at, of in (material or {}).items():
            numbers = [float(x) for x in of]
            if len(numbers) not in (2, 3):
                raise ArgumentError(f"material at {at!r} has {len(numbers)} numbers: young, poisson and perhaps density")
            materials.append((at, numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else None))
        native, report = self._native.elasticity(
            [fix] if isinstance(fix, str) else list(fix),
            [(at, _three("move", of, free=True)) for at, of in (move or {}).items()],
            [(at, _three("load", of)) for at, of in (load or {}).items()],
            [(at, _three("traction", of)) for at, of in (traction or {}).items()],
            [(at, float(of)) for at, of in (pressure or {}).items()],
            _three("gravity", gravity),
            density,
            young,
            poisson,
            materials,
            order,
            tolerance,
            max_iterations,
            precision,
            preconditioner,
            large,
            modes,
            turn_inverted,
            progress_of(progress),
        )
        return self._of(native, Report._of(report), self._device)


def _three(name: str, of: Sequence[float | None], *, free: bool = False) -> list[float | None]:
    numbers = [None if x is None else float(x) for x in of]
    if len(numbers) != 3 or (not free and None in numbers):
        raise ArgumentError(f"{name} is {of!r}: three numbers are needed")
    return numbers


def read_volume(path: Path, device: str = "auto", *, format: VolumeFormat | None = None) -> Volume:
    """Reads a volume with its data: VTK, VTU, MSH, MESH or OVM. ``notes`` of its report say what reading has changed.

    Raises
    ------
    ReadError
        The message names the file, and the line or the byte.
    """
    native, notes = NativeVolume.read(fspath(path), device, format)
    return Volume._of(native, Report({"notes": notes}), device)
