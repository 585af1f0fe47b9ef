"""Textures from one mesh to another."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm


def ball(subdivisions: int) -> rm.Mesh:
    return rm.generate("icosphere", subdivisions, device="cpu")


def test_textures() -> None:
    fine, coarse = ball(4), ball(2).unwrap()
    found = coarse.bake(fine, "normal", resolution=64)
    assert found.values.shape == (64, 64, 3) and found.values.dtype == np.float32
    assert found.covered.shape == (64, 64)
    counts = [int((found.covered == state).sum()) for state in (1, 2)]
    assert [found.report.dilated, found.report.texels] == counts and min(counts) > 0
    # normals of a sphere have length 1, and there is nothing elsewhere
    lengths = np.linalg.norm(found.values, axis=2)
    np.testing.assert_allclose(lengths[found.covered > 0], 1, atol=1e-5)
    assert not lengths[found.covered == 0].any()
    # those in the tangent space of a coarse sphere are nearly along its normals
    tangent = coarse.bake(fine, "tangent-normal", resolution=64)
    assert tangent.values[tangent.covered == 2][:, 2].min() > 0.9
    # a column, from where meshes are near each other, also of arrays on a device
    named = fine.with_attributes(vertex={"height": fine.vertices[:, 2]}).to_device()
    heights = coarse.to_device().bake(named, "height", resolution=32, dilate=0, max_distance=1)
    assert heights.values.shape == (32, 32, 1) and heights.report.dilated == 0
    assert -1.001 < heights.values.min() < -0.8 and 0.8 < heights.values.max() < 1.001
    assert coarse.bake(named, "height", resolution=32, max_distance=0).report.texels < heights.report.texels


def test_refusals() -> None:
    fine, coarse = ball(2), ball(1).unwrap()
    with pytest.raises(rm.MeshError, match="texture coordinates"):
        ball(1).bake(fine, "normal")
    with pytest.raises(rm.MeshError, match="colours"):
        coarse.bake(fine)
    with pytest.raises(rm.MeshError, match="no column"):
        coarse.bake(fine, "depth")
    for wrong in ({"resolution": 0}, {"dilate": 257}, {"max_distance": -1.0}, {"max_distance": float("nan")}):
        with pytest.raises(rm.ArgumentError, match=next(iter(wrong))):
            coarse.bake(fine, "normal", **wrong)
