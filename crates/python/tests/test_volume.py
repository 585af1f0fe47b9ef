"""Volumes."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm


def beam(n: int = 4, length: float = 4.0) -> rm.Volume:
    """Hexahedra along x."""
    grid = np.stack(np.meshgrid(np.linspace(0, length, n + 1), [0, 1], [0, 1], indexing="ij"), axis=-1)
    at = np.arange(4 * (n + 1)).reshape(n + 1, 2, 2)
    cells = [
        [at[i, 0, 0], at[i + 1, 0, 0], at[i + 1, 1, 0], at[i, 1, 0], at[i, 0, 1], at[i + 1, 0, 1], at[i + 1, 1, 1], at[i, 1, 1]]
        for i in range(n)
    ]
    return rm.Volume(grid.reshape(-1, 3), {"hexahedra": cells}, "cpu")


def test_arrays_in_and_out() -> None:
    volume = beam().with_data(point={"heat": np.arange(20.0)}, cell={"stress": np.ones((4, 6))})
    assert (len(volume), volume.points.shape) == (4, (20, 3))
    assert volume.cells["hexahedra"].shape == (4, 8)
    np.testing.assert_array_equal(volume.cell_ids["hexahedra"], np.arange(4))
    assert volume.cell_data["stress"].shape == (4, 6)
    info = volume.info()
    assert (info.hexahedra, info.sound, info.total_volume) == (4, True, pytest.approx(4))
    assert len(volume.surface()) == 2 * (4 * 4 + 2)
    assert volume.surface().info().volume == pytest.approx(4)
    assert set(volume.with_data(point={"heat": None}).point_data) == set()
    for wrong in (
        lambda: rm.Volume([[0, 0, 0]], {"tetrahedra": [[0, 1, 2, 3]]}, "cpu"),
        lambda: rm.Volume(np.zeros((4, 3)), {"cubes": [[0, 1, 2, 3]]}, "cpu"),
        lambda: rm.Volume(np.zeros((4, 3)), {"tetrahedra": [[0, 1, 2]]}, "cpu"),
        lambda: rm.Volume(np.full((4, 3), np.nan), {"tetrahedra": [[0, 1, 2, 3]]}, "cpu"),
        lambda: volume.with_data(point={"heat": np.arange(3)}),
        lambda: volume.subdivide(0),
    ):
        with pytest.raises(rm.Error):
            wrong()


@pytest.mark.parametrize("name", ["a.vtu", "a.vtk", "a.msh", "a.mesh", "a.ovm"])
def test_files(tmp_path, name) -> None:
    volume = beam().with_data(point={"heat": np.arange(20.0)})
    volume.write(tmp_path / name)
    again = rm.read_volume(tmp_path / name, "cpu")
    assert (len(again), again.points.shape) == (4, (20, 3))
    assert again.info().total_volume == pytest.approx(4)
    with pytest.raises(rm.ReadError):
        rm.read_volume(tmp_path / "missing.vtu", "cpu")
    with pytest.raises(rm.ArgumentError):
        volume.write(tmp_path / "a.what")


def test_subdivide_and_smooth() -> None:
    fine = beam().subdivide(2)
    assert len(fine) == 4 * 64
    smooth = fine.smooth(3)
    assert smooth.report.inverted_cells_after == 0


def test_tetrahedra(ball) -> None:
    volume = ball.tetrahedralize(cells=3000, faces=True)
    assert 1500 < len(volume) < 6000
    assert volume.report.least_angle > 10.6
    assert volume.info().total_volume == pytest.approx(4 / 3 * np.pi, rel=0.05)
    assert "surface_face" in volume.face_data
    with pytest.raises(rm.MeshError, match="clos|boundary|open"):
        ball.submesh(range(100)).tetrahedralize(cells=100)
    with pytest.raises(rm.ArgumentError, match="one of size and cells"):
        ball.tetrahedralize()


def test_a_beam_bends() -> None:
    # by Euler and Bernoulli, F L³ / 3 E I with I = 1/12; shear and clamping make up the rest
    solved = beam(80, 20.0).elasticity(fix="min-x", load={"max-x": (0, 0, -1.0)}, young=1e6, poisson=0.0)
    assert solved.report.converged
    assert solved.report.reaction == pytest.approx([0, 0, 1], abs=1e-5)
    displacement = solved.point_data["displacement"]
    assert -displacement[:, 2].min() == pytest.approx(20**3 / (3 * 1e6 / 12), rel=0.1)
    moved = beam().elasticity(fix="min-x", move={"max-x": (0.1, None, None)}, young=10.0)
    assert moved.point_data["displacement"][:, 0].max() == pytest.approx(0.1)
    vibrating = beam().elasticity(modes=8, young=10.0, density=2.0)
    frequencies = vibrating.report.frequencies
    assert frequencies[:6] == [0.0] * 6 and 0 < frequencies[6] <= frequencies[7]
    assert vibrating.point_data["mode_6"].shape == vibrating.points.shape
    for wrong in (
        lambda: beam().elasticity(modes=0),
        lambda: beam().elasticity(modes=100_000),
        lambda: beam().elasticity(modes=3, density=0.0),
        lambda: beam().elasticity(modes=3, load={"max-x": (1, 2, 3)}),
        lambda: beam().elasticity(modes=3, precision="mixed"),
        lambda: beam().elasticity(fix="nowhere"),
        lambda: beam().elasticity(fix="min-x", load={"max-x": (1, 2)}),
        lambda: beam().elasticity(fix="min-x", tolerance=2.0),
        lambda: beam().elasticity(fix="min-x", order=4),
        lambda: beam().elasticity(fix="min-x", precision="half"),
    ):
        with pytest.raises(rm.Error):
            wrong()
