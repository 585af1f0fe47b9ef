"""The module `blur_mesh`, installed by `pip install ./examples/blur-python`."""

import blur_mesh
import numpy as np
import pytest


def grid(n):
    x, y = np.meshgrid(np.arange(n, dtype=np.float32), np.arange(n, dtype=np.float32))
    vertices = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    lower = np.stack([corner, corner + 1, corner + n], axis=1)
    upper = np.stack([corner + 1, corner + n + 1, corner + n], axis=1)
    return vertices, np.concatenate([lower, upper]).astype(np.uint32)


def test_blur():
    vertices, faces = grid(20)
    values = np.zeros(400, dtype=np.float32)
    values[210] = 1
    blurred = blur_mesh.blur(vertices, faces, values, steps=1, weight=0.25)
    assert blurred[210] == 0.75
    # an inner vertex has six neighbours
    np.testing.assert_allclose(blurred[[209, 211, 190, 230, 191, 229]], 0.25 / 6, rtol=1e-6)
    assert np.count_nonzero(blurred) == 7


def test_refusals():
    vertices, faces = grid(4)
    values = np.zeros(16, dtype=np.float32)
    with pytest.raises(ValueError, match="weight"):
        blur_mesh.blur(vertices, faces, values, weight=2)
    with pytest.raises(ValueError, match=r"\(16, 2\)"):
        blur_mesh.blur(vertices[:, :2].copy(), faces, values)
    with pytest.raises(ValueError, match="face 0"):
        blur_mesh.blur(vertices, faces + 99, values)
    with pytest.raises(ValueError, match="value"):
        blur_mesh.blur(vertices, faces, values[:5])
