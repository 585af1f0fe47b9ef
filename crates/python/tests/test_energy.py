"""Energies with gradients and Hessians."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ribbonmesh as rm

NAMES = ("springs", "symmetric-dirichlet", "arap")


def grid() -> tuple[rm.Mesh, Any]:
    """A grid, and other positions of its vertices."""
    mesh = rm.generate("grid", 6, device="cpu")
    x = np.array(mesh.vertices, np.float64)
    edge = (x.max(0) - x.min(0)).max() / 6
    return mesh, x * [1.1, 0.95, 1] + 0.05 * edge * np.random.default_rng(1).uniform(-1, 1, x.shape)


def solid() -> tuple[rm.Volume, Any]:
    """A cube of six tetrahedra, and other positions of its vertices."""
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], np.float64)
    cells = [[0, 1, 3, 7], [0, 5, 1, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 6, 4, 7]]
    volume = rm.Volume(corners, {"tetrahedra": cells}, "cpu")
    return volume, corners * [1.2, 0.9, 1.0] + 0.1 * np.random.default_rng(2).uniform(-1, 1, corners.shape)


def compare(energy: Any, x: Any) -> None:
    """Compares a gradient and the rows of a Hessian with differences."""
    found = energy(x)
    assert (found.gradient.shape, found.gradient.dtype, found.hessian) == (x.shape, np.float64, None)
    size, h = np.abs(found.gradient).max(), 1e-5
    for at in ((0, 0), (5, 1), (7, 0), (3, 2)):
        before, after = x.copy(), x.copy()
        before[at] -= h
        after[at] += h
        slope = (energy(after).value - energy(before).value) / (2 * h)
        assert abs(slope - found.gradient[at]) < 1e-6 * size


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_those_of_differences(name: Any) -> None:
    mesh, x = grid()
    compare(lambda x: mesh.energy(name, x, stiffness=3.0), x)
    # another energy in between, and the same bits again
    again = mesh.energy(name, x)
    mesh.energy("springs", x, stiffness=7.0)
    np.testing.assert_array_equal(mesh.energy(name, x).gradient, again.gradient)


def test_gradients_of_volumes_are_those_of_differences() -> None:
    volume, x = solid()
    compare(lambda x: volume.energy("neo-hookean", x, young=2.0, poisson=0.4), x)
    assert abs(volume.energy("neo-hookean", volume.points).value) < 1e-12
    inverted = x * [-1, 1, 1]
    assert volume.energy("neo-hookean", inverted).value == np.inf


def test_springs_by_hand() -> None:
    mesh, x = grid()
    at = np.array(mesh.vertices, float)
    a, b = mesh.edges.T
    rest = np.linalg.norm(at[a] - at[b], axis=1)
    length = np.linalg.norm(x[a] - x[b], axis=1)
    found = mesh.energy("springs", x, stiffness=3.0)
    np.testing.assert_allclose(found.value, (1.5 * (length / rest - 1) ** 2 * rest).sum(), rtol=1e-5)
    np.testing.assert_allclose(found.gradient.sum(0), 0, atol=1e-12)


def test_hessians() -> None:
    pytest.importorskip("scipy.sparse")
    (mesh, x), (volume, y) = grid(), solid()

    def of(name: Any) -> tuple[Any, Any]:
        if name == "neo-hookean":
            return y, lambda y: volume.energy(name, y, hessian=True)
        return x, lambda x: mesh.energy(name, x, hessian=True)

    for name in (*NAMES, "neo-hookean"):
        at, energy = of(name)
        matrix = energy(at).hessian
        assert matrix.shape == (at.size, at.size)
        assert abs(matrix - matrix.T).max() < 1e-14 * abs(matrix).max()
        # translations cost nothing
        assert abs(matrix @ np.tile([1.0, 2.0, 3.0], len(at))).max() < 1e-9 * abs(matrix).max()
        if name == "arap":
            continue
        way = np.random.default_rng(3).uniform(-1, 1, at.shape)
        if name == "symmetric-dirichlet":
            way[:, 2] = 0
        slope = (energy(at + 1e-6 * way).gradient - energy(at - 1e-6 * way).gradient) / 2e-6
        assert abs(matrix @ way.ravel() - slope.ravel()).max() < 1e-6 * abs(slope).max()
    projected = mesh.energy("springs", 0.8 * x, hessian=True, project=True).hessian
    assert np.linalg.eigvalsh(projected.toarray()).min() > -1e-9
    assert np.linalg.eigvalsh(mesh.energy("springs", 0.8 * x, hessian=True).hessian.toarray()).min() < -1e-3


def test_the_plane() -> None:
    mesh, x = grid()
    flat, deep = mesh.energy("symmetric-dirichlet", x[:, :2]), mesh.energy("symmetric-dirichlet", x)
    assert flat.value == deep.value
    assert not flat.gradient[:, 2].any()
    assert mesh.energy("symmetric-dirichlet", x * [-1, 1, 1]).value == np.inf


def test_a_descent() -> None:
    mesh, x = grid()
    values = []
    for _ in range(50):
        found = mesh.energy("arap", x)
        values.append(found.value)
        x = x - 0.1 * found.gradient
    assert all(after < before for before, after in zip(values, values[1:], strict=False))
    assert values[-1] < 0.1 * values[0]


def test_on_the_device() -> None:
    mesh, x = grid()
    for positions in (x, x.astype(np.float32)):
        host = mesh.energy("springs", positions, hessian=True)
        found = mesh.to_device().energy("springs", positions, hessian=True)
        assert isinstance(found.gradient, rm.DeviceArray)
        assert (found.gradient.shape, found.gradient.dtype) == (x.shape, np.dtype("float64"))
        np.testing.assert_array_equal(np.from_dlpack(found.gradient), host.gradient)
        np.testing.assert_array_equal(found.gradient.numpy(), host.gradient)
        assert isinstance(found.hessian, rm.DeviceCsr)
        assert found.value == host.value


def test_tensors_of_torch_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    mesh, x = grid()
    there = mesh.to_device()

    class Energy(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, mesh: rm.Mesh, name: Any) -> Any:
            found = mesh.energy(name, x.detach())
            ctx.save_for_backward(torch.from_dlpack(found.gradient).to(x.dtype))
            return x.new_tensor(found.value)

        @staticmethod
        def backward(ctx: Any, slope: Any) -> Any:
            return slope * ctx.saved_tensors[0], None, None

    gradient = there.energy("arap", torch.tensor(x)).gradient
    tensor = torch.from_dlpack(gradient)
    assert (tensor.dtype, tensor.data_ptr()) == (torch.float64, np.from_dlpack(gradient).ctypes.data)
    for name in NAMES:
        for of in (mesh, there):
            leaf = torch.tensor(x, requires_grad=True)
            assert torch.autograd.gradcheck(lambda x, of=of, name=name: Energy.apply(x, of, name), leaf, rtol=1e-5)


def test_refusals() -> None:
    (mesh, x), (volume, y) = grid(), solid()
    there = mesh.to_device()
    cubes = rm.Volume(np.array(solid()[0].points), {"hexahedra": [[0, 1, 3, 2, 4, 5, 7, 6]]}, "cpu")
    flat = rm.Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]], [[0, 1, 3], [0, 1, 2]], device="cpu")
    same = rm.Mesh([[0, 0, 0], [1, 0, 0], [1, 0, 0]], [[0, 1, 2]], device="cpu")
    wrong: Any = "none"
    for expected, says, call in (
        (rm.ArgumentError, "^name is .none.: one of springs", lambda: mesh.energy(wrong, x)),
        (rm.ArgumentError, "^positions have 35 rows, and the mesh has 36 vertices", lambda: mesh.energy("springs", x[1:])),
        (rm.ArgumentError, "^positions have 35 rows", lambda: there.energy("springs", x[1:])),
        (rm.ArgumentError, "^positions have the shape", lambda: mesh.energy("springs", x[:, 0])),
        (rm.ArgumentError, "^positions have the dtype int64", lambda: there.energy("springs", np.zeros(x.shape, np.int64))),
        (rm.ArgumentError, "^positions are a list, which lends no memory", lambda: there.energy("springs", x.tolist())),
        (rm.ArgumentError, "^stiffness is -1", lambda: mesh.energy("springs", x, stiffness=-1.0)),
        (rm.ArgumentError, "^young is 0", lambda: volume.energy("neo-hookean", y, young=0.0)),
        (rm.ArgumentError, "^poisson is 0.5", lambda: volume.energy("neo-hookean", y, poisson=0.5)),
        (rm.ArgumentError, "^name is 'none'", lambda: volume.energy(wrong, y)),
        (rm.MeshError, "^cell 0 is a hexahedron", lambda: cubes.energy("neo-hookean", cubes.points)),
        (rm.MeshError, "^face 1 has no area", lambda: flat.energy("arap", flat.vertices)),
        (rm.MeshError, "^face 1 has no area", lambda: flat.energy("symmetric-dirichlet", flat.vertices)),
        (rm.MeshError, "^the edge between vertices 1 and 2 has no length", lambda: same.energy("springs", same.vertices)),
    ):
        with pytest.raises(expected, match=says):
            call()
