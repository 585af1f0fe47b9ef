#!/usr/bin/env python3
"""Patches by METIS (pymetis) beside those of `ribbonmesh`, on one thread.

    benches/peers/patching.py --ours RIBBONMESH sphere.ply dragon.ply

Needs numpy and pymetis; PLY as `ribbonmesh convert` writes it. METIS divides the dual graph, an edge for each
two faces across an edge of the mesh, which is made before: once into as many patches as `ribbonmesh`, once
into as few as its balance lets fit the largest size. Seconds, the least of `--rounds`: of processor time for
METIS, of the clock for the phase `patches` of `ribbonmesh`. The ribbon is that of `docs/architecture.md` for
both: vertices, edges and faces that a patch needs beside its own, in parts of those that it owns. *Faces at
vertices* are faces of other patches that touch a vertex of the patch, in parts of its own faces.
"""
import argparse
import json
import math
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pymetis

import ply


class Surface:
    """Faces, the edges of each, and the pairs of faces across an edge."""

    def __init__(self, faces):
        self.faces, self.vertices = faces.astype(np.int64), int(faces.max()) + 1
        sides = np.stack([self.faces, np.roll(self.faces, -1, axis=1)], axis=2).reshape(-1, 2)
        keys = sides.min(axis=1) * self.vertices + sides.max(axis=1)
        unique, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        if counts.max() > 2:
            raise SystemExit("an edge has more than two faces")
        self.edges = inverse.reshape(-1, 3)
        order = np.argsort(inverse.ravel(), kind="stable")
        second = np.flatnonzero(np.diff(inverse.ravel()[order]) == 0)
        a, b = order[second] // 3, order[second + 1] // 3
        self.pairs = np.stack([np.concatenate([a, b]), np.concatenate([b, a])], axis=1)
        self.corners = np.argsort(self.faces.ravel(), kind="stable")
        self.starts = np.searchsorted(self.faces.ravel()[self.corners], np.arange(self.vertices + 1))

    def graph(self):
        """The dual graph for METIS."""
        pairs = self.pairs[np.lexsort((self.pairs[:, 1], self.pairs[:, 0]))]
        starts = np.searchsorted(pairs[:, 0], np.arange(len(self.faces) + 1))
        kind = pymetis.zero_copy_dtype()
        return pymetis.CSRAdjacency(starts.astype(kind), np.ascontiguousarray(pairs[:, 1]).astype(kind))

    def at_vertices(self, patch, vertex):
        """Pairs of a patch and a face at one of its vertices, as numbers."""
        lengths = self.starts[vertex + 1] - self.starts[vertex]
        firsts = np.repeat(self.starts[vertex] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        face = self.corners[firsts + np.arange(lengths.sum())] // 3
        return np.unique(np.repeat(patch, lengths) * len(self.faces) + face)

    def ribbons(self, patch_of):
        """Elements in ribbons by owned ones, and faces of other patches at vertices by owned faces."""
        count, patch_of = len(self.faces), patch_of.astype(np.int64)

        def owners(elements):
            owner = np.full(elements.max() + 1, np.iinfo(np.int64).max)
            np.minimum.at(owner, elements.ravel(), np.repeat(patch_of, 3))
            return owner

        owner = owners(self.faces)
        used = np.flatnonzero(np.diff(self.starts))
        own = patch_of * count + np.arange(count)
        across = patch_of[self.pairs[:, 0]] * count + self.pairs[:, 1]
        needed = np.unique(np.concatenate([own, across, self.at_vertices(owner[used], used)]))
        patch, face = needed // count, needed % count
        local = len(needed)
        for elements in (self.faces, self.edges):
            local += len(np.unique(np.repeat(patch, 3) * (elements.max() + 1) + elements[face].ravel()))
        owned = count + len(used) + int(self.edges.max()) + 1
        touched = np.unique(np.repeat(patch_of, 3) * self.vertices + self.faces.ravel())
        around = len(self.at_vertices(touched // self.vertices, touched % self.vertices)) - count
        return (local - owned) / owned, around / count


def ours(program, mesh, size):
    """Seconds, number of patches, ribbon by owned elements."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--device", "cpu", "--threads", "1", "--quiet", "--report", report]
        options += ["--patch-size", str(size)]
        subprocess.run([program, *options, "info", mesh], check=True, capture_output=True)
        said = json.loads(report.read_text())
    build = next(phase for phase in said["phases"] if phase["name"] == "build")
    seconds = next(part["seconds"] for part in build["parts"] if part["name"] == "patches")
    return seconds, said["results"]["patches"], 1 / said["results"]["owned_ribbon_ratio"]


def metis(graph, count):
    """Seconds, and the patch of each face."""
    start = time.process_time()
    patch_of = np.asarray(pymetis.part_graph(count, graph).vertex_part)
    return time.process_time() - start, patch_of


def main():
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--ours", required=True, help="the program ribbonmesh")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--size", type=int, action="append", help="again for others [default: 512, 768]")
    parser.add_argument("meshes", nargs="+")
    given = parser.parse_args()
    head = ["mesh", "faces", "size", "patches by", "patches", "largest", "s", "ribbon", "faces at vertices"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for mesh in given.meshes:
        surface = Surface(ply.read(mesh)[1])
        graph, faces = surface.graph(), len(surface.faces)
        for size in given.size or [512, 768]:
            # METIS lets a patch be 3 % larger than the mean
            few, found = math.ceil(1.03 * faces / size), {}
            for _ in range(given.rounds):
                own = min(ours(given.ours, mesh, size) for _ in range(3))
                found.setdefault("ribbonmesh", []).append(own)
                for name, count in (("METIS, as many", own[1]), ("METIS, few", few)):
                    found.setdefault(name, []).append(metis(graph, count))
            rows = [("ribbonmesh", own[1], f"≤ {size}", own[2], None)]
            for name in list(found)[1:]:
                patch_of = found[name][0][1]
                sizes = np.bincount(patch_of)
                rows.append((name, np.count_nonzero(sizes), sizes.max(), *surface.ribbons(patch_of)))
            for name, count, largest, ribbon, around in rows:
                seconds = min(times[0] for times in found[name])
                last = "–" if around is None else f"{around:.3f}"
                cells = [Path(mesh).stem, faces, size, name, count, largest]
                cells += [f"{seconds:.3f}", f"{ribbon:.3f}", last]
                print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
