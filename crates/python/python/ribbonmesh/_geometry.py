"""What numpy does on meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def corners(vertices: npt.NDArray[Any], faces: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The corners of faces: an array (m, 3, 3)."""
    of: npt.NDArray[np.float64] = np.asarray(vertices, np.float64)[faces]
    return of


def normals_and_areas(of: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Unit normals, 0 where there is no area, and areas."""
    normal = np.cross(of[:, 1] - of[:, 0], of[:, 2] - of[:, 0])
    length = np.linalg.norm(normal, axis=1)
    unit = np.divide(normal, length[:, None], out=np.zeros_like(normal), where=length[:, None] > 0)
    return unit, length / 2


def sample(
    of: npt.NDArray[np.float64], areas: npt.NDArray[np.float64], count: int, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Points that are uniform by area, one in each of as many parts of equal area, with their faces and weights of corners."""
    random = np.random.default_rng(seed)
    ends = np.cumsum(areas)
    at = (np.arange(count) + random.random(count)) * (ends[-1] / count)
    # rounding may lead behind the last face, or to one without area
    faces = np.minimum(np.searchsorted(ends, at, side="right"), np.flatnonzero(areas > 0)[-1])
    root, other = np.sqrt(random.random(count)), random.random(count)
    weights = np.stack([1 - root, root * (1 - other), root * other], axis=1)
    return np.einsum("ni,nij->nj", weights, of[faces]), faces.astype(np.int64), weights


def mixed(values: npt.NDArray[Any], rows: npt.NDArray[Any], weights: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    """Values of three rows each: interpolated if they are real numbers, else those of the row with the largest weight."""
    if values.dtype.kind != "f":
        nearest: npt.NDArray[Any] = values[np.take_along_axis(rows, weights.argmax(axis=1)[:, None], axis=1)[:, 0]]
        return nearest
    of = values[rows].astype(np.float64)
    # a row without weight does not count, even where it is no number
    parts = np.where(weights.reshape(weights.shape + (1,) * (of.ndim - 2)) > 0, of, 0.0)
    made: npt.NDArray[Any] = np.einsum("ni,ni...->n...", weights, parts).astype(values.dtype)
    return made


def affine(matrix: object) -> npt.NDArray[np.float64]:
    """The first three rows of a matrix of homogeneous coordinates; raises ValueError if it is none."""
    array = np.asarray(matrix, np.float64)
    if array.shape == (4, 4) and (array[3] == [0, 0, 0, 1]).all():
        array = array[:3]
    if array.shape != (3, 4):
        raise ValueError(f"the matrix has the shape {array.shape}: (4, 4) with the last row 0 0 0 1, or (3, 4), is needed")
    return np.ascontiguousarray(array)
