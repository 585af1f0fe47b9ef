#!/usr/bin/env python3
"""Compares the Laplacian of ribbonmesh with that of robust_laplacian: its entries, masses, and the time.

    benches/peers/laplacians.py mesh.ply scan.obj …     # without meshes: those of `ribbonmesh generate` alone

Needs the Python package ribbonmesh, scipy and robust_laplacian. Beside the meshes that are named there are generated ones of each
kind: closed, open, with random triangles at each edge, with triangles of no area. Differences are relative to the largest entry of
the row; masses to the mean mass. Lumped masses differ where two triangles on one circle have the other diagonal; the masses of
`scipy` columns are therefore also compared as sums.
"""

import argparse
import statistics
import time

import numpy as np
import robust_laplacian
import scipy.sparse

import ribbonmesh as rm


def soup(vertices, faces, seed):
    """Random triangles, no vertex twice."""
    random = np.random.default_rng(seed)
    corners = random.integers(0, vertices, (4 * faces, 3))
    whole = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    return random.uniform(-1, 1, (vertices, 3)), corners[whole][:faces]


def folded():
    """A grid of which every third row of vertices lies on the one below."""
    grid = rm.generate("grid", 40, device="cpu")
    x = np.array(grid.vertices, float)
    axis = int(np.argmin(np.ptp(x, 0)))
    along = 1 if axis != 1 else 2
    rows = np.unique(x[:, along].round(6))
    place = np.searchsorted(rows, x[:, along].round(6))
    x[place % 3 == 2, along] = rows[place[place % 3 == 2] - 1]
    return x, np.array(grid.faces)


def meshes(files):
    generated = {"icosphere": ("icosphere", 4), "bumpy sphere": ("bumpy-sphere", 6), "torus": ("torus", 60), "grid": ("grid", 60), "moebius": ("mobius", 60)}
    for name, (kind, size) in generated.items():
        mesh = rm.generate(kind, size, device="cpu")
        yield name, np.array(mesh.vertices, float), np.array(mesh.faces)
        random = np.random.default_rng(1)
        length = np.linalg.norm(mesh.vertices[mesh.faces[:, 0]] - mesh.vertices[mesh.faces[:, 1]], axis=1).mean()
        yield name + ", noise", mesh.vertices + random.normal(0, 0.3 * length, mesh.vertices.shape), np.array(mesh.faces)
    for seed in range(4):
        yield f"soup {seed}", *soup(60 + 40 * seed, 200, seed)
    yield "no area", *folded()
    for file in files:
        mesh = rm.read(file, "cpu")
        yield file.rsplit("/", 1)[-1], np.array(mesh.vertices, float), np.array(mesh.faces)


def timed(work, repetitions=3):
    seconds = []
    for _ in range(repetitions):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return result, statistics.median(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshes", nargs="*")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    print("| mesh | faces | matrix | masses | sum of masses | robust_laplacian / ribbonmesh |\n|---|---|---|---|---|---|")
    for name, x, faces in meshes(options.meshes):
        (theirs, their_mass), their_time = timed(lambda: robust_laplacian.mesh_laplacian(x, faces))
        mesh = rm.Mesh(x, faces, options.device)
        ours, our_time = timed(mesh.laplacian)
        our_mass, their_mass = mesh.mass_matrix().diagonal(), their_mass.diagonal()
        size = abs(theirs).max(axis=1).toarray().ravel()
        difference = abs(scipy.sparse.csr_array(theirs) - ours).max(axis=1).toarray().ravel()
        used = size > 0
        matrix = (difference[used] / size[used]).max()
        masses = abs(our_mass - their_mass).max() / their_mass.mean()
        sums = abs(our_mass.sum() / their_mass.sum() - 1)
        print(f"| {name} | {len(faces)} | {matrix:.1e} | {masses:.1e} | {sums:.1e} | {their_time / our_time:.2f} |")


if __name__ == "__main__":
    main()
