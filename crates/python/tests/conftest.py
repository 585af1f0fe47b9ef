"""What tests share."""

from __future__ import annotations

import numpy as np
import pytest

import ribbonmesh as rm


@pytest.fixture(scope="session")
def ball() -> rm.Mesh:
    return rm.generate("icosphere", 3, device="cpu")


@pytest.fixture(scope="session")
def bumpy() -> rm.Mesh:
    return rm.generate("bumpy-sphere", 4, device="cpu")


@pytest.fixture
def square() -> tuple[np.ndarray, np.ndarray]:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=np.float64)
    return vertices, np.array([[0, 1, 2], [1, 3, 2]])
