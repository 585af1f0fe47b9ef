"""Columns of a mesh or a volume, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy.typing as npt


class Columns(Mapping[str, npt.NDArray[Any]]):
    """Arrays with a row per element, by name: each is read when somebody asks for it.

    Parameters
    ----------
    names : function
        From a kind of element to the names of its columns.
    column : function
        From a kind of element and a name to the array.
    element : str
        The kind of element.
    """

    __slots__ = ("_column", "_element", "_names")

    def __init__(self, names: Callable[[str], list[str]], column: Callable[[str, str], npt.NDArray[Any]], element: str) -> None:
        self._names, self._column, self._element = names, column, element

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._column(self._element, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names(self._element))

    def __len__(self) -> int:
        return len(self._names(self._element))

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {self[name].dtype} {self[name].shape}' for name in self)}}}"
