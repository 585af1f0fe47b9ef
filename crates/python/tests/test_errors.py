"""Exceptions follow from the kind of an error, as exit statuses of the command do."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_defaults import command

import ribbonmesh as rm

THREE_AT_AN_EDGE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 2 4\nf 2 1 5\n"
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def read(path: Path) -> rm.Mesh:
    return rm.read(path, "cpu")


# a file's content, the call, its exception and attributes; the same work for the command, and its status
CASES: dict[str, tuple[str, Callable[[Path], object], type[rm.Error], dict[str, object], list[str], int]] = {
    "an option": (
        TRIANGLE,
        lambda path: read(path).remesh("1x", feature_angle=200),
        rm.ArgumentError,
        {"option": "feature_angle"},
        ["remesh", "FILE", "--target-length", "1x", "-o", "OUT", "--feature-angle", "200"],
        2,
    ),
    "a mesh that is no manifold": (
        THREE_AT_AN_EDGE,
        lambda path: read(path).remesh("1x"),
        rm.NotManifoldError,
        {"edge": (0, 1)},
        ["remesh", "FILE", "--target-length", "1x", "-o", "OUT"],
        3,
    ),
    "a mesh to fill that is no manifold": (
        THREE_AT_AN_EDGE,
        lambda path: read(path).fill(),
        rm.NotManifoldError,
        {"edge": (0, 1)},
        ["fill", "FILE", "-o", "OUT"],
        3,
    ),
    "the content of a file": (
        "v 0 0 zero\n",
        read,
        rm.ReadError,
        {"file": "FILE"},
        ["info", "FILE"],
        3,
    ),
    "a file that is missing": (
        TRIANGLE,
        lambda path: read(path.with_name("none.obj")),
        rm.ReadError,
        {"file": "NONE"},
        ["info", "NONE"],
        1,
    ),
    "a file that cannot be written": (
        TRIANGLE,
        lambda path: read(path).write(path.parent / "no" / "folder.ply"),
        rm.WriteError,
        {"file": "NOWHERE"},
        ["convert", "FILE", "NOWHERE"],
        1,
    ),
    "a device that is missing": (
        TRIANGLE,
        lambda path: rm.read(path, "cuda:63").normals(),
        rm.DeviceError,
        {},
        ["--device", "cuda:63", "normals", "FILE", "-o", "OUT"],
        1,
    ),
    "a mesh that cannot be resolved": (
        TRIANGLE,
        lambda path: read(path).resolve(),
        rm.NotManifoldError,
        {"mesh": 0},
        ["resolve", "FILE", "-o", "OUT"],
        3,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_exception_and_exit_status(name: str, tmp_path: Path) -> None:
    content, call, exception, attributes, arguments, status = CASES[name]
    path = tmp_path / "mesh.obj"
    path.write_text(content)
    words = {
        "FILE": str(path),
        "OUT": str(tmp_path / "out.ply"),
        "NONE": str(tmp_path / "none.obj"),
        "NOWHERE": str(tmp_path / "no" / "folder.ply"),
    }
    with pytest.raises(rm.Error) as caught:
        call(path)
    assert type(caught.value) is exception, caught.value
    for attribute, value in attributes.items():
        expected = words.get(value, value) if isinstance(value, str) else value
        assert getattr(caught.value, attribute) == expected
    ran = subprocess.run(
        [command(), *(words.get(word, word) for word in arguments)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == status, ran.stderr


def test_what_helps_is_in_the_spelling_of_python(tmp_path: Path) -> None:
    path = tmp_path / "mesh.obj"
    path.write_text(THREE_AT_AN_EDGE)
    with pytest.raises(rm.NotManifoldError, match=r"; \.repair\(\) makes it an oriented manifold \(so does repair=, "):
        read(path).fill()
    with pytest.raises(rm.ArgumentError, match='^boundary is "magic": ') as caught:
        read(path).remesh("1x", boundary="magic", repair=True)  # type: ignore[arg-type]
    assert caught.value.option == "boundary"


def test_elements_of_volumes() -> None:
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    volume = rm.Volume(x, {"tetrahedra": [[0, 1, 2, 3]]}, "cpu")
    with pytest.raises(rm.MeshError, match="; fix= or move= holds it") as caught:
        volume.elasticity(gravity=(0, 0, -1))
    assert caught.value.cell == 0
    with pytest.raises(rm.ArgumentError, match="^fix is ") as caught:
        volume.elasticity(fix="nowhere")
    assert caught.value.option == "fix"
    with pytest.raises(rm.ArgumentError, match="poisson|Poisson"):
        volume.elasticity(fix="min-x", poisson=3.0)
