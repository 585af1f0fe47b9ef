"""The examples, as a new user runs them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

import ribbonmesh as rm

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str, *arguments: object) -> str:
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ten_lines(tmp_path) -> None:
    rm.generate("bumpy-sphere", 5, device="cpu").write(tmp_path / "in.ply")
    start = time.perf_counter()
    told = example("new_user.py", tmp_path / "in.ply", tmp_path / "out.png")
    assert time.perf_counter() - start < 60
    assert "genus 0" in told
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    lines = [line for line in (EXAMPLES / "new_user.py").read_text().splitlines() if line and '"""' not in line]
    assert len(lines) <= 10


def test_folder(tmp_path) -> None:
    for k in range(4):
        rm.generate("bumpy-sphere", 3, seed=k, device="cpu").write(tmp_path / f"{k}.ply")
    assert "4 done, 0 skipped, 0 failed" in example("folder.py", tmp_path, tmp_path / "out")
    assert "0 done, 4 skipped, 0 failed" in example("folder.py", tmp_path, tmp_path / "out")


def test_ray(tmp_path) -> None:
    pytest.importorskip("ray")
    for k in range(50):
        rm.generate("bumpy-sphere", 2, seed=k, device="cpu").write(tmp_path / f"{k}.ply")
    (tmp_path / "wrong.ply").write_text("no mesh")
    assert "50 done, 1 failed" in example("ray_batches.py", tmp_path, tmp_path / "out")
    assert len(list((tmp_path / "out").glob("*.ply"))) == 50


RAY = """
import os, signal, sys
from pathlib import Path
import ray
import ribbonmesh as rm

def small(mesh: rm.Mesh) -> rm.Mesh:
    marker = Path(sys_out) / "killed"
    if len(list(Path(sys_out).glob("*.ply"))) > 300 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return mesh.simplify(40)

source, sys_out = sys.argv[1:]
ray.init(num_cpus=2, include_dashboard=False)
files = [{"path": str(path)} for path in sorted(Path(source).glob("*.ply"))]
done = ray.data.from_items(files).map_batches(
    rm.MapPipeline,
    fn_constructor_kwargs={"pipeline": small, "out": sys_out, "device": "cpu"},
    batch_size=16, concurrency=2, max_restarts=-1, max_task_retries=-1,
)
rows = done.take_all()
print(len(rows), sum(bool(row["error"]) for row in rows), (Path(sys_out) / "killed").exists())
"""


def test_a_worker_of_ray_dies_and_no_mesh_is_lost(tmp_path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    for k in range(1000):
        rm.generate("icosphere", 1, seed=k, device="cpu").write(tmp_path / "in" / f"{k}.ply")
    command = [sys.executable, "-c", RAY, str(tmp_path / "in"), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-3:] == ["1000", "0", "True"]
    assert len(list((tmp_path / "out").glob("*.ply"))) == 1000
