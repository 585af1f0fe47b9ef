"""The same for many meshes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import whole
from ._errors import ArgumentError
from ._mesh import Mesh, read

Pipeline = Callable[[Mesh], Any]
"""What becomes of a mesh. A mesh is written; None is nothing; any other value is kept in the result."""


@dataclass
class MapResult:
    """What :func:`map` has done.

    Attributes
    ----------
    done : list of paths
        Results that were written, or inputs whose pipeline gave no mesh.
    skipped : list of paths
        Results that were there already.
    failed : dict from path to exception
        By input.
    values : dict from path to value
        What the pipeline gave in place of a mesh or None, by input. It is computed again by the same call.
    """

    done: list[Path] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)
    failed: dict[Path, Exception] = field(default_factory=dict)
    values: dict[Path, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"MapResult({len(self.done)} done, {len(self.skipped)} skipped, {len(self.failed)} failed)"


def _target(source: Path, out: Path, extension: str | None, root: Path | None = None) -> Path:
    name = source.name
    if root is not None:
        try:
            out = out / source.absolute().parent.relative_to(root.absolute())
        except ValueError:
            raise ArgumentError(f"{source}: is not in the folder root, {root}") from None
    if extension is not None:
        for packed in (".gz", ".zst"):
            name = name.removesuffix(packed)
        name = f"{Path(name).stem}.{extension.lstrip('.')}"
    return out / name


def _root(paths: Iterable[str | os.PathLike[str]]) -> Path | None:
    """The folder of all inputs, where two of several folders have one name; none of an iterator, whose inputs are not known yet."""
    if not isinstance(paths, Sequence):
        return None
    sources = {Path(path).absolute() for path in paths}
    if len({source.name for source in sources}) == len(sources):
        return None
    return Path(os.path.commonpath([source.parent for source in sources]))


def _is_done(source: Path, target: Path) -> bool:
    try:
        return target.stat().st_mtime_ns >= source.stat().st_mtime_ns
    except OSError:
        return False


def map(
    paths: Iterable[str | os.PathLike[str]],
    pipeline: Pipeline,
    *,
    out: str | os.PathLike[str],
    workers: int = 3,
    extension: str | None = None,
    again: bool = False,
    device: str = "auto",
    root: str | os.PathLike[str] | None = None,
    progress: Any = None,
) -> MapResult:
    """Does the same with many files. Reading, work and writing of several overlap; all share one device.

    A mesh that fails does not stop the others. What is done already is skipped, so that the same call goes on after an
    interruption. At most ``workers`` meshes are in memory.

    Parameters
    ----------
    paths : paths, or an iterator of them
    pipeline : function from Mesh to Mesh, None or any value
        Called by several threads at a time. A mesh is written; other values are in ``values`` of the result.
    out : path
        A folder for the results, under the names of their inputs; it is made.
    workers : int
    extension : str, optional
        Extension and format of the results, such as ``"ply.gz"``; default: that of the input.
    again : bool
        Also what is done already: a result that is not older than its input.
    device : str
    root : path, optional
        A folder with all inputs: results are in folders of ``out`` as their inputs are in it. Default: where inputs of several folders have one
        name, the folder that they share; else results are in ``out`` itself.
    progress : optional
        A function that is called with 1 for each file, or an object with such a function ``update``.

    Returns
    -------
    MapResult

    Raises
    ------
    ArgumentError
        Two inputs have one result, or a result would replace its input; what was given before is done.

    Examples
    --------
    >>> import pathlib, tempfile, ribbonmesh as rm
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for k in range(3):
    ...     _ = rm.generate("icosphere", 2, seed=k, device="cpu").write(folder / f"{k}.ply")
    >>> _ = (folder / "3.ply").write_text("no mesh")
    >>> files = sorted(folder.glob("*.ply"))
    >>> rm.map(files, lambda mesh: mesh.simplify(100), out=folder / "small", device="cpu")
    MapResult(3 done, 0 skipped, 1 failed)
    >>> rm.map(files, lambda mesh: mesh.simplify(100), out=folder / "small", device="cpu")
    MapResult(0 done, 3 skipped, 1 failed)
    """
    whole(1, workers=workers)
    if not callable(pipeline):
        raise TypeError(f"pipeline is a {type(pipeline).__name__}: a function of a mesh is needed")
    if isinstance(paths, (str, os.PathLike)):
        raise TypeError("paths is one path: several are needed, such as a list")
    top = _root(paths) if root is None else Path(root)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    update: Callable[[int], object] | None = getattr(progress, "update", progress)
    result, stop = MapResult(), Event()
    seen: set[Path] = set()

    def work(source: Path, target: Path) -> Any:
        if stop.is_set():
            raise InterruptedError("stopped")
        made = pipeline(read(source, device))
        if not isinstance(made, Mesh):
            return made
        target.parent.mkdir(parents=True, exist_ok=True)
        made.write(target)
        return target

    def todo() -> Iterator[tuple[Path, Path]]:
        for path in paths:
            source = Path(path)
            target = _target(source, folder, extension, top)
            if target in seen:
                raise ArgumentError(f"{target}: the result of two inputs, the second one {source}")
            seen.add(target)
            if target == source or (target.exists() and source.exists() and target.samefile(source)):
                raise ArgumentError(f"{target}: the result would replace its input")
            if not again and _is_done(source, target):
                result.skipped.append(target)
                if update is not None:
                    update(1)
                continue
            yield source, target

    pool = ThreadPoolExecutor(workers, thread_name_prefix="ribbonmesh-map")
    running: dict[Future[Any], tuple[Path, Path]] = {}

    def collect(most: int) -> None:
        while len(running) > most:
            # with a timeout, so that Ctrl-C is heard on every system
            finished, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in finished:
                source, target = running.pop(future)
                error = future.exception()
                if error is None:
                    made = future.result()
                    result.done.append(target if made is target else source)
                    if made is not None and made is not target:
                        result.values[source] = made
                elif isinstance(error, Exception):
                    result.failed[source] = error
                else:
                    raise error
                if update is not None:
                    update(1)

    try:
        for source, target in todo():
            running[pool.submit(work, source, target)] = source, target
            collect(workers - 1)
        collect(0)
    except BaseException:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return result


class MapPipeline:
    """A pipeline as a callable class for the batches of other schedulers, such as Ray Data's ``map_batches``.

    Every actor makes one, which opens its device once. A batch is a dictionary of columns with the column ``path``; the
    result has the columns ``path``, ``result`` (empty where there is none) and ``error`` (empty where there was none).

    Parameters
    ----------
    pipeline : function from Mesh to Mesh or None
    out, extension, again, device
        As for :func:`map`.

    Examples
    --------
    >>> import pathlib, tempfile, numpy as np, ribbonmesh as rm
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = rm.generate("icosphere", 2, device="cpu").write(folder / "ball.ply")
    >>> small = rm.MapPipeline(lambda mesh: mesh.simplify(100), out=folder / "small", device="cpu")
    >>> small({"path": np.array([str(folder / "ball.ply"), "missing.ply"])})["error"].tolist()
    ['', 'missing.ply: no such file']
    """

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        out: str | os.PathLike[str],
        extension: str | None = None,
        again: bool = False,
        device: str = "auto",
    ) -> None:
        self.pipeline = pipeline
        self.out = Path(out)
        self.extension = extension
        self.again = again
        self.device = device
        self.out.mkdir(parents=True, exist_ok=True)

    def __call__(self, batch: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        """Works on a batch."""
        results, errors = [], []
        for path in batch["path"]:
            source = Path(str(path))
            target = _target(source, self.out, self.extension)
            written, error = str(target), ""
            if self.again or not _is_done(source, target):
                try:
                    made = self.pipeline(read(source, self.device))
                    if isinstance(made, Mesh):
                        made.write(target)
                    else:
                        written = ""
                except Exception as failure:
                    written, error = "", str(failure) or type(failure).__name__
            results.append(written)
            errors.append(error)
        return {"path": np.asarray(batch["path"]), "result": np.array(results), "error": np.array(errors)}
