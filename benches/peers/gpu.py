"""Whole jobs from arrays on a GPU to arrays on a GPU, as a Markdown table on stdout:

    python gpu.py dragon.ply icosphere:7 bumpy-sphere:8 --only normals,closest --device cuda

A mesh is a PLY file as `ribbonmesh convert` writes it, or a shape of `ribbonmesh.generate` with its sizes; by default
a bumpy sphere of 1,310,720 faces. Arrays are tensors of torch where it is installed, else arrays of the package. Each
row has the first call, and the median of the warm calls, in milliseconds, synchronised. Peers that can be imported
(torch, warp, cumesh, cubvh) do the same job beside it; of a job that fails the table has the error. `--device cpu`
tries the script without a GPU.
"""
import argparse
import functools
import importlib
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

import numpy as np
import ribbonmesh

import ply


def module(name):
    """The module, or None where it cannot be imported."""
    try:
        return importlib.import_module(name)
    except Exception:  # a peer's library may also fail to load
        return None


torch = module("torch")


@dataclass
class Place:
    """Where arrays live, and how many points are looked for."""

    device: str
    points: int

    @property
    def tensors(self):
        """Whether arrays are torch's."""
        return torch is not None and self.device != "cpu" and torch.cuda.is_available()

    def array(self, values):
        """An array there; without torch, one of numpy."""
        return torch.as_tensor(values, device=self.device) if self.tensors else values

    def mesh(self, vertices, faces):
        """A mesh of arrays there: the beginning of a whole call."""
        made = ribbonmesh.Mesh(vertices, faces, self.device)
        return made if self.tensors else made.to_device()

    def taken(self, result):
        """Takes what a job returns, as the caller would, and waits."""
        if self.tensors:
            arrays = [result.vertices, result.faces] if isinstance(result, ribbonmesh.Mesh) else [result]
            for array in arrays:
                if isinstance(array, ribbonmesh.DeviceArray):
                    torch.from_dlpack(array)
            torch.cuda.synchronize()


@dataclass
class Input:
    """A mesh with what jobs are given."""

    name: str
    place: Place
    x: np.ndarray
    f: np.ndarray
    random: Any = field(default_factory=lambda: np.random.default_rng(1))

    @functools.cached_property
    def arrays(self):
        return self.place.array(self.x), self.place.array(self.f)

    @functools.cached_property
    def kept(self):
        return self.place.mesh(*self.arrays)

    @functools.cached_property
    def points(self):
        """Points in the box around the mesh."""
        least, most = self.x.min(0), self.x.max(0)
        return self.place.array(self.random.uniform(least, most, (self.place.points, 3)).astype(np.float32))

    @functools.cached_property
    def moved(self):
        """A mesh at a distance of about a thousandth of the box."""
        size = float(np.ptp(self.x, axis=0).max())
        return self.place.array(self.x + np.float32(1e-3 * size) * np.sin(self.x * np.float32(40 / size)))

    @functools.cached_property
    def holes(self):
        """Faces without those around every 500th vertex."""
        return self.f[(self.f % 500 != 0).all(1)]

    @functools.cached_property
    def broken(self):
        """The same with every 7th face turned, and every 11th twice."""
        faces = self.holes.copy()
        faces[::7] = faces[::7, ::-1]
        return np.concatenate([faces, faces[::11]])


def takes_device_points(given):
    """Points on the device where the package takes them, else on the host."""
    probe = given.points[:1] if given.place.tensors else given.kept.vertices
    try:
        given.kept.closest(probe)
    except ribbonmesh.Error:
        points = given.points
        return points.cpu().numpy() if given.place.tensors else points
    return given.points if given.place.tensors else given.place.mesh(given.points, [[0, 1, 2]]).vertices


def anew(given, method, triangles=None, /, **options):
    """A job that begins with arrays."""
    x, f = given.arrays
    f = f if triangles is None else given.place.array(triangles)
    return lambda: getattr(given.place.mesh(x, f), method)(**options)


def normals(given):
    return anew(given, "normals", weight="area")


def closest_kept(given):
    points = takes_device_points(given)
    return lambda: given.kept.closest(points).points


def closest_anew(given):
    points, (x, f) = takes_device_points(given), given.arrays
    return lambda: given.place.mesh(x, f).closest(points).points


def inside(method):
    def job(given):
        return lambda: given.kept.inside(given.points, method=method).inside

    return job


