"""Exact geodesic distances for the tests of ribbonmesh_fields::geodesic.

    python -m venv venv && venv/bin/pip install pygeodesic==0.1.11 numpy
    cargo build --release -p ribbonmesh-cli
    venv/bin/python benches/peers/exact_geodesics.py target/release/ribbonmesh

Writes crates/fields/tests/it/geodesic/exact/NAME.ply: a generated mesh with the property `distance`, the exact distance from
vertex 0 along the polyhedral surface (Mitchell, Mount and Papadimitriou 1987, as implemented by Kirsanov).
"""
import pathlib
import subprocess
import sys

import numpy as np
from pygeodesic.geodesic import PyGeodesicAlgorithmExact

KINDS = {
    "sphere": ["icosphere", "3"],
    "bumpy-sphere": ["bumpy-sphere", "3"],
    "torus": ["torus", "24"],
    "grid": ["grid", "24"],
    "knot": ["torus-knot", "2", "3", "10", "90"],
    "mobius": ["mobius", "60", "8"],
}


def read_ascii(path):
    lines = path.read_text().splitlines()
    counts = [int(l.split()[2]) for l in lines if l.startswith("element")]
    body = lines[lines.index("end_header") + 1 :]
    rows = [l.split() for l in body]
    positions = np.array([r[:3] for r in rows[: counts[0]]], dtype=float)
    faces = np.array([r[1:4] for r in rows[counts[0] : counts[0] + counts[1]]], dtype=int)
    return [r[:3] for r in rows[: counts[0]]], positions, faces


def main(program):
    folder = pathlib.Path(__file__).parents[2] / "crates/fields/tests/it/geodesic/exact"
    for name, kind in KINDS.items():
        path = folder / f"{name}.ply"
        subprocess.run([program, "-q", "generate", *kind, "-o", path, "--ascii"], check=True)
        text, positions, faces = read_ascii(path)
        distances, _ = PyGeodesicAlgorithmExact(positions, faces).geodesicDistances(np.array([0]), None)
        with open(path, "w") as out:
            out.write("ply\nformat ascii 1.0\n")
            out.write(f"comment {' '.join(kind)}; exact distances from vertex 0 by pygeodesic 0.1.11\n")
            out.write(f"element vertex {len(text)}\n")
            out.write("".join(f"property float {p}\n" for p in ["x", "y", "z", "distance"]))
            out.write(f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
            out.write("".join(f"{x} {y} {z} {d:.8g}\n" for (x, y, z), d in zip(text, distances)))
            out.write("".join(f"3 {a} {b} {c}\n" for a, b, c in faces))
        print(path, len(text), "vertices, farthest", distances.max())


main(sys.argv[1])
