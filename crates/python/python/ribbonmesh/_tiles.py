"""Meshes larger than memory, from file to file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from pathlib import Path
from typing import Any, Literal

from ._arguments import whole
from ._errors import ArgumentError
from ._native import NativeTiles, work_on_tile
from ._results import Report

_AT_A_TIME = 64
"""Tasks that are given to a scheduler before the first has ended."""


def _work_on(task: bytes) -> bytes:
    """The work on a tile, on any machine that has this package."""
    return work_on_tile(task)


def tiles(
    mesh: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    faces: int | None = None,
    ratio: float | None = None,
    target_length: float | str | None = None,
    memory: str = "2GB",
    tile_faces: int | None = None,
    work: str | os.PathLike[str] | None = None,
    keep: bool = False,
    feature_angle: float | None = None,
    curve_weight: float | None = None,
    max_turn: float | None = None,
    iterations: int | None = None,
    merge_features: float | None = None,
    boundary: Literal["fixed", "slide", "free"] | None = None,
    project: bool = False,
    adaptive: bool = False,
    tolerance: float | str | None = None,
    range: tuple[float, float] | None = None,
    most_faces: int | None = None,
    smoothing: int | None = None,
    step: float | None = None,
    weights: str | None = None,
    scheduler: Any = None,
) -> Report:
    """Simplify or remesh a mesh larger than memory, tile by tile, from file to file.

    With ``faces`` or ``ratio`` as the command ``ribbonmesh tiles simplify``, with ``target_length`` as ``ribbonmesh tiles
    remesh``, with the same bytes as a result, whatever does the work. A run that was ended goes on when it is called again.

    Parameters
    ----------
    mesh : path
        Mesh to read: binary PLY, OBJ, binary STL or GLB.
    output : path
        File to write: PLY, OBJ, STL or GLB.
    faces : int, optional
        Number of faces.
    ratio : float, optional
        Number of faces as a part of those of the input, 0 to 1.
    target_length : float or str, optional
        Target length of edges: in the units of the mesh, or text such as ``"2x"``, twice the mean length, or ``"1%"`` of the
        diagonal.
    memory : str
        Memory that the process may take. A tile takes an eighth of it.
    tile_faces : int, optional
        Most faces of a tile, at least 1000; by default as many as the memory allows.
    work : path, optional
        Folder for the tiles, about 60 bytes for each face of the input; by default beside the output.
    keep : bool
        Keep the folder, with the last tiles as PLY files.
    feature_angle : float, optional
        Keep edges whose faces' normals have a greater angle than this, in degrees.
    curve_weight : float, optional
        Of simplification: how much the shape of boundary and features counts, beside that of faces.
    max_turn : float, optional
        Of simplification: largest angle by which a collapse may turn a face, in degrees.
    iterations, merge_features, boundary, project, smoothing, step, weights : optional
        Of remeshing: as of :meth:`Mesh.remesh`.
    adaptive, tolerance, range, most_faces : optional
        Of remeshing: lengths by curvature, and shorter ones where the result would be farther from the input than the
        tolerance, as of :meth:`Mesh.remesh`. The distance is measured by this process.
    scheduler : optional
        By default, threads of this process work on the tiles. The module ``ray``, initialized: each tile is a task of Ray,
        which is done again if its worker dies; tiles and results travel through its object store, so that workers need this
        package, and no shared folder. Anything with ``submit``, as an executor of ``concurrent.futures`` or a client of
        Dask: each tile is a call.

    Returns
    -------
    Report
        Sizes and levels.

    Examples
    --------
    >>> import tempfile, ribbonmesh as rm
    >>> folder = tempfile.mkdtemp()
    >>> _ = rm.generate("bumpy-sphere", 5, device="cpu").write(f"{folder}/a.ply")
    >>> report = rm.tiles(f"{folder}/a.ply", f"{folder}/b.ply", ratio=0.1, tile_faces=2000)
    >>> report.after.faces
    2048
    """
    if sum(given is not None for given in (faces, ratio, target_length)) != 1:
        raise ArgumentError("faces, ratio or target_length is needed, and only one of them")
    of_remeshing = {
        "iterations": iterations,
        "merge_features": merge_features,
        "boundary": boundary,
        "project": project or None,
        "adaptive": adaptive or None,
        "tolerance": tolerance,
        "range": range,
        "most_faces": most_faces,
        "smoothing": smoothing,
        "step": step,
        "weights": weights,
    }
    of_simplification = {"curve_weight": curve_weight, "max_turn": max_turn}
    wrong, work_is = (of_remeshing, "remeshing") if target_length is None else (of_simplification, "simplification")
    for name, value in wrong.items():
        if value is not None:
            raise ArgumentError(f"{name} is an option of {work_is}")
    for name, value in [("tolerance", tolerance), ("range", range), ("most_faces", most_faces)]:
        if value is not None and not adaptive:
            raise ArgumentError(f"{name} is an option of adaptive=True")
    remesh = None
    if target_length is not None:
        remesh = {"target_length": target_length, "feature_angle": feature_angle, **of_remeshing}
    whole(faces=faces, tile_faces=tile_faces)
    output = Path(output)
    folder = output.with_name(output.name + ".tiles") if work is None else Path(work)
    shape = (feature_angle, curve_weight, max_turn)
    run = NativeTiles(Path(mesh), output, faces, ratio, str(memory), tile_faces, folder, keep, shape, remesh)
    while (missing := run.round()) is not None:
        if scheduler is None:
            run.work()
        elif hasattr(scheduler, "remote"):
            _by_ray(scheduler, run, missing)
        else:
            _by_calls(scheduler.submit, run, missing)
    return Report._of(run.finish())


def _by_ray(ray: Any, run: NativeTiles, missing: Sequence[int]) -> None:
    task = ray.remote(num_cpus=1, max_retries=-1)(_work_on)
    working: dict[Any, int] = {}
    for tile in [*missing, None]:
        while working and (tile is None or len(working) >= _AT_A_TIME):
            done, _ = ray.wait(list(working), num_returns=1)
            for reference in done:
                run.put(working.pop(reference), ray.get(reference))
        if tile is not None:
            working[task.remote(run.task(tile))] = tile


def _by_calls(submit: Callable[..., Any], run: NativeTiles, missing: Sequence[int]) -> None:
    working: dict[Any, int] = {}
    for tile in [*missing, None]:
        while working and (tile is None or len(working) >= _AT_A_TIME):
            done = _first(working)
            for future in done:
                run.put(working.pop(future), future.result())
        if tile is not None:
            working[submit(_work_on, run.task(tile))] = tile


def _first(working: dict[Any, int]) -> list[Any]:
    """Futures that have ended, at least one. Those of Dask are no futures of ``concurrent.futures``: they come in their order."""
    future = next(iter(working))
    if hasattr(future, "client"):
        future.result()
        return [future]
    return list(wait(working, return_when=FIRST_COMPLETED).done)
