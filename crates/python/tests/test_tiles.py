"""Files that are simplified tile by tile, by threads, processes and Ray."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import ribbonmesh as rm
from ribbonmesh._tiles import _work_on


@pytest.fixture
def sphere(tmp_path: Path) -> Path:
    path = tmp_path / "in.ply"
    rm.generate("bumpy-sphere", 5, device="cpu").write(path)
    return path


def small(sphere: Path, scheduler: object = None) -> bytes:
    out = sphere.with_name("out.ply")
    # so few in a tile that the result does not fit into one: costs are compared between tiles, too
    report = rm.tiles(sphere, out, faces=9000, tile_faces=1000, scheduler=scheduler)
    assert report.after.faces <= 9000
    assert report.levels[0].tiles > 20
    return out.read_bytes()


def test_anyone_may_work_on_tiles(sphere: Path) -> None:
    known = small(sphere)
    with ThreadPoolExecutor(3) as threads:
        assert small(sphere, threads) == known
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        assert small(sphere, processes) == known


def test_remeshing_by_tiles(sphere: Path) -> None:
    out = sphere.with_name("even.ply")

    def even(scheduler: object = None) -> bytes:
        report = rm.tiles(sphere, out, target_length="1.5x", project=True, tile_faces=2000, scheduler=scheduler)
        assert report.target_length > 0 and report.levels[0].tiles > 4
        return out.read_bytes()

    known = even()
    with ThreadPoolExecutor(2) as threads:
        assert even(threads) == known
    mesh = rm.read(out, device="cpu")
    ends = mesh.vertices[mesh.edges]
    lengths = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    assert lengths.std() < 0.2 * lengths.mean()
    report = rm.tiles(sphere, out, target_length="2x", adaptive=True, tolerance="0.2%", tile_faces=2000)
    assert 0 < report.deviation <= report.tolerance and report.refinements > 0
    assert rm.read(out, device="cpu").distance(rm.read(sphere, device="cpu")).symmetric.hausdorff <= report.tolerance
    with pytest.raises(rm.ArgumentError, match="tolerance is an option of adaptive"):
        rm.tiles(sphere, out, target_length="2x", tolerance="0.2%")
    with pytest.raises(rm.ArgumentError, match="max_turn is an option of simplification"):
        rm.tiles(sphere, out, target_length="2x", max_turn=20)
    with pytest.raises(rm.ArgumentError, match="iterations is an option of remeshing"):
        rm.tiles(sphere, out, ratio=0.5, iterations=2)
    with pytest.raises(rm.ArgumentError, match="target_length"):
        rm.tiles(sphere, out, target_length="long")
    with pytest.raises(rm.ArgumentError, match="boundary"):
        rm.tiles(sphere, out, target_length="2x", boundary="none")  # type: ignore[arg-type]


def test_levels_of_detail(sphere: Path) -> None:
    mesh = rm.read(sphere, device="cpu")
    levels = rm.lod(mesh)
    assert levels.report.faces == len(mesh.faces)
    errors = [level.error for level in levels.report.levels]
    assert errors == sorted(errors) and errors[0] == 0
    head = sphere.with_name("levels.json")
    data = levels.write(head)
    assert data.name == "levels.bin" and data.stat().st_size == rm.read_lod(head).report.bytes
    fine = levels.cut(0.0)
    assert np.array_equal(fine.vertices, mesh.vertices)
    for known, opened in [
        (levels.cut(0.01 * levels.diagonal), rm.read_lod(head, device="cpu").cut(0.01 * levels.diagonal)),
        (levels.cut(eye=(0, 0, 3), slope=0.01), rm.read_lod(head, device="cpu").cut(eye=(0, 0, 3), slope=0.01)),
    ]:
        assert np.array_equal(known.vertices, opened.vertices) and np.array_equal(known.faces, opened.faces)
        assert 100 < len(known.faces) < len(mesh.faces)
        assert known.distance(mesh, samples=1000).symmetric.hausdorff < 0.02 * levels.diagonal
    with pytest.raises(rm.ArgumentError, match="error is needed, or eye and slope"):
        levels.cut(0.1, eye=(0, 0, 1), slope=0.1)
    with pytest.raises(rm.ArgumentError, match="slope is 0"):
        levels.cut(eye=(0, 0, 1), slope=0)
    with pytest.raises(rm.WriteError):
        levels.write(sphere.with_name("none") / "levels.json")
    turned = mesh.faces.copy()
    turned[0] = turned[0, ::-1]
    with pytest.raises(rm.NotManifoldError):
        rm.lod(rm.Mesh(mesh.vertices, turned, device="cpu"))


def test_arguments(sphere: Path) -> None:
    out = sphere.with_name("out.ply")
    with pytest.raises(rm.ArgumentError, match="faces, ratio or target_length"):
        rm.tiles(sphere, out)
    with pytest.raises(rm.ArgumentError, match="memory"):
        rm.tiles(sphere, out, ratio=0.1, memory="much")
    with pytest.raises(rm.ArgumentError, match="128000000 or more"):
        rm.tiles(sphere, out, ratio=0.1, memory="1MB")
    with pytest.raises(rm.Error, match="no such task"):
        _work_on(b"nothing")


def test_ray_does_tiles_again_whose_workers_die(sphere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    known = small(sphere)
    marks = sphere.with_name("marks")
    marks.mkdir()

    def dying(task: bytes) -> bytes:
        """Every process ends by SIGKILL in its first task, up to the third."""
        if len(list(marks.iterdir())) < 3:
            (marks / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return _work_on(task)

    monkeypatch.setattr("ribbonmesh._tiles._work_on", dying)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        assert small(sphere, ray) == known
    finally:
        ray.shutdown()
    assert len(list(marks.iterdir())) >= 3
