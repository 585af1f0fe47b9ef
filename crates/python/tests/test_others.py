"""Arrays to other libraries and back, where they are installed."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm


def same(one: rm.Mesh, vertices: object, faces: object) -> None:
    other = rm.Mesh(vertices, faces, "cpu")
    np.testing.assert_array_equal(one.faces, other.faces)
    np.testing.assert_allclose(one.vertices, other.vertices, rtol=1e-6)


def test_trimesh(bumpy) -> None:
    trimesh = pytest.importorskip("trimesh")
    theirs = trimesh.Trimesh(bumpy.vertices, bumpy.faces, process=False)
    assert theirs.is_watertight
    assert theirs.volume == pytest.approx(bumpy.info().volume, rel=1e-5)
    same(bumpy, theirs.vertices, theirs.faces)


def test_meshio(bumpy, tmp_path) -> None:
    meshio = pytest.importorskip("meshio")
    heat = np.array(bumpy.vertices)[:, 1]
    meshio.Mesh(bumpy.vertices, [("triangle", bumpy.faces)], point_data={"heat": heat}).write(tmp_path / "mesh.vtu")
    read = meshio.read(tmp_path / "mesh.vtu")
    same(bumpy, read.points, read.cells_dict["triangle"])
    back = rm.Mesh(read.points, read.cells_dict["triangle"], "cpu", vertex_attributes=read.point_data)
    np.testing.assert_allclose(back.vertex_attributes["heat"], heat)


def test_pyvista(bumpy) -> None:
    pyvista = pytest.importorskip("pyvista")
    theirs = pyvista.PolyData.from_regular_faces(bumpy.vertices, bumpy.faces)
    theirs["mean"] = bumpy.curvature().mean_curvature
    assert theirs.n_cells == len(bumpy)
    same(bumpy, theirs.points, theirs.regular_faces)


def test_polyscope(bumpy) -> None:
    polyscope = pytest.importorskip("polyscope")
    polyscope.init("openGL_mock")
    shown = polyscope.register_surface_mesh("mesh", bumpy.vertices, bumpy.faces)
    shown.add_scalar_quantity("mean", bumpy.curvature().mean_curvature)
    assert shown.n_faces() == len(bumpy)
    polyscope.remove_all_structures()


def test_torch(bumpy) -> None:
    torch = pytest.importorskip("torch")
    vertices, faces = torch.tensor(bumpy.vertices), torch.tensor(bumpy.faces)
    same(bumpy, vertices, faces)
    resident = bumpy.to_device()
    shared = torch.from_dlpack(resident.vertices)
    assert shared.data_ptr() == resident.vertices.address
