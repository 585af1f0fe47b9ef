"""Surfaces that move."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._arguments import progress_of
from ._errors import ArgumentError
from ._mesh import Array, Mesh, Progress, _only_with
from ._native import NativeTracker
from ._results import Report


@dataclass(frozen=True)
class AlongNormals:
    """A velocity along the normals of the surface; outwards where ``speed`` is positive."""

    speed: float


@dataclass(frozen=True)
class ByCurvature:
    """A velocity against the mean curvature normal: the mean of the principal curvatures, times ``speed``.

    Stable for steps shorter than about a quarter of the shortest edge's square, by the speed.
    """

    speed: float


Velocity: TypeAlias = Callable[[Array, float], Any] | AlongNormals | ByCurvature | Any
"""A function of positions (n, 3) and the time that gives velocities (n, 3); :class:`AlongNormals`; :class:`ByCurvature`; or
an array with the velocity of each vertex of now, for one step of Euler's method."""


def _velocities(values: object, resident: bool) -> object:
    if resident:
        if _arrays.device_of(values) is None:
            raise ArgumentError("velocities are of the host: the positions live on the device, and so must they")
        return values
    if _arrays.device_of(values) is not None:
        raise ArgumentError("velocities live on a device: the positions are of the host, and so must they be")
    return np.ascontiguousarray(_arrays.points(values, "velocities"), dtype=np.float32)


