"""Levels of detail."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from ._errors import ArgumentError
from ._mesh import Mesh
from ._native import NativeLevels
from ._results import Report


class Levels:
    """Levels of detail of a surface, in memory or in files. :func:`lod` makes them, :func:`read_lod` opens them."""

    def __init__(self, native: NativeLevels, device: str) -> None:
        self._native = native
        self._device = device

    @property
    def report(self) -> Report:
        """Sizes: ``vertices`` and ``faces`` of the mesh, and for each of ``levels``, the finest first, its ``meshlets``,
        ``triangles`` and the largest ``error``."""
        return Report(json.loads(self._native.about()))

    @property
    def diagonal(self) -> float:
        """The diagonal of the box around the surface."""
        return self._native.diagonal()

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write them: a JSON file, and beside it the data, whose path is returned."""
        return Path(self._native.write(Path(path)))

    def cut(
        self,
        error: float | None = None,
        *,
        eye: Sequence[float] | None = None,
        slope: float | None = None,
    ) -> Mesh:
        """The surface of an accuracy, without cracks.

        Parameters
        ----------
        error : float, optional
            Largest error, in units of the mesh.
        eye : three floats, optional
            Point of view: errors grow with the distance from it.
        slope : float, optional
            Largest error at distance 1 from ``eye``.

        Returns
        -------
        Mesh
            With the attribute ``level`` of faces and vertices.
        """
        if (error is None) == (eye is None) or (eye is None) != (slope is None):
            raise ArgumentError("error is needed, or eye and slope")
        if error is not None and not error >= 0:
            raise ArgumentError(f"error is {error}: at least 0")
        if slope is not None and not slope > 0:
            raise ArgumentError(f"slope is {slope}: more than 0")
        place = None
        if eye is not None:
            x, y, z = (float(coordinate) for coordinate in eye)
            place = (x, y, z)
        native = self._native.cut(error or 0.0, place, slope or 0.0, self._device)
        return Mesh._of(native, Report({}), self._device)


def lod(
    mesh: Mesh,
    *,
    feature_angle: float | None = None,
    curve_weight: float | None = None,
    max_turn: float | None = None,
) -> Levels:
    """Make levels of detail of a mesh, as ``ribbonmesh lod build``.

    Parameters
    ----------
    mesh : Mesh
        An oriented manifold.
    feature_angle : float, optional
        Keep edges whose faces' normals have a greater angle than this, in degrees.
    curve_weight : float, optional
        How much the shape of boundary and features counts, beside that of faces.
    max_turn : float, optional
        Largest angle by which a collapse may turn a face, in degrees.

    Examples
    --------
    >>> import ribbonmesh as rm
    >>> levels = rm.lod(rm.generate("bumpy-sphere", 4, device="cpu"))
    >>> levels.report.faces, len(levels.report.levels) > 3
    (5120, True)
    >>> len(levels.cut(0.01 * levels.diagonal).faces)
    2560
    """
    if not isinstance(mesh, Mesh):
        raise ArgumentError(f"mesh is a {type(mesh).__name__}: a Mesh is needed")
    return Levels(NativeLevels.build(mesh._native, feature_angle, curve_weight, max_turn), mesh.device)


def read_lod(path: str | os.PathLike[str], *, device: str = "auto") -> Levels:
    """Open levels of detail that :meth:`Levels.write` or ``ribbonmesh lod build`` has written.

    Pages are read when a cut needs them.
    """
    return Levels(NativeLevels.open(Path(path)), device)
