"""Elasticity of a body under its weight by scikit-fem and pyamg, beside `ribbonmesh elasticity`.

    python elasticity.py bunny.vtu 0.038 ribbonmesh

The body is held where y is at most the second argument. Orders 1 and 2; to a residual of 1e-8 of the first one. Medians of three
runs, seconds, from arrays in memory to displacements, without reading and writing.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import meshio
import numpy as np
import pyamg
import skfem
from skfem.helpers import ddot, eye, sym_grad, trace
from skfem.models.elasticity import lame_parameters

YOUNG, POISSON, DENSITY, GRAVITY = 1e5, 0.4, 1000.0, -9.81


def rigid(points):
    """The six rigid motions at points, as columns."""
    x, y, z = points - points.mean(axis=1, keepdims=True)
    n = points.shape[1]
    motions = np.zeros((3 * n, 6))
    for axis in range(3):
        motions[axis::3, axis] = 1.0
    motions[0::3, 3], motions[1::3, 3] = -y, x
    motions[1::3, 4], motions[2::3, 4] = -z, y
    motions[0::3, 5], motions[2::3, 5] = z, -x
    return motions


def peers(mesh, low, order):
    """Seconds of assembly and of the solution, iterations, the longest displacement of a vertex."""
    lam, mu = lame_parameters(YOUNG, POISSON)

    @skfem.BilinearForm
    def stiffness(u, v, _):
        strain = sym_grad(u)
        return ddot(2 * mu * strain + lam * eye(trace(strain), 3), sym_grad(v))

    @skfem.LinearForm
    def weight(v, _):
        return DENSITY * GRAVITY * v[1]

    start = time.perf_counter()
    element = skfem.ElementVector(skfem.ElementTetP1() if order == 1 else skfem.ElementTetP2())
    basis = skfem.Basis(mesh, element)
    matrix, load = stiffness.assemble(basis), weight.assemble(basis)
    # nodes all of whose vertices are selected, also inside
    chosen = mesh.p[1] <= low
    fixed = basis.nodal_dofs[:, chosen].ravel()
    if order == 2:
        fixed = np.append(fixed, basis.edge_dofs[:, chosen[mesh.edges].all(axis=0)].ravel())
    assembled = time.perf_counter() - start

    start = time.perf_counter()
    free = np.setdiff1d(np.arange(matrix.shape[0]), fixed)
    a, b = matrix[free][:, free].tocsr(), load[free]
    # unknowns of a node follow each other in scikit-fem's numbering of both elements
    near = rigid(basis.doflocs[:, ::3])[free]
    levels = pyamg.smoothed_aggregation_solver(a, B=near, strength=("symmetric", {"theta": 0.0}), max_coarse=600)
    residuals = []
    x = levels.solve(b, tol=1e-8, accel="cg", residuals=residuals)
    solved = time.perf_counter() - start
    u = np.zeros(matrix.shape[0])
    u[free] = x
    longest = np.linalg.norm(u[basis.nodal_dofs], axis=0).max()
    return assembled, solved, len(residuals) - 1, longest


def ours(program, file, low, order, folder):
    """The same by the command line."""
    report = Path(folder) / "report.json"
    command = [program, "elasticity", file, "-o", str(Path(folder) / "out.vtu"), "--fix", f"y<{low}", "--order", str(order)]
    command += [f"--gravity=0,{GRAVITY},0", "--density", str(DENSITY), "--young", str(YOUNG), "--poisson", str(POISSON)]
    subprocess.run([*command, "--device", "cpu", "--report", str(report), "-q"], check=True)
    found = json.loads(report.read_text())["results"]
    assembled = found["prepare_seconds"] + found["pattern_seconds"] + found["assemble_seconds"]
    solved = found["precondition_seconds"] + found["solve_seconds"]
    return assembled, solved, found["iterations"], found["greatest_displacement"]


def main(file, low, program):
    volume = meshio.read(file)
    mesh = skfem.MeshTet(volume.points.T.copy(), volume.cells_dict["tetra"].T.copy())
    print("| order | by | assembly, s | solution, s | iterations | longest displacement |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for order in (1, 2):
            for name, run in (
                ("scikit-fem, pyamg", lambda: peers(mesh, low, order)),
                ("ribbonmesh", lambda: ours(program, file, low, order, folder)),
            ):
                runs = [run() for _ in range(3)]
                assembled, solved = (statistics.median(r[k] for r in runs) for k in (0, 1))
                print(f"| {order} | {name} | {assembled:.2f} | {solved:.2f} | {runs[-1][2]} | {runs[-1][3]:.6g} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3])