def distance(given):
    (x, f), y = given.arrays, given.moved
    return lambda: given.place.mesh(x, f).distance(given.place.mesh(y, f), samples=100_000)


def peer_normals_torch(given):
    if not given.place.tensors:
        return None
    x, f = given.arrays[0], given.arrays[1].long()

    def work():
        a, b, c = x[f[:, 0]], x[f[:, 1]], x[f[:, 2]]
        of_faces = torch.linalg.cross(b - a, c - a)
        sums = torch.zeros_like(x)
        for corner in range(3):
            sums.index_add_(0, f[:, corner], of_faces)
        return torch.nn.functional.normalize(sums, dim=1)

    return work


def cumesh(after):
    """A job of CuMesh that begins with arrays; `after` works on its mesh."""

    def job(given, faces=None):
        peer = module("cumesh")
        if peer is None or not given.place.tensors:
            return None
        x, f = given.arrays[0], given.place.array(given.f if faces is None else faces)

        def work():
            mesh = peer.CuMesh()
            mesh.init(x, f)
            return after(mesh, given)

        return work

    return job


def cumesh_normals(mesh, _):
    mesh.compute_vertex_normals()
    return mesh.read_vertex_normals()


def cumesh_fill(mesh, given):
    mesh.fill_holes(max_hole_perimeter=float(np.ptp(given.x, axis=0).max()))
    return mesh.read()


