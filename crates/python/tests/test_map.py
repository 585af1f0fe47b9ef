"""Folders of meshes."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ribbonmesh as rm


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for k in range(12):
        rm.generate("bumpy-sphere", 2, seed=k, device="cpu").write(tmp_path / f"{k:02}.ply")
    (tmp_path / "12.ply").write_text("ply\nwrong")
    return tmp_path


def small(mesh: rm.Mesh) -> rm.Mesh:
    return mesh.simplify(100)


def test_failures_are_listed(folder) -> None:
    files = [*sorted(folder.glob("*.ply")), folder / "missing.ply"]
    counts: list[int] = []
    done = rm.map(iter(files), small, out=folder / "out", extension="obj", device="cpu", progress=counts.append)
    assert len(done.done) == 12
    assert set(done.failed) == {folder / "12.ply", folder / "missing.ply"}
    assert isinstance(done.failed[folder / "12.ply"], rm.ReadError)
    assert sum(counts) == 14
    assert len(rm.read(folder / "out" / "03.obj", "cpu")) == 100


def test_what_is_done_is_skipped(folder) -> None:
    files = sorted(folder.glob("0*.ply"))
    rm.map(files[:4], small, out=folder / "out", device="cpu")
    done = rm.map(files, small, out=folder / "out", device="cpu")
    assert (len(done.done), len(done.skipped)) == (6, 4)
    time.sleep(0.02)
    rm.generate("icosphere", 3, device="cpu").write(files[0])
    done = rm.map(files, small, out=folder / "out", device="cpu")
    assert [path.name for path in done.done] == ["00.ply"]
    assert len(rm.map(files, small, out=folder / "out", device="cpu", again=True).done) == 10


def test_at_most_so_many_at_a_time(folder) -> None:
    now, most, lock = 0, 0, threading.Lock()

    def slow(mesh: rm.Mesh) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1

    done = rm.map(sorted(folder.glob("0*.ply")), slow, out=folder / "out", workers=3, device="cpu")
    assert most == 3
    assert len(done.done) == 10
    assert not list((folder / "out").iterdir())


def test_results_do_not_meet(folder) -> None:
    rm.generate("icosphere", 1, device="cpu").write(folder / "00.obj")
    with pytest.raises(rm.ArgumentError, match="the result of two inputs"):
        rm.map([folder / "00.ply", folder / "00.obj"], small, out=folder / "out", extension="ply", device="cpu")
    with pytest.raises(rm.ArgumentError, match="replace its input"):
        rm.map([folder / "00.ply"], small, out=folder, device="cpu")
    with pytest.raises(rm.ArgumentError, match="workers"):
        rm.map([], small, out=folder, workers=0)


def test_an_interrupt_ends_it(folder) -> None:
    def stop(_: rm.Mesh) -> rm.Mesh:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rm.map(sorted(folder.glob("*.ply")), stop, out=folder / "out", device="cpu")


def test_batches(folder) -> None:
    work = rm.MapPipeline(small, out=folder / "out", device="cpu")
    paths = np.array([str(path) for path in sorted(folder.glob("*.ply"))])
    done = work({"path": paths})
    assert (done["error"] != "").tolist() == [False] * 12 + [True]
    assert Path(str(done["result"][0])).exists()
    assert work({"path": paths})["result"].tolist() == done["result"].tolist()


def test_memory_does_not_grow(tmp_path) -> None:
    resource = pytest.importorskip("resource")
    rm.generate("icosphere", 3, device="cpu").write(tmp_path / "a.ply")

    def rounds(n: int) -> int:
        for _ in range(n):
            rm.map([tmp_path / "a.ply"], small, out=tmp_path / "out", again=True, device="cpu", workers=2)
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    before = rounds(30)
    # kilobytes
    assert rounds(150) - before < 20_000


def test_folders_of_equal_names(tmp_path) -> None:
    for folder in ("a", "b/c"):
        (tmp_path / folder).mkdir(parents=True)
        for k in range(2):
            rm.generate("bumpy-sphere", 2, seed=k, device="cpu").write(tmp_path / folder / f"{k}.ply")
    files = sorted(tmp_path.rglob("*.ply"))
    done = rm.map(files, small, out=tmp_path / "out", device="cpu")
    made = sorted(str(path.relative_to(tmp_path / "out")) for path in done.done)
    assert made == ["a/0.ply", "a/1.ply", "b/c/0.ply", "b/c/1.ply"]
    assert len(rm.map(files, small, out=tmp_path / "out", device="cpu").skipped) == 4
    # of a part of them, by the same folder
    again = rm.map(files[:1], small, out=tmp_path / "out", device="cpu", root=tmp_path)
    assert len(again.skipped) == 1
    with pytest.raises(rm.ArgumentError, match="not in the folder root"):
        rm.map(files, small, out=tmp_path / "out", device="cpu", root=tmp_path / "a")


def test_values_of_the_function(folder) -> None:
    files = sorted(folder.glob("0*.ply"))[:3]
    done = rm.map(files, lambda mesh: {"faces": len(mesh)}, out=folder / "out", device="cpu")
    assert done.values == {file: {"faces": 320} for file in files}
    assert (sorted(done.done), done.failed) == (files, {})
    with pytest.raises(TypeError, match="one path"):
        rm.map(str(files[0]), small, out=folder / "out", device="cpu")
