"""Triangle mesh processing on NVIDIA GPUs and on every core of a CPU.

>>> import ribbonmesh as rm
>>> mesh = rm.generate("bumpy-sphere", 4, device="cpu")   # or rm.read("scan.ply"), rm.Mesh(vertices, faces)
>>> small = mesh.remesh("1x").simplify(1000)
>>> small.info().genus
0
"""

from __future__ import annotations

from ._errors import (
    ArgumentError,
    DeviceError,
    Error,
    InternalError,
    MeshError,
    NotManifoldError,
    OutOfMemoryError,
    ReadError,
    WriteError,
)
from ._heat import HeatMethod
from ._lod import Levels, lod, read_lod
from ._mapping import MapPipeline, MapResult, map
from ._mesh import Array, Length, Mesh, Progress, concatenate, generate, read, write
from ._native import DeviceArray, __version__, copies, device_name, set_threads
from ._results import (
    Closest,
    Curvature,
    DeviceCsr,
    Energy,
    Geodesic,
    GeodesicPath,
    Inside,
    Intersections,
    Intrinsic,
    Page,
    Report,
    Rows,
    Samples,
    Solution,
    Spectrum,
    Texture,
)
from ._serve import LiveView, Server, serve
from ._sparse import SparseMatrix
from ._tiles import tiles
from ._track import AlongNormals, ByCurvature, Tracker, Velocity
from ._volume import Volume, read_volume

__all__ = [
    "AlongNormals",
    "ArgumentError",
    "Array",
    "ByCurvature",
    "Closest",
    "Curvature",
    "DeviceArray",
    "DeviceCsr",
    "DeviceError",
    "Energy",
    "Error",
    "Geodesic",
    "GeodesicPath",
    "HeatMethod",
    "Inside",
    "InternalError",
    "Intersections",
    "Intrinsic",
    "Length",
    "Levels",
    "LiveView",
    "MapPipeline",
    "MapResult",
    "Mesh",
    "MeshError",
    "NotManifoldError",
    "OutOfMemoryError",
    "Page",
    "Progress",
    "ReadError",
    "Report",
    "Rows",
    "Samples",
    "Server",
    "Solution",
    "SparseMatrix",
    "Spectrum",
    "Texture",
    "Tracker",
    "Velocity",
    "Volume",
    "WriteError",
    "__version__",
    "concatenate",
    "copies",
    "device_name",
    "generate",
    "lod",
    "map",
    "read",
    "read_lod",
    "read_volume",
    "serve",
    "set_threads",
    "tiles",
    "write",
]
