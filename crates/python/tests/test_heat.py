"""The heat method, with what its calls share."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm


@pytest.fixture(scope="module", params=["iterative", "direct"])
def heat(request: pytest.FixtureRequest) -> rm.HeatMethod:
    return rm.HeatMethod(ball(), solver=request.param)


def ball() -> rm.Mesh:
    return rm.generate("bumpy-sphere", 3, device="cpu")


def test_distances_are_those_of_geodesic(heat: rm.HeatMethod) -> None:
    for source in (0, [3, 40]):
        found = heat.distance(source)
        solver = heat.reports[0]["solver"]
        expected = ball().geodesic(source, heat=True, solver=solver).distance
        assert found.shape == (642,) and np.allclose(found, expected, atol=1e-5)
    each = heat.distances([0, [3, 40], 7])
    assert each.shape == (3, 642) and len(heat.reports) == 3
    assert all(report["converged"] for report in heat.reports)
    for row, source in zip(each, [0, [3, 40], 7], strict=True):
        assert np.allclose(row, heat.distance(source), atol=1e-5)


def test_vectors(heat: rm.HeatMethod) -> None:
    axes = heat.basis(5)
    assert np.allclose(axes @ axes.T, np.eye(2))
    carried = heat.transport(5, 3 * axes[1])
    assert np.allclose(np.linalg.norm(carried, axis=1), 3) and np.allclose(carried[5], 3 * axes[1])
    two = heat.transport([5, 100], [axes[0], 4 * heat.basis(100)[0]])
    assert np.allclose(np.linalg.norm(two[[5, 100]], axis=1), [1, 4], atol=0.1)


def test_maps_and_signs(heat: rm.HeatMethod) -> None:
    mesh = ball()
    solver = heat.reports[0]["solver"] if heat.reports else "auto"
    expected = mesh.geodesic(5, log_map=True, solver=solver).log_map
    assert expected is not None
    assert np.allclose(heat.log_map(5), expected, atol=1e-5, equal_nan=True)
    maps = heat.log_maps([5, 9])
    assert maps.shape == (2, 642, 2) and np.allclose(maps[0], expected, atol=1e-5, equal_nan=True)
    curve = np.asarray(mesh.faces)[0]
    signed = mesh.geodesic(curve, signed=True, solver=solver).distance
    assert np.allclose(heat.signed_distance(curve), signed, atol=1e-5)


def test_what_is_refused() -> None:
    with pytest.raises(rm.ArgumentError, match="time"):
        rm.HeatMethod(ball(), time=0)
    with pytest.raises(rm.ArgumentError, match="solver"):
        rm.HeatMethod(ball(), solver="fast")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Mesh"):
        rm.HeatMethod(3)  # type: ignore[arg-type]
    heat = rm.HeatMethod(ball())
    assert heat.reports == [] and repr(heat) == "HeatMethod(642 vertices)"
    for call in (heat.distance, heat.log_map, heat.basis):
        with pytest.raises(rm.ArgumentError, match="642"):
            call(642)
    with pytest.raises(rm.ArgumentError, match="at least one"):
        heat.distance([])
    with pytest.raises(rm.ArgumentError, match="at least one"):
        heat.distances([])
    with pytest.raises(rm.ArgumentError, match="shape"):
        heat.transport([0, 1], [1, 0, 0])
    with pytest.raises(rm.ArgumentError, match="finite"):
        heat.transport(0, [1, np.nan, 0])
    with pytest.raises(rm.ArgumentError, match="edge"):
        heat.signed_distance([0, 600])
    two_sheets = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3]], device="cpu")
    assert np.isfinite(rm.HeatMethod(two_sheets).distance(0)).all()
    with pytest.raises(rm.NotManifoldError):
        rm.HeatMethod(two_sheets).log_map(0)
