"""The jobs: what ribbonmesh is called with, and the same by the peers.

A peer takes coordinates and faces, prepares what it works on, and returns a function that does the work: only that is
timed. `args` of a job are the arguments of ribbonmesh between the mesh and the output. A `timed` command
reports the seconds of its work among its results; else that is the sum of its phases. Where the result is a `surface`,
which is compared with the input, the work returns vertices and faces, or a function that does. `prepare` makes the input
of all programs from the mesh's coordinates and faces. `second` is a command of ribbonmesh, or a
function of coordinates and faces, that makes a second mesh from the input: peers get its coordinates and faces after those
of the first. Without `output` the command writes no mesh.
"""
import importlib
from ast import literal_eval
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Job:
    command: str
    args: list[str]
    peers: dict[str, Callable] = field(default_factory=dict)
    what: str = ""
    timed: bool = False
    surface: bool = False
    prepare: Callable | None = None
    second: list[str] | Callable = field(default_factory=list)
    output: bool = True

    def options(self):
        """The arguments as those of a function of the Python package."""
        given, words = {}, list(self.args)
        while words:
            name = words.pop(0).removeprefix("--").replace("-", "_")
            value = words.pop(0) if words and not words[0].startswith("--") else "True"
            try:
                given[name] = literal_eval(value)
            except (ValueError, SyntaxError):
                given[name] = value
        return given

    def from_python(self, v, f, *others):
        """The same by the Python package: from arrays to arrays."""
        ribbonmesh = importlib.import_module("ribbonmesh")
        mesh = ribbonmesh.Mesh(v, f, "cpu")
        others = [ribbonmesh.Mesh(w, g, "cpu") for w, g in zip(others[::2], others[1::2])]

        def work():
            result = getattr(mesh, self.command)(*others, **self.options())
            if not isinstance(result, ribbonmesh.Mesh):
                return None
            arrays = result.vertices, result.faces
            return lambda: arrays

        return work


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


def normals_trimesh(v, f):
    mesh = importlib.import_module("trimesh").Trimesh(v, f, process=False)
    return lambda: mesh.vertex_normals


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


def flow_system(v, f):
    """M + t L of one implicit step with cotangent weights and barycentric masses, t = h² of the mean edge length; M x."""
    igl = importlib.import_module("igl")
    masses = igl.massmatrix(v, f, igl.MASSMATRIX_TYPE_BARYCENTRIC)
    step = igl.avg_edge_length(v, f) ** 2
    return (masses - step * igl.cotmatrix(v, f)).tocsc(), masses @ v


def smooth_libigl(v, f):
    igl, numpy, sparse = (importlib.import_module(name) for name in ("igl", "numpy", "scipy.sparse"))

    def work():
        matrix, right = flow_system(v, f)
        nothing = numpy.zeros((0, 3))
        known, constraints = numpy.zeros(0, numpy.int64), sparse.csc_matrix((0, len(v)))
        return igl.min_quad_with_fixed(matrix, -right, known, nothing, constraints, nothing, True)

    return work


def smooth_scipy(v, f):
    numpy, linalg = importlib.import_module("numpy"), importlib.import_module("scipy.sparse.linalg")

    def work():
        matrix, right = flow_system(v, f)
        matrix = matrix.tocsr()
        return numpy.stack([linalg.cg(matrix, right[:, i], x0=v[:, i], rtol=1e-5)[0] for i in range(3)], axis=1)

    return work


def denoise_meshlib(v, f):
    mr, mesh = meshlib(v, f)
    return lambda: mr.meshDenoiseViaNormals(mesh)


