"""The jobs: what ribbonmesh is called with, and the same by the peers.

A peer takes coordinates and faces, prepares what it works on, and returns a function that does the work: only that is
timed. `args` of a job are the arguments of ribbonmesh between the mesh and the output.
"""
import importlib
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Job:
    command: str
    args: list[str]
    peers: dict[str, Callable] = field(default_factory=dict)
    what: str = ""


def meshlab(v, f):
    pymeshlab = importlib.import_module("pymeshlab")
    meshes = pymeshlab.MeshSet(verbose=False)
    meshes.add_mesh(pymeshlab.Mesh(vertex_matrix=v, face_matrix=f))
    return meshes


def meshlib(v, f):
    return importlib.import_module("meshlib.mrmeshpy"), importlib.import_module("meshlib.mrmeshnumpy").meshFromFacesVerts(f, v)


def normals_pymeshlab(v, f):
    meshes = meshlab(v, f)
    return lambda: meshes.compute_normal_per_vertex(weightmode="By Angle")


def normals_libigl(v, f):
    igl = importlib.import_module("igl")
    angle = igl.PER_VERTEX_NORMALS_WEIGHTING_TYPE_ANGLE
    return lambda: igl.per_vertex_normals(v, f, angle)


def normals_meshlib(v, f):
    mr, mesh = meshlib(v, f)
    return lambda: mr.computePerVertPseudoNormals(mesh)


def normals_gpytoolbox(v, f):
    toolbox = importlib.import_module("gpytoolbox")
    return lambda: toolbox.per_vertex_normals(v, f)


def curvature_libigl(v, f):
    igl = importlib.import_module("igl")

    def work():
        igl.gaussian_curvature(v, f)
        igl.massmatrix(v, f, igl.MASSMATRIX_TYPE_VORONOI)
        igl.cotmatrix(v, f) @ v

    return work


def curvature_pymeshlab(v, f):
    meshes = meshlab(v, f)

    def work():
        meshes.compute_scalar_by_discrete_curvature_per_vertex(curvaturetype="Gaussian Curvature")
        meshes.compute_scalar_by_discrete_curvature_per_vertex(curvaturetype="Mean Curvature")

    return work


def denoise_pymeshlab(v, f):
    meshes = meshlab(v, f)
    return lambda: meshes.apply_coord_two_steps_smoothing(stepsmoothnum=3)


JOBS = {
    "normals": Job(
        "normals",
        ["--weight", "angle"],
        {
            "pymeshlab": normals_pymeshlab,
            "libigl": normals_libigl,
            "meshlib": normals_meshlib,
            "gpytoolbox": normals_gpytoolbox,
        },
        "normals of all vertices, faces weighted by their angle (gpytoolbox: by area)",
    ),
    "curvature": Job(
        "curvature",
        [],
        {"libigl": curvature_libigl, "pymeshlab": curvature_pymeshlab},
        "Gaussian and mean curvature of all vertices (libigl: angle defects, Voronoi areas, cotangent Laplacian)",
    ),
    "denoise": Job(
        "denoise",
        ["--iterations", "3"],
        {"pymeshlab": denoise_pymeshlab},
        "three iterations of bilateral denoising (pymeshlab: of two-step smoothing, which keeps edges too)",
    ),
}
