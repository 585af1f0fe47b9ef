"""Files that are simplified tile by tile, by threads, processes and Ray."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

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


def test_arguments(sphere: Path) -> None:
    out = sphere.with_name("out.ply")
    with pytest.raises(rm.ArgumentError, match="faces or ratio"):
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