def simplify_pymeshlab(v, f):
    meshes = meshlab(v, f)

    def work():
        meshes.meshing_decimation_quadric_edge_collapse(targetfacenum=len(f) // 10)
        return lambda: (meshes.current_mesh().vertex_matrix(), meshes.current_mesh().face_matrix())

    return work


def simplify_fast_simplification(v, f):
    numpy, fast = importlib.import_module("numpy"), importlib.import_module("fast_simplification")
    points = v.astype(numpy.float32)
    return lambda: fast.simplify(points, f, target_count=len(f) // 10)


def simplify_meshoptimizer(v, f):
    numpy, meshoptimizer = importlib.import_module("numpy"), importlib.import_module("meshoptimizer")
    points, corners = v.astype(numpy.float32), f.astype(numpy.uint32).ravel()
    result = numpy.zeros_like(corners)

    def work():
        count = meshoptimizer.simplify(result, corners, points, target_index_count=len(f) // 10 * 3, target_error=1.0)
        return lambda: (v, result[:count].reshape(-1, 3))

    return work


def geodesic_potpourri3d(v, f):
    solver = importlib.import_module("potpourri3d").MeshFastMarchingDistanceSolver(v, f)
    return lambda: solver.compute_distance([[(0, [])]])


def geodesic_heat_potpourri3d(v, f):
    library = importlib.import_module("potpourri3d")
    return lambda: library.MeshHeatMethodDistanceSolver(v, f).compute_distance(0)


def geodesic_meshlib(v, f):
    mr, mesh = meshlib(v, f)
    return lambda: mr.computeSurfaceDistances(mesh, mr.MeshTriPoint(mesh.topology, mr.VertId(0)))


def remesh_gpytoolbox(v, f):
    toolbox = importlib.import_module("gpytoolbox")
    return lambda: toolbox.remesh_botsch(v, f, 3, mean_edge(v, f), True)


def remesh_meshlib(v, f):
    mr, mesh = meshlib(v, f)
    settings = mr.RemeshSettings()
    settings.targetEdgeLen = mean_edge(v, f)
    settings.finalRelaxIters = 3
    settings.projectOnOriginalMesh = True
    return lambda: mr.remesh(mesh, settings)


def remesh_pymeshlab(v, f):
    meshes, pymeshlab = meshlab(v, f), importlib.import_module("pymeshlab")
    length = pymeshlab.PureValue(mean_edge(v, f))
    return lambda: meshes.meshing_isotropic_explicit_remeshing(iterations=3, targetlen=length)


def mean_edge(v, f):
    """Of a closed mesh; edges of a boundary count half."""
    numpy = importlib.import_module("numpy")
    return float(numpy.mean([numpy.linalg.norm(v[f[:, i]] - v[f[:, i - 1]], axis=1).mean() for i in range(3)]))


def cluster_pyacvd(v, f):
    pyvista, pyacvd, numpy = (importlib.import_module(name) for name in ("pyvista", "pyacvd", "numpy"))
    mesh = pyvista.PolyData(v, numpy.hstack([numpy.full((len(f), 1), 3), f]).ravel())

    def work():
        clustering = pyacvd.Clustering(mesh)
        clustering.cluster(len(v) // 8)
        result = clustering.create_mesh()
        return lambda: (result.points, result.faces.reshape(-1, 4)[:, 1:])

    return work


def delaunay_meshlib(v, f):
    mr, mesh = meshlib(v, f)
    return lambda: mr.makeDeloneEdgeFlips(mesh, mr.DeloneSettings(), 100)


def hills(v, f):
    """A square sheet with hills, a disk, with about as many faces as the mesh."""
    np = importlib.import_module("numpy")
    n = max(3, round((len(f) / 2) ** 0.5) + 1)
    x, y = (a.ravel() for a in np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n)))
    z = 0.3 * np.sin(4 * x) * np.cos(5 * y) + 0.4 * np.exp(-8 * ((x - 0.3) ** 2 + y**2))
    first = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.concatenate([[first, first + 1, first + n + 1], [first, first + n + 1, first + n]], axis=1).T
    return np.stack([x, y, z], axis=1), faces.astype(f.dtype)


def circle(v, f):
    """The boundary of a disk, and places on a circle for it."""
    igl = importlib.import_module("igl")
    boundary = igl.boundary_loop(f)
    return igl, boundary, igl.map_vertices_to_circle(v, boundary)


def tutte_scipy(v, f):
    np, sparse = importlib.import_module("numpy"), importlib.import_module("scipy.sparse")
    solve = importlib.import_module("scipy.sparse.linalg").spsolve
    _, boundary, places = circle(v, f)

    def work():
        i, j = np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]).T
        joined = sparse.coo_array((np.ones(len(i)), (i, j)), shape=(len(v),) * 2).tocsr()
        joined = ((joined + joined.T) > 0).astype(float)
        matrix = (sparse.diags_array(joined.sum(axis=1)) - joined).tocsr()
        inner = np.setdiff1d(np.arange(len(v)), boundary)
        flat = np.zeros((len(v), 2))
        flat[boundary] = places
        flat[inner] = solve(matrix[inner][:, inner].tocsc(), -matrix[inner][:, boundary] @ places)
        return flat

    return work