class Tracker:
    """A surface that moves with a velocity, on its device, while its triangles are improved in each step.

    By ``method="improve"`` (Brochu and Bridson 2009) long edges are split, short ones collapsed, others flipped, and vertices
    smoothed within the surface; parts that meet pass through each other, or with ``collisions`` stay apart. By ``"grid-free"`` (Chentanez, Müller, Macklin and Kim
    2016) parts that meet merge, thin necks part, and no two faces intersect after a step.

    Parameters
    ----------
    mesh : Mesh
        An oriented manifold; closed for ``"grid-free"``. It stays as it is. All attributes follow the surface: those of up to 12 numbers of float32
        or uint8 in each operation, others by the place on the input from which vertices, faces and corners come.
    method : ``"improve"`` or ``"grid-free"``
    collisions : bool
        With ``"improve"``: keeps what collides apart, so that no two faces intersect after a step.
    correct_volume : bool
        Keeps what each component encloses as the motion alone makes it, by moving vertices along normals after each step.
    integration : ``"rk4"`` or ``"euler"``
    length : float, optional
        The edge length of which others are parts; default: the mean of the mesh.
    shortest, longest : float
        Edges shorter than this part of the length are collapsed, longer ones split.
    adaptive : bool
        Shorter edges where the surface bends, longer ones where it is flat.
    tolerance : float, optional
        With ``adaptive``: how far edges may be from the surface, as a part of the length; default 0.02.
    range : two floats, optional
        With ``adaptive``: the shortest and the longest length, as parts of it; default 0.25 and 2.
    flips : ``"delaunay"`` or ``"shorter"``
    subdivision : ``"butterfly"`` or ``"middle"``
    keep_boundary : bool
        Leaves edges on the boundary as they are.
    no_improvement : bool
        Moves vertices, and nothing else.
    validate : bool
        Checks the mesh after every step.

    Raises
    ------
    NotManifoldError, MeshError
        The mesh cannot be tracked: it is no oriented manifold; for ``"grid-free"`` it has a boundary or intersects itself.

    Examples
    --------
    >>> import numpy as np
    >>> import ribbonmesh as rm
    >>> two = rm.generate("icosphere", 3, device="cpu")
    >>> two = two.resolve(rm.Mesh(np.array(two.vertices) + [1.9, 0, 0], two.faces, "cpu"))
    >>> tracker = rm.Tracker(two, method="grid-free")
    >>> for _ in range(3):
    ...     report = tracker.step(0.05, lambda x, time: -0.5 * x)
    >>> tracker.steps, tracker.components, len(tracker.mesh().intersections().pairs)
    (3, [0], 0)
    """

    __slots__ = ("__weakref__", "_device", "_native", "_resident")

    def __init__(
        self,
        mesh: Mesh,
        *,
        method: Literal["improve", "grid-free"] = "improve",
        collisions: bool = False,
        correct_volume: bool = False,
        integration: Literal["rk4", "euler"] = "rk4",
        length: float | None = None,
        shortest: float = 0.5,
        longest: float = 1.5,
        adaptive: bool = False,
        tolerance: float | None = None,
        range: tuple[float, float] | None = None,
        flips: Literal["delaunay", "shorter"] = "delaunay",
        subdivision: Literal["butterfly", "middle"] = "butterfly",
        keep_boundary: bool = False,
        no_improvement: bool = False,
        validate: bool = False,
    ) -> None:
        if not isinstance(mesh, Mesh):
            raise TypeError(f"mesh is a {type(mesh).__name__}: a Mesh is needed")
        _only_with("adaptive=True", adaptive, tolerance=tolerance is not None, range=range is not None)
        self._native = NativeTracker(
            mesh._native,
            method,
            collisions,
            integration,
            length,
            shortest,
            longest,
            adaptive,
            tolerance,
            range,
            flips,
            subdivision,
            keep_boundary,
            not no_improvement,
            correct_volume,
            validate,
        )
        self._device = mesh.device
        self._resident = mesh.on_device

    def step(self, dt: float, velocity: Velocity, *, progress: Progress = None) -> Report:
        """Moves the surface by one step, and improves its triangles.

        Parameters
        ----------
        dt : float
            The length of the step, in units of time.
        velocity : function, AlongNormals, ByCurvature or array (n, 3)
            A function gets the positions (n, 3) in float32 (float64 far from the :attr:`origin`) and the time, and gives as many
            velocities; by ``"rk4"`` it is called four times. Arrays live where the mesh's did: on the host, or on the GPU as :class:`DeviceArray` in and
            anything of DLPack or the CUDA array interface out. An array is for the vertices in the order of :attr:`vertices`.
        progress : optional
            As for every long function.

        Returns
        -------
        Report
            What was done, how long it took, and what the surface is like: ``report.mesh.volume``, ``report.split.executed``.

        Raises
        ------
        ArgumentError
            A velocity is not finite, or takes a vertex too far (the exception names it), or velocities have the wrong shape; the
            surface is as it was. What ``velocity`` raises comes out of here, and the surface is as it was.
        MeshError
            Intersections could not be resolved, or a component turns inside out in one step: the surface is as it was. Or it has
            vanished.
        """
        if not math.isfinite(dt):
            raise ArgumentError(f"dt is {dt}: a finite time step is needed")
        kind: str
        given: object
        if isinstance(velocity, AlongNormals):
            kind, given = "normals", float(velocity.speed)
        elif isinstance(velocity, ByCurvature):
            kind, given = "curvature", float(velocity.speed)
        elif callable(velocity):
            function, resident = velocity, self._resident

            def converted(positions: Array, time: float) -> object:
                return _velocities(function(positions, time), resident)

            kind, given = "function", converted
        else:
            kind, given = "vertices", _velocities(velocity, self._resident)
        return Report._of(self._native.step(float(dt), kind, given, progress_of(progress)))

    def improve(self, *, progress: Progress = None) -> Report:
        """Improves the triangles without moving the surface: one step of splits, flips, collapses and smoothing."""
        return Report._of(self._native.improve(progress_of(progress)))

    def mesh(self, *, attributes: bool = True) -> Mesh:
        """The surface of now, with attributes that have followed; where components count, ``component`` has their ids.

        Of arrays on a GPU the attributes come by way of the host: with ``attributes=False`` nothing leaves the GPU.
        """
        return Mesh._of(self._native.mesh(attributes), Report({}), self._device)

    @property
    def vertices(self) -> Array:
        """Positions of now: a float32 array (n, 3) (float64 far from the :attr:`origin`), a copy, in the order of :meth:`mesh`; on the device if the mesh's were."""
        return self._native.vertices

    @property
    def time(self) -> float:
        """The time."""
        return self._native.figures[0]

    @property
    def steps(self) -> int:
        """Steps made."""
        return self._native.figures[1]

    @property
    def length(self) -> float:
        """The edge length of which others are parts."""
        return self._native.figures[2]

    @property
    def components(self) -> list[int]:
        """Ids of the components, which are born, merge and die: none by ``"improve"`` without ``correct_volume``."""
        return self._native.components

    @property
    def input_index(self) -> npt.NDArray[np.int64]:
        """The vertex of the input that each vertex is, in the order of :meth:`mesh`; -1 for new ones, such as those of splits, and for one that
        two have become.

        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 2, device="cpu")
        >>> tracker = rm.Tracker(ball)
        >>> bool((tracker.vertices == ball.vertices[tracker.input_index]).all())
        True
        """
        return self._native.input_index

    @property
    def origin(self) -> npt.NDArray[np.float64]:
        """What positions on a device are relative to: zero, but for a mesh of float64 far from the origin. Of the host, positions have it added, and
        are float64 then."""
        return np.array(self._native.origin)

    def __repr__(self) -> str:
        time, steps, _, _, faces = self._native.figures
        return f"Tracker({steps} steps, time {time:g}, about {faces} faces)"
