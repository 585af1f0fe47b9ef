#!/usr/bin/env python3
"""The eight queries and vertex normals by OpenMesh and CGAL beside `ribbonmesh`, one thread of each.

    benches/peers/halfedges.py --ours RIBBONMESH --theirs HALFEDGES sphere=sphere.off dragon=dragon.off

HALFEDGES is the program of `halfedges.cpp`. The programs take turns, each in its own process, `--rounds`
times. Writes Markdown tables: milliseconds, the least of all runs, and ratios. Those of OpenMesh and CGAL are
of processor time; those of `ribbonmesh` are of the clock, which another process on the same processor can
only make longer.
"""
import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

QUERIES = ["VV", "VE", "VF", "EV", "EF", "FV", "FE", "FF", "EE"]
NORMALS = ["normals, gathered", "normals, added"]


def theirs(program, mesh, runs):
    """Milliseconds of OpenMesh and CGAL for each kind of work, and the line of versions."""
    done = subprocess.run([program, mesh, str(runs)], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return lines[0], {row[0]: [float(cell.split()[0]) for cell in row[1:]] for row in rows[1:]}


def ours(program, mesh, runs):
    """Milliseconds of `ribbonmesh`."""
    with tempfile.TemporaryDirectory() as folder:
        report, normals = (Path(folder) / name for name in ("report.json", "normals.ply"))

        def run(*arguments):
            options = ["--device", "cpu", "--threads", "1", "--quiet", "--report", report]
            subprocess.run([program, *options, *arguments], check=True, capture_output=True)
            said = json.loads(report.read_text())
            return said, {phase["name"]: 1e3 * phase["seconds"] for phase in said["phases"]}

        said, phases = run("bench-query", mesh, "--copy", "16", "--repetitions", str(runs))
        found = {q["op"]: 1e3 * q["min"] for q in said["results"]["queries"] if not q["oriented"]}
        found["construction"] = phases["build"]
        for _ in range(3):
            of_normals = run("normals", mesh, "--weight", "area", "-o", normals)[1]["normals"]
            found["normals"] = min(found.get("normals", math.inf), of_normals)
    return found


def least(rounds):
    """The least of each kind of work; of each library, if there are several."""
    smaller = lambda a: min(a) if isinstance(a[0], float) else [min(of) for of in zip(*a)]
    return {work: smaller([found[work] for found in rounds]) for work in rounds[0]}


def main():
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--theirs", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=11, help="runs of each kind of work in a round")
    parser.add_argument("meshes", nargs="+", metavar="NAME=FILE", help="OFF or OBJ")
    given = parser.parse_args()
    for name, mesh in (of.split("=", 1) for of in given.meshes):
        of_peers, of_ours = [], []
        for _ in range(given.rounds):
            sizes, found = theirs(given.theirs, mesh, given.runs)
            of_peers.append(found)
            of_ours.append(ours(given.ours, mesh, given.runs))
        peers, own = least(of_peers), least(of_ours)
        print(f"## {name}, {sizes.split(';')[0]}\n")
        print("| work | OpenMesh | CGAL | ribbonmesh | OpenMesh / ribbonmesh | CGAL / ribbonmesh |")
        print("|---|---|---|---|---|---|")
        for work in QUERIES + NORMALS + ["construction"]:
            (a, b), c = peers[work], own["normals" if work in NORMALS else work]
            print(f"| {work} | {a:.2f} | {b:.2f} | {c:.2f} | {a / c:.2f} | {b / c:.2f} |")
        print(flush=True)


if __name__ == "__main__":
    main()