def lscm_libigl(v, f):
    np = importlib.import_module("numpy")
    igl, boundary, _ = circle(v, f)
    ends = boundary[[0, len(boundary) // 2]]
    places = np.array([[0.0, 0.0], [np.linalg.norm(v[ends[0]] - v[ends[1]]), 0.0]])
    return lambda: igl.lscm(v, f, ends, places)


def spectral_scipy(v, f):
    np, sparse = importlib.import_module("numpy"), importlib.import_module("scipy.sparse")
    eigsh = importlib.import_module("scipy.sparse.linalg").eigsh
    igl, boundary, _ = circle(v, f)

    def work():
        n, here, there = len(v), boundary, np.roll(boundary, -1)
        laplacian = -igl.cotmatrix(v, f)
        # twice the area within the boundary is a form of both coordinates
        area = sparse.coo_array((np.ones(len(here)), (here, there)), shape=(n, n)).tocsr()
        area = 0.5 * (area - area.T)
        energy = sparse.block_array([[laplacian, -area], [area, laplacian]]).tocsc()
        on_boundary = np.zeros(n)
        on_boundary[boundary] = 1
        masses = sparse.diags_array(np.tile(on_boundary, 2)).tocsc()
        return eigsh(energy, k=4, M=masses + 1e-9 * sparse.eye_array(2 * n), sigma=-1e-4)

    return work


def slim_libigl(v, f):
    np = importlib.import_module("numpy")
    igl, boundary, places = circle(v, f)
    energy = igl.MappingEnergyType.SYMMETRIC_DIRICHLET
    nothing = np.zeros(0, np.int32), np.zeros((0, 2))

    def work():
        flat = igl.harmonic(v, f, boundary, places, 1)
        data = igl.slim_precompute(np.asfortranarray(v), np.asfortranarray(f, np.int32), np.asfortranarray(flat), energy, *nothing, 0.0)
        return igl.slim_solve(data, 20)

    return work


def delaunay_pymeshlab(v, f):
    meshes = meshlab(v, f)
    return lambda: meshes.meshing_edge_flip_by_planar_optimization(selection=False, planartype="delaunay")


SAMPLES = 500_000


def distance_pymeshlab(v, f, w, g):
    meshes = meshlab(v, f)
    meshes.add_mesh(importlib.import_module("pymeshlab").Mesh(vertex_matrix=w, face_matrix=g))

    def work():
        for a, b in [(0, 1), (1, 0)]:
            meshes.get_hausdorff_distance(
                sampledmesh=a, targetmesh=b, samplevert=True, sampleface=True, samplenum=SAMPLES
            )

    return work


def distance_meshlib(v, f, w, g):
    mr, a = meshlib(v, f)
    _, b = meshlib(w, g)
    return lambda: mr.findMaxDistanceSq(mr.MeshPart(a), mr.MeshPart(b))


def distance_libigl(v, f, w, g):
    igl = importlib.import_module("igl")
    return lambda: igl.hausdorff(v, f.astype("int64"), w, g.astype("int64"))


def intersections_meshlib(v, f):
    mr, mesh = meshlib(v, f)
    return lambda: mr.findSelfCollidingTriangles(mr.MeshPart(mesh))


def intersections_libigl(v, f):
    predicates = importlib.import_module("igl.predicates")
    return lambda: predicates.find_self_intersections(v, f.astype("int64"))


def intersections_pymeshlab(v, f):
    meshes = meshlab(v, f)
    return lambda: meshes.compute_selection_by_self_intersections_per_face()


def turn(v, f):
    """The mesh with its axes exchanged around the middle of its box, and moved by a part of its size."""
    numpy = importlib.import_module("numpy")
    low, high = v.min(axis=0), v.max(axis=0)
    middle, away = (low + high) / 2, (high - low).max() * numpy.array([0.11, 0.07, 0.05])
    return (v - middle)[:, [1, 2, 0]] + middle + away, f


def boolean_manifold(v, f, w, g):
    manifold3d = importlib.import_module("manifold3d")
    a, b = (manifold3d.Manifold(manifold3d.Mesh(x.astype("float32"), y.astype("uint32"))) for x, y in ((v, f), (w, g)))
    return lambda: (a - b).to_mesh()


def punch(v, f):
    """Holes: without the faces of every 500th vertex and of its neighbours."""
    numpy = importlib.import_module("numpy")
    near = numpy.zeros(len(v), bool)
    near[::500] = True
    near[f[near[f].any(axis=1)]] = True
    return v, f[~near[f].any(axis=1)]


def fill_meshlib(v, f):
    mr, mesh = meshlib(v, f)

    def work():
        mr.fillHoles(mesh, mr.std_vector_Id_EdgeTag(mesh.topology.findHoleRepresentiveEdges()))

    return work


def fill_pymeshlab(v, f):
    meshes = meshlab(v, f)
    return lambda: meshes.meshing_close_holes(maxholesize=len(f), selfintersection=False)


def damage(v, f):
    """Every 1000th face twice, every 700th turned over, and on a side of every 900th a third face."""
    numpy = importlib.import_module("numpy")
    turned = f.copy()
    turned[::700] = turned[::700, ::-1]
    sides = f[::900, :2]
    apexes = numpy.arange(len(v), len(v) + len(sides))
    points = v[sides].mean(axis=1) + 0.01 * (v.max(axis=0) - v.min(axis=0))
    thirds = numpy.column_stack([sides, apexes])
    return numpy.vstack([v, points]), numpy.vstack([turned, f[::1000], thirds])


def repair_pymeshlab(v, f):
    meshes = meshlab(v, f)

    def work():
        meshes.meshing_remove_duplicate_faces()
        meshes.meshing_repair_non_manifold_edges(method="Split Vertices")
        meshes.meshing_repair_non_manifold_vertices()
        meshes.meshing_re_orient_faces_coherently()

    return work


def repair_meshlib(v, f):
    return lambda: meshlib(v, f)


JOBS = {
    "normals": Job(
        "normals",
        ["--weight", "angle"],
        {
            "pymeshlab": normals_pymeshlab,
            "libigl": normals_libigl,
            "meshlib": normals_meshlib,
            "gpytoolbox": normals_gpytoolbox,
            "trimesh": normals_trimesh,
        },
        "normals of all vertices, faces weighted by their angle (gpytoolbox: by area)",
    ),
    "curvature": Job(
        "curvature",
        [],
        {"libigl": curvature_libigl, "pymeshlab": curvature_pymeshlab},
        "Gaussian and mean curvature of all vertices (libigl: angle defects, Voronoi areas, cotangent Laplacian)",
    ),
    "geodesic": Job(
        "geodesic",
        ["--source", "0"],
        {"potpourri3d": geodesic_potpourri3d, "meshlib": geodesic_meshlib},
        "distances of all vertices from the first one (the peers by fast marching, whose mean error is a few percent; ours lengths of paths, within "
        "hundredths of a percent in the mean; with its ring and level sets)",
    ),
    "geodesic-estimate": Job(
        "geodesic",
        ["--source", "0", "--estimate"],
        {"potpourri3d": geodesic_potpourri3d, "meshlib": geodesic_meshlib},
        "estimates of the same distances (the peers by fast marching; ours by propagation alone, with its ring and level sets)",
    ),
    "geodesic-heat": Job(
        "geodesic",
        ["--source", "0", "--heat"],
        {"potpourri3d": geodesic_heat_potpourri3d},
        "the same by the heat method on intrinsic Delaunay triangulations (with levels or factors, for one source)",
    ),
    "denoise": Job(
        "denoise",
        ["--method", "bilateral", "--iterations", "3"],
        {"pymeshlab": denoise_pymeshlab, "meshlib": denoise_meshlib},
        "three iterations of bilateral denoising (pymeshlab: of two-step smoothing, which keeps edges too; meshlib: denoising "
        "via normals with its own settings)",
    ),
    "simplify": Job(
        "simplify",
        ["--ratio", "0.1"],
        {
            "pymeshlab": simplify_pymeshlab,
            "fast_simplification": simplify_fast_simplification,
            "meshoptimizer": simplify_meshoptimizer,
        },
        "a tenth of the faces, by quadric errors (meshoptimizer: vertices stay where they are)",
        surface=True,
    ),
    "smooth": Job(
        "smooth",
        ["--time-step", "1h2", "--tolerance", "1e-5"],
        {"libigl, Eigen's Cholesky": smooth_libigl, "libigl, scipy's CG": smooth_scipy},
        "one implicit step of mean curvature flow, cotangent weights; the system is set up and solved (CG to 10⁻⁵)",
    ),
    "remesh": Job(
        "remesh",
        ["--project"],
        {"gpytoolbox": remesh_gpytoolbox, "meshlib": remesh_meshlib, "pymeshlab": remesh_pymeshlab},
        "isotropic remeshing to the mean edge length with projection (ours, gpytoolbox and pymeshlab: three iterations)",
        timed=True,
    ),
    "cluster": Job(
        "remesh",
        ["--fast", "--ratio", "0.125"],
        {"pyacvd": cluster_pyacvd},
        "an eighth of the vertices, by clusters",
        surface=True,
    ),
    "parameterize-isometric": Job(
        "parameterize",
        [],
        {"libigl": slim_libigl},
        "a sheet with hills of as many faces to the plane by the symmetric Dirichlet energy (libigl: 20 iterations of SLIM)",
        prepare=hills,
    ),
    "parameterize-tutte": Job(
        "parameterize",
        ["--method", "tutte"],
        {"scipy": tutte_scipy},
        "the same sheet, each vertex in the middle of its neighbours (scipy: spsolve)",
        prepare=hills,
    ),
    "parameterize-lscm": Job(
        "parameterize",
        ["--method", "lscm"],
        {"libigl": lscm_libigl},
        "the same sheet, least squares conformal",
        prepare=hills,
    ),
    "parameterize-spectral": Job(
        "parameterize",
        ["--method", "spectral"],
        {"scipy": spectral_scipy},
        "the same sheet, spectral conformal (scipy: eigsh with shift and inverse, four pairs)",
        prepare=hills,
    ),
    "delaunay": Job(
        "delaunay",
        [],
        {"meshlib": delaunay_meshlib, "pymeshlab": delaunay_pymeshlab},
        "Delaunay edge flips (meshlib: 100 iterations at most; pymeshlab: planar flips)",
        timed=True,
    ),
    "distance": Job(
        "distance",
        ["--samples", str(SAMPLES)],
        {"pymeshlab": distance_pymeshlab},
        "distances between a mesh and the same with a tenth of the faces, both ways: from the vertices and 500,000 points of "
        "either",
        second=["simplify", "--ratio", "0.1"],
        output=False,
    ),
    "vertex-distance": Job(
        "distance",
        ["--samples", "0"],
        {"meshlib": distance_meshlib, "libigl": distance_libigl},
        "the largest distance between a mesh and the same with a tenth of the faces, both ways, from the vertices",
        second=["simplify", "--ratio", "0.1"],
        output=False,
    ),
    "intersections": Job(
        "intersections",
        [],
        {
            "meshlib": intersections_meshlib,
            "libigl": intersections_libigl,
            "pymeshlab": intersections_pymeshlab,
        },
        "all pairs of triangles that intersect (pymeshlab: the triangles only)",
        output=False,
    ),
    "boolean": Job(
        "boolean",
        ["--op", "difference"],
        {"manifold3d": boolean_manifold},
        "the mesh without a copy whose axes are exchanged (manifold3d does not look for intersections within a mesh)",
        second=turn,
    ),
    "fill": Job(
        "fill",
        ["--method", "flat"],
        {"meshlib": fill_meshlib, "pymeshlab": fill_pymeshlab},
        "holes around every 500th vertex filled without new vertices",
        prepare=punch,
    ),
    "repair": Job(
        "repair",
        [],
        {"pymeshlab": repair_pymeshlab, "meshlib": repair_meshlib},
        "duplicate, turned and third faces repaired (pymeshlab: four filters; meshlib: its mesh is made from the triangles, "
        "which separates non-manifold vertices; it turns no faces)",
        prepare=damage,
    ),
}
