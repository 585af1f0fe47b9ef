"""The native part: not for users, but for :class:`DeviceArray`."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__version__: str

_Progress = Callable[[int], object] | None
_Path = str | PathLike[str]

class DeviceArray:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def device(self) -> str: ...
    @property
    def address(self) -> int: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def numpy(self) -> npt.NDArray[Any]: ...
    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...

class NativeMesh:
    @staticmethod
    def of_arrays(
        vertices: npt.NDArray[Any],
        faces_: npt.NDArray[Any],
        device: str,
        patch_size: int | None = None,
        seed: int | None = None,
    ) -> NativeMesh: ...
    @staticmethod
    def of_device(
        vertices: object,
        faces_: object,
        device: str,
        patch_size: int | None = None,
        seed: int | None = None,
    ) -> NativeMesh: ...
    @property
    def sizes(self) -> tuple[int, int]: ...
    @property
    def resident(self) -> bool: ...
    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...
    def kind(self) -> str: ...
    def moved(self, to_device: bool) -> NativeMesh: ...
    def to(self, device: str) -> NativeMesh: ...
    def attributes(self, element: str) -> list[str]: ...
    def attribute(self, element: str, name: str) -> npt.NDArray[Any]: ...
    def with_attributes(
        self, changes: dict[str, dict[str, npt.NDArray[Any] | None]]
    ) -> NativeMesh: ...
    def transformed(self, rows: list[list[float]]) -> NativeMesh: ...
    def part(self, kept: list[int]) -> NativeMesh: ...
    def joined(self, others: list[NativeMesh]) -> tuple[NativeMesh, list[str]]: ...
    def components(self) -> npt.NDArray[np.int32]: ...

def command() -> int: ...
def copies() -> dict[str, int]: ...
def device_name(device: str) -> tuple[str, str, str | None]: ...
def set_threads(threads: int) -> None: ...
def take_turns_on_cpu(take: bool) -> None: ...
def fetch(object: object, device: str, what: str) -> tuple[npt.NDArray[np.uint8], str, list[int]]: ...
def read(
    path: _Path,
    device: str,
    format: str | None = None,
    points: bool = False,
    strict: bool = False,
    patch_size: int | None = None,
    seed: int | None = None,
) -> tuple[NativeMesh, str]: ...
def read_bytes(
    bytes: bytes,
    device: str,
    format: str | None,
    points: bool,
    strict: bool,
    patch_size: int | None,
    seed: int | None,
) -> tuple[NativeMesh, str]: ...
def write(
    mesh: NativeMesh, path: _Path, format: str | None = None, ascii: bool = False
) -> list[str]: ...
def generate(
    kind: str,
    sizes: list[int],
    seed: int | None,
    shuffle: bool,
    noise: float,
    device: str,
) -> NativeMesh: ...
def info(mesh: NativeMesh, intersections: bool) -> str: ...
def query(mesh: NativeMesh, op: str, oriented: bool) -> list[npt.NDArray[Any]]: ...
def edges(mesh: NativeMesh) -> npt.NDArray[np.int32]: ...
def distance(mesh: NativeMesh, other: NativeMesh, samples: int, progress: _Progress) -> str: ...
def closest(mesh: NativeMesh, points_: npt.NDArray[Any]) -> list[npt.NDArray[Any]]: ...
def closest_on_device(mesh: NativeMesh, points_: object) -> list[DeviceArray]: ...
def inside(
    mesh: NativeMesh, points_: npt.NDArray[Any], method: str, beta: float, exact: bool
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32], str]: ...
def inside_on_device(
    mesh: NativeMesh, points_: object, method: str, beta: float, exact: bool
) -> tuple[DeviceArray, DeviceArray, str]: ...
def intersections(
    mesh: NativeMesh, other: NativeMesh | None
) -> tuple[npt.NDArray[np.int64], str]: ...
def laplacian(
    mesh: NativeMesh, extrinsic: bool, mollify: float, max_rounds: int
) -> tuple[tuple[Any, Any, Any], str]: ...
def mass(
    mesh: NativeMesh, masses: str, extrinsic: bool, mollify: float, max_rounds: int
) -> Any: ...
def intrinsic(
    mesh: NativeMesh, min_angle: float, masses: str, mollify: float, max_insertions: int
) -> tuple[
    tuple[Any, Any, Any],
    Any,
    tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float64]],
    npt.NDArray[np.float64],
    npt.NDArray[np.int32],
    str,
]: ...
def energy(
    mesh: NativeMesh, name: str, positions: Any, stiffness: float, hessian: bool, project: bool
) -> tuple[float, Any, tuple[Any, Any, Any] | None]: ...
def volume_energy(
    volume: NativeVolume, positions: Any, young: float, poisson: float, hessian: bool, project: bool
) -> tuple[float, Any, tuple[Any, Any, Any] | None]: ...
def bake(
    mesh: NativeMesh,
    source: NativeMesh,
    of: str,
    resolution: int,
    dilate: int,
    max_distance: float | None,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8], str]: ...
def gradient(mesh: NativeMesh) -> tuple[Any, Any, Any]: ...
def spectrum(
    mesh: NativeMesh,
    count: int,
    tolerance: float,
    max_iterations: int,
    masses: str,
    hks: int | None,
    wks: int | None,
    source: int | None,
    distance: str,
) -> tuple[Any, Any, Any, Any, Any, str]: ...
def run(
    name: str,
    mesh: NativeMesh,
    others: list[NativeMesh],
    options: dict[str, object],
    progress: _Progress,
) -> tuple[NativeMesh | None, dict[str, Any], list[npt.NDArray[np.float64]], NativeReport]: ...
def applications() -> str: ...
def render(
    mesh: NativeMesh,
    html: bool,
    title: str,
    scalar: str | None,
    colormap: str | None,
    range: tuple[float | str, float | str] | None,
    patches: bool,
    ribbons: bool,
    normals: bool,
    edges: bool,
    flat: bool,
    size: tuple[int, int],
    view: str,
    up: str,
    perspective: bool,
    transparent: bool,
) -> bytes: ...

class NativeReport:
    def text(self) -> str: ...

def work_on_tile(task: bytes) -> bytes: ...

class NativeLevels:
    @staticmethod
    def build(
        mesh: NativeMesh, feature_angle: float | None, curve_weight: float | None, max_turn: float | None
    ) -> NativeLevels: ...
    @staticmethod
    def open(path: _Path) -> NativeLevels: ...
    def write(self, path: _Path) -> Path: ...
    def cut(
        self, error: float, eye: tuple[float, float, float] | None, slope: float, device: str
    ) -> NativeMesh: ...
    def about(self) -> str: ...
    def diagonal(self) -> float: ...

class NativeTiles:
    def __init__(
        self,
        mesh: _Path,
        output: _Path,
        faces: int | None,
        ratio: float | None,
        memory: str,
        tile_faces: int | None,
        work: _Path,
        keep: bool,
        shape: tuple[float | None, float | None, float | None],
        remesh: dict[str, Any] | None,
    ) -> None: ...
    def round(self) -> list[int] | None: ...
    def work(self) -> None: ...
    def task(self, tile: int) -> bytes: ...
    def put(self, tile: int, result: bytes) -> None: ...
    def finish(self) -> str: ...

class NativeTracker:
    def __init__(
        self,
        mesh: NativeMesh,
        method: str,
        collisions: bool,
        integration: str,
        length: float | None,
        shortest: float,
        longest: float,
        adaptive: bool,
        tolerance: float | None,
        range: tuple[float, float] | None,
        flips: str,
        subdivision: str,
        keep_boundary: bool,
        improvement: bool,
        correct_volume: bool,
        validate: bool,
    ) -> None: ...
    def step(self, dt: float, kind: str, velocity: object, progress: _Progress) -> str: ...
    def improve(self, progress: _Progress) -> str: ...
    def mesh(self, attributes: bool) -> NativeMesh: ...
    @property
    def vertices(self) -> Any: ...
    @property
    def figures(self) -> tuple[float, int, float, int, int]: ...
    @property
    def components(self) -> list[int]: ...
    @property
    def input_index(self) -> npt.NDArray[np.int64]: ...
    @property
    def origin(self) -> list[float]: ...

class NativeVolume:
    @staticmethod
    def of_arrays(
        points_: npt.NDArray[Any], cells: dict[str, npt.NDArray[Any]], device: str
    ) -> NativeVolume: ...
    @staticmethod
    def read(path: _Path, device: str, format: str | None) -> tuple[NativeVolume, list[str]]: ...
    def write(self, path: _Path, format: str | None, ascii: bool, old: bool) -> list[str]: ...
    @property
    def sizes(self) -> tuple[int, int]: ...
    def points(self) -> npt.NDArray[Any]: ...
    def cells(self) -> list[tuple[str, npt.NDArray[np.int64], npt.NDArray[np.int32]]]: ...
    def data_names(self, of: str) -> list[str]: ...
    def data(self, of: str, name: str) -> npt.NDArray[Any]: ...
    @property
    def regions(self) -> list[tuple[int, int, str]]: ...
    def with_data(
        self,
        point: dict[str, npt.NDArray[Any] | None],
        cell: dict[str, npt.NDArray[Any] | None],
    ) -> NativeVolume: ...
    def info(self, turn_inverted: bool) -> str: ...
    def surface(self, turn_inverted: bool) -> tuple[NativeMesh, list[str]]: ...
    def subdivide(self, levels: int, turn_inverted: bool) -> tuple[NativeVolume, list[str]]: ...
    def smooth(self, steps: int, turn_inverted: bool) -> tuple[NativeVolume, str]: ...
    def elasticity(
        self,
        fix: list[str],
        moves: list[tuple[str, list[float | None]]],
        load: list[tuple[str, list[float | None]]],
        traction: list[tuple[str, list[float | None]]],
        pressure: list[tuple[str, float]],
        gravity: list[float | None],
        density: float,
        young: float,
        poisson: float,
        material: list[tuple[str, float, float, float | None]],
        order: int,
        tolerance: float | None,
        max_iterations: int | None,
        precision: str,
        preconditioner: str,
        large: bool,
        modes: int | None,
        turn_inverted: bool,
        progress: _Progress,
    ) -> tuple[NativeVolume, str]: ...

def tetrahedralize(
    mesh: NativeMesh,
    size: float | None,
    cells: int | None,
    inside: str,
    faces: bool,
    no_checks: bool,
    progress: _Progress,
) -> tuple[NativeVolume, str]: ...

class NativeHeat:
    def __init__(self, mesh: NativeMesh, time: float, solver: str) -> None: ...
    def distances(self, each: list[list[int]]) -> tuple[npt.NDArray[np.float64], list[str]]: ...
    def transport(
        self, each: list[list[tuple[int, tuple[float, ...]]]]
    ) -> tuple[npt.NDArray[np.float64], list[str]]: ...
    def log_maps(self, sources: list[int]) -> tuple[npt.NDArray[np.float64], list[str]]: ...
    def signed(self, curve: list[int]) -> tuple[npt.NDArray[np.float64], list[str]]: ...
    def basis(self, vertex: int) -> npt.NDArray[np.float64]: ...

class NativeSparse:
    def __init__(
        self,
        starts: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int64],
        values: npt.NDArray[Any],
        columns: int,
        device: str,
    ) -> None: ...
    @property
    def sizes(self) -> tuple[int, int, int]: ...
    @property
    def layout(self) -> str: ...
    def multiply(self, x: npt.NDArray[Any]) -> npt.NDArray[Any]: ...
    def solve(
        self,
        b: npt.NDArray[Any] | None,
        x0: npt.NDArray[Any] | None,
        tolerance: float,
        max_iterations: int,
        preconditioner: str,
        progress: _Progress,
    ) -> tuple[npt.NDArray[Any], str]: ...

class NativeServer:
    def __init__(
        self,
        title: str,
        device: str,
        up: str,
        at: tuple[str, int],
        hosts: list[str],
        embed: bool,
        clients: int,
    ) -> None: ...
    @property
    def url(self) -> str: ...
    def update(
        self,
        time: float,
        positions: object,
        faces: object,
        fields: list[tuple[str, bool, object]],
    ) -> None: ...
    def take_turn(self) -> bool: ...
    def is_paused(self) -> bool: ...
    def steer(self, word: str) -> None: ...
    def clients(self) -> int: ...
    def close(self) -> None: ...
    def closed(self) -> bool: ...