def cumesh_simplify(part):
    def after(mesh, given):
        mesh.simplify(len(given.f) // part)
        return mesh.read()

    return after


def cubvh(kept):
    def job(given):
        peer = module("cubvh")
        if peer is None or not given.place.tensors:
            return None
        x, f = given.arrays
        tree = peer.cuBVH(x, f)
        find = functools.partial(tree.unsigned_distance, given.points, return_uvw=True)
        return find if kept else lambda: peer.cuBVH(x, f).unsigned_distance(given.points, return_uvw=True)

    return job


@functools.cache
def warp_kernels(warp):
    def closest(mesh: warp.uint64, points: warp.array(dtype=warp.vec3), found: warp.array(dtype=warp.vec3)):
        i = warp.tid()
        query = warp.mesh_query_point_no_sign(mesh, points[i], 1.0e30)
        found[i] = warp.mesh_eval_position(mesh, query.face, query.u, query.v)

    return warp.kernel(closest)


def warp_closest(warp, mesh, points):
    found = warp.empty_like(points)
    warp.launch(warp_kernels(warp), dim=len(points), inputs=[mesh.id, points, found])
    return found


def warp_mesh(warp, x, f):
    corners = warp.from_torch(f.reshape(-1).int())
    return warp.Mesh(points=warp.from_torch(x, dtype=warp.vec3), indices=corners)


def peer_warp(kept):
    def job(given):
        warp = module("warp")
        if warp is None or not given.place.tensors:
            return None
        points = warp.from_torch(given.points, dtype=warp.vec3)
        mesh = warp_mesh(warp, *given.arrays)
        if kept:
            return lambda: warp_closest(warp, mesh, points)
        return lambda: warp_closest(warp, warp_mesh(warp, *given.arrays), points)

    return job


def peer_distance_warp(given):
    warp = module("warp")
    if warp is None or not given.place.tensors:
        return None
    x, f = given.arrays

    def sampled(x):
        a, b, c = (x[f[:, i].long()] for i in range(3))
        ends = torch.cumsum(torch.linalg.cross(b - a, c - a).norm(dim=1).double(), 0)
        of = torch.searchsorted(ends, torch.rand(100_000, device=x.device, dtype=torch.float64) * ends[-1])
        of = of.clamp(max=len(f) - 1)
        root, other = torch.rand(len(of), 1, device=x.device).sqrt(), torch.rand(len(of), 1, device=x.device)
        return torch.cat([x, (1 - root) * a[of] + root * (1 - other) * b[of] + root * other * c[of]])

    def one_way(points, y):
        found = warp_closest(warp, warp_mesh(warp, y, f), warp.from_torch(points.contiguous(), dtype=warp.vec3))
        away = (points - warp.to_torch(found)).norm(dim=1)
        return away.max().item(), away.mean().item()

    return lambda: (one_way(sampled(x), given.moved), one_way(sampled(given.moved), x))


@dataclass
class Row:
    """A job of the package, and the same by peers; each takes an input and returns the call that is measured."""

    key: str
    title: str
    ours: Callable
    peers: dict[str, Callable] = field(default_factory=dict)


ROWS = [
    Row("normals", "normals by area", normals, {
        "torch": peer_normals_torch, "cumesh": cumesh(cumesh_normals)}),
    Row("closest", "closest points, mesh kept", closest_kept, {
        "warp": peer_warp(True), "cubvh": cubvh(True)}),
    Row("closest-anew", "closest points, with the tree", closest_anew, {
        "warp": peer_warp(False), "cubvh": cubvh(False)}),
    Row("distance", "distance, 100 k samples each way", distance, {"warp": peer_distance_warp}),
    Row("fill", "fill, holes around every 500th vertex", lambda given: anew(given, "fill", given.holes), {
        "cumesh": lambda given: cumesh(cumesh_fill)(given, given.holes)}),
    Row("fill-flat", "the same, flat", lambda given: anew(given, "fill", given.holes, method="flat"), {
        "cumesh": lambda given: cumesh(cumesh_fill)(given, given.holes)}),
    Row("wrap256", "wrap, 256", lambda given: anew(given, "wrap", resolution=256)),
    Row("wrap512", "wrap, 512", lambda given: anew(given, "wrap", resolution=512)),
    Row("clean", "clean: holes, turned and doubled faces, to 10 %",
        lambda given: anew(given, "clean", given.broken, faces=len(given.f) // 10)),
    Row("clusters", "clusters, vertices to an eighth", lambda given: anew(given, "remesh", fast=True, ratio=0.125)),
    Row("inside", "inside, winding", inside("winding")),
    Row("inside-rays", "inside, rays", inside("rays")),
    Row("simplify10", "simplify to 10 %", lambda given: anew(given, "simplify", ratio=0.1), {
        "cumesh": cumesh(cumesh_simplify(10))}),
    Row("simplify1", "simplify to 1 %", lambda given: anew(given, "simplify", ratio=0.01), {
        "cumesh": cumesh(cumesh_simplify(100))}),
]  # fmt: skip


def measured(work, place, times):
    """Milliseconds of the first call, and the median of the others."""

    def once():
        if place.tensors:
            torch.cuda.synchronize()
        start = time.perf_counter()
        place.taken(work())
        return 1e3 * (time.perf_counter() - start)

    first = once()
    return first, statistics.median(once() for _ in range(times))


def told(job, given, times):
    """The cells of a job."""
    try:
        work = job(given)
        if work is None:
            return None
        return [f"{of:.2f}" for of in measured(work, given.place, times)]
    except Exception as error:  # the other rows are still measured
        return ["", f"{type(error).__name__}: {str(error).splitlines()[0][:80] if str(error) else ''}"]


def read(text, place):
    """A mesh by its argument."""
    if Path(text).exists():
        x, f = ply.read(text)
        return Input(Path(text).stem, place, x.astype(np.float32), f)
    kind, *sizes = text.split(":")
    mesh = ribbonmesh.generate(kind, *map(int, sizes), device="cpu")
    return Input(text, place, np.array(mesh.vertices, np.float32), np.array(mesh.faces, np.int32))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshes", nargs="*", default=["bumpy-sphere:8"])
    parser.add_argument("--only", help=f"rows, by commas: {', '.join(row.key for row in ROWS)}")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--points", type=int, default=1_000_000, help="points of closest and inside")
    parser.add_argument("--times", type=int, default=5, help="warm calls")
    parser.add_argument("--no-peers", action="store_true")
    chosen = parser.parse_args()
    keys = {row.key for row in ROWS} if chosen.only is None else set(chosen.only.split(","))
    if unknown := keys - {row.key for row in ROWS}:
        parser.error(f"no row {', '.join(sorted(unknown))}")
    place = Place(chosen.device, chosen.points)
    arrays = "torch" if place.tensors else "the package"
    print(f"{ribbonmesh.device_name(chosen.device)[0]}; arrays of {arrays}; milliseconds\n")
    print("| mesh | faces | job | by | first | warm median |\n|---|---|---|---|---|---|")
    for text in chosen.meshes:
        given = read(text, place)
        for row in (row for row in ROWS if row.key in keys):
            peers = {} if chosen.no_peers else row.peers
            for who, job in {"ribbonmesh": row.ours, **peers}.items():
                if (cells := told(job, given, chosen.times)) is not None:
                    first, warm = cells
                    print(f"| {given.name} | {len(given.f):,} | {row.title} | {who} | {first} | {warm} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
