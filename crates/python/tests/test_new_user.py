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
