"""What functions give back."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


class Report(Mapping[str, Any]):
    """What a function has done and measured: a read-only dictionary whose entries are attributes, too.

    The entries are those of the command's JSON report.

    Examples
    --------
    >>> report = Report({"flips": 3, "blocked": {"topology": 1}})
    >>> report.flips, report["flips"], report.blocked.topology
    (3, 3, 1)
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._entries = dict(entries)

    @classmethod
    def _of(cls, text: str) -> Report:
        entries = json.loads(text)
        return cls(entries or {})

    def __getitem__(self, key: str) -> Any:
        value = self._entries[key]
        return Report(value) if isinstance(value, dict) else value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the report has no {name!r}; it has {', '.join(self._entries)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._entries]

    def __repr__(self) -> str:
        return f"Report({self._entries!r})"

    def __reduce__(self) -> tuple[type[Report], tuple[dict[str, Any]]]:
        return Report, (self._entries,)


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
        float32, with ``exact`` float64; in the units of the positions; infinite where no path leads.
    paths : list of GeodesicPath
    report : Report
    """

    distance: Any
    paths: list[GeodesicPath]
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
    """Which points are inside.

    Attributes
    ----------
    inside : bool array
    winding : float32 array
        Winding numbers; by rays empty.
    report : Report
        ``closed``: whether each edge has an even number of faces; ``points``, ``inside``: numbers.
    """

    inside: npt.NDArray[np.bool_]
    winding: npt.NDArray[np.float32]
    report: Report


@dataclass(frozen=True, eq=False)
class Closest:
    """Closest points of a surface.

    Attributes
    ----------
    points : float64 array (n, 3)
    faces : int64 array (n,)
        The face on which each lies, of several the lowest.
    normals : float32 array (n, 3)
        Unit normals of these faces; 0 of a face without area.
    distances : float32 array (n,)
    """

    points: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]
    normals: npt.NDArray[np.float32]
    distances: npt.NDArray[np.float32]


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
