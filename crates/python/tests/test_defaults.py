"""Options have the names and the defaults of the command."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import ribbonmesh as rm
from ribbonmesh import _native

APPLICATIONS = [each["name"] for each in json.loads(_native.applications())]
COMMANDS = [*APPLICATIONS, "distance", "inside", "info", "intersections", "query", "render"]
# files, streams and what is an array here
NOT_HERE = {"output", "ascii", "format", "help", "version", "report", "quiet", "verbose", "device", "threads", "patch-size", "seed", "input-format", "json", "reference", "paths", "pairs", "html"}
# scenes, frames, steps and servers are the caller's here
OF_SCENES = {"output", "resume", "steps", "dt", "size", "every", "save", "view", "method", "serve", "port", "bind", "host", "clients", "up"}
# whether the mesh of a file is worked on by tiles, or in patches, which is for comparisons
OF_FILES = {(name, "memory") for name in ("simplify", "remesh", "normals", "info", "repair", "distance", "render")} | {
    (name, "resolver") for name in ("delaunay", "remesh", "simplify", "track")
}
# a method of `rm.HeatMethod` here
OF_OBJECTS = {("geodesic", "each")}
OTHERWISE = {("render", "size"): (1200, 900)}


def command() -> str:
    root = Path(__file__).parents[3]
    built = [root / "target" / profile / "ribbonmesh" for profile in ("debug", "release", "wheel")]
    found = os.environ.get("RIBBONMESH_COMMAND") or next((str(path) for path in built if path.exists()), None)
    if not (found or shutil.which("ribbonmesh")):
        pytest.skip("the command is not built")
    return found or "ribbonmesh"


@pytest.mark.parametrize("name", [*COMMANDS, "track"])
def test_options_of_the_command(name) -> None:
    text = subprocess.run([command(), name, "--help"], capture_output=True, text=True, check=True).stdout
    function = rm.Tracker.__init__ if name == "track" else getattr(rm.Mesh, name)
    here = inspect.signature(function).parameters
    sections = re.split(r"\n  (?:-\w, |    )--", text.split("Options of every command")[0])[1:]
    assert sections
    for section in sections:
        option = re.match(r"[\w-]+", section).group()
        if option in NOT_HERE or (name, option) in OF_FILES | OF_OBJECTS or (name == "track" and option in OF_SCENES):
            continue
        parameter = here.get(option.replace("-", "_"))
        assert parameter is not None, f"--{option}"
        default = re.search(r"\[default: ([^\]]+)\]", section)
        has_value = re.match(r"[\w-]+ <", section) is not None
        if not has_value:
            assert parameter.default is False, option
        elif (name, option) in OTHERWISE:
            assert parameter.default == OTHERWISE[name, option]
        elif default is not None and re.fullmatch(r"[\w.+-]+", default.group(1)) and parameter.default is not None:
            value = default.group(1)
            expected = float(value) if isinstance(parameter.default, int | float) else value
            assert parameter.default == expected, option
