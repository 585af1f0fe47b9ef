#!/usr/bin/env python3
"""Booleans by manifold3d, for `cargo xtask bench boolean --peer benches/peers/booleans.py`.

Each line of the input is an operation and the folder of two meshes: `0.positions` and `1.positions` (three float32 a
vertex), `0.faces` and `1.faces` (three uint32 a face). It is answered with a line: seconds from these arrays to those of
the result, seconds of processor time of the same, seconds without making the meshes, faces and volume of the result.
"""
import sys
import time
from importlib.metadata import version
from pathlib import Path

import manifold3d
import numpy

OPERATIONS = {"union": lambda a, b: a + b, "difference": lambda a, b: a - b}


def combined(operation, meshes):
    begin, processor = time.perf_counter(), time.process_time()
    a, b = (manifold3d.Manifold(manifold3d.Mesh(positions, faces)) for positions, faces in meshes)
    for solid in (a, b):
        if solid.status() != manifold3d.Error.NoError:
            sys.exit(f"manifold3d refuses a mesh: {solid.status()}")
    made = time.perf_counter()
    result = OPERATIONS[operation](a, b)
    faces = len(result.to_mesh().tri_verts)
    end = time.perf_counter()
    return end - begin, time.process_time() - processor, end - made, faces, result.volume()


def main():
    print(f"manifold3d {version('manifold3d')}", flush=True)
    folder, meshes = None, []
    for line in sys.stdin:
        operation, named = line.rstrip("\n").split(" ", 1)
        if named != folder:
            folder, files = named, Path(named)
            meshes = [
                (
                    numpy.fromfile(files / f"{i}.positions", "<f4").reshape(-1, 3),
                    numpy.fromfile(files / f"{i}.faces", "<u4").reshape(-1, 3),
                )
                for i in range(2)
            ]
        print(*combined(operation, meshes), flush=True)


if __name__ == "__main__":
    main()
