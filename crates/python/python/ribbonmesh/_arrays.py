"""Arrays that are given, in the types that the native part takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import ArgumentError
from ._native import DeviceArray


def described(array: npt.NDArray[Any]) -> str:
    """The shape and the type of an array, for messages."""
    return f"the shape {array.shape} and the dtype {array.dtype}"


def _array(values: object, what: str) -> npt.NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ArgumentError(f"{what} have masked entries; fill or drop them")
    try:
        array = np.asarray(_lent(values))
    except (ValueError, TypeError, RuntimeError, BufferError) as error:
        raise ArgumentError(f"{what} are no array: {error}") from error
    return array


def _lent(values: object) -> object:
    """Tensors that numpy would take apart number by number, such as open3d's, as arrays on their memory."""
    known = (np.ndarray, list, tuple, int, float)
    if isinstance(values, known) or hasattr(values, "__array__") or hasattr(values, "__array_interface__"):
        return values
    if hasattr(values, "__dlpack__") and hasattr(values, "__dlpack_device__"):
        return np.from_dlpack(values)
    convert = getattr(values, "numpy", None)
    return convert() if callable(convert) else values


def _plain(array: npt.NDArray[Any], dtype: npt.DTypeLike | None) -> npt.NDArray[Any]:
    """Of this type, in native byte order, aligned; the same array where it is that already."""
    wanted = array.dtype if dtype is None else np.dtype(dtype)
    wanted = wanted.newbyteorder("=")
    if array.dtype != wanted or not array.dtype.isnative or not array.flags.aligned:
        return np.array(array, dtype=wanted, order="C", copy=True)
    return array


def points(values: object, what: str = "points") -> npt.NDArray[Any]:
    """Positions, as float32 or float64 of the shape (n, 3)."""
    array = _array(values, what)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"{what} have {described(array)}: the shape (n, 3) is needed")
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f":
        return _plain(array, np.float32 if size <= 4 else np.float64)
    if kind in "iu":
        return _plain(array, np.float64)
    raise ArgumentError(f"{what} have {described(array)}: real numbers are needed")


def faces(values: object) -> npt.NDArray[Any]:
    """Vertices of faces, as integers of 32 or 64 bits of the shape (m, 3)."""
    array = _array(values, "faces")
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"faces have {described(array)}: the shape (m, 3) is needed")
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"faces have {described(array)}: an integer type is needed")
    return _plain(array, None if array.dtype.itemsize >= 4 else np.int64)


def _fetched(values: object, device: str, what: str) -> npt.NDArray[Any]:
    """A copy on the host of an array on a device."""
    if isinstance(values, DeviceArray):
        return values.numpy()
    numbers, dtype, shape = _native.fetch(values, device, what)
    return numbers.view(dtype).reshape(shape)


def attribute(values: object, name: str) -> npt.NDArray[Any]:
    """Values of an attribute, as a type of 8 to 64 bits; those on a device are copied to the host."""
    what = f"the values of {name!r}"
    device = device_of(values)
    array = _array(values, what) if device is None else _fetched(values, device, what)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "b":
        return _plain(array.view(np.uint8), None)
    if kind == "f" and size not in (4, 8):
        return _plain(array, np.float32 if size < 4 else np.float64)
    if kind not in "iuf":
        raise ArgumentError(f"{what} have {described(array)}: integers or real numbers are needed")
    return _plain(array, None)


def device_of(values: object) -> str | None:
    """The device on which an array of DLPack or of the CUDA array interface lives; None for arrays of the host."""
    if isinstance(values, DeviceArray):
        return values.device
    if isinstance(values, np.ndarray):
        return None
    where: Callable[[], tuple[int, int]] | None = getattr(values, "__dlpack_device__", None)
    if where is not None:
        kind, number = where()
        if int(kind) == 2:
            return f"cuda:{int(number)}"
        if int(kind) not in (1, 3):
            raise ArgumentError(f"an array lives on the device ({int(kind)}, {int(number)}) of DLPack: CPU and CUDA are known")
        return None
    if getattr(values, "__cuda_array_interface__", None) is not None:
        return "cuda"
    return None
