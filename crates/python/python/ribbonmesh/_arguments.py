"""Checks of arguments, before any work is done for them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from typing import Any

from ._errors import ArgumentError

MOST = 2**32 - 1


def whole(least: int = 0, most: int = MOST, /, **given: Any) -> None:
    """Refuses what is no whole number in a range; None is none that was given."""
    for name, value in given.items():
        if value is None:
            continue
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(f"{name} is a {type(value).__name__}: a whole number is needed") from None
        if not least <= number <= most:
            raise ArgumentError(f"{name} is {number}: {least} to {most}")


def vertices_of(name: str, values: object) -> list[int]:
    """Several vertices, or one."""
    found: list[Any] = list(values) if isinstance(values, Iterable) else [values]
    for value in found:
        whole(**{name: value})
    return [operator.index(value) for value in found]


def places_of(name: str, values: object) -> str:
    """Positions by vertex as text; a file stays its name."""
    if isinstance(values, str | PathLike):
        return fspath(values)
    if not isinstance(values, Mapping):
        raise TypeError(f"{name} is a {type(values).__name__}: positions by vertex, or a file, are needed")
    entries = []
    for vertex, place in values.items():
        whole(**{name: vertex})
        numbers = [] if place is None else [float(number) for number in place]
        if len(numbers) not in (0, 3):
            raise ArgumentError(f"{name}: vertex {vertex} has {len(numbers)} coordinates: 3")
        entries.append(f"{operator.index(vertex)} {' '.join(map(repr, numbers))}")
    if not entries:
        raise ArgumentError(f"{name} names no vertex")
    return ";".join(entries)


def progress_of(progress: Any) -> Callable[[int], object] | None:
    """A function that is called with the number of kernels."""
    if progress is None:
        return None
    update = getattr(progress, "update", progress)
    if not callable(update):
        raise ArgumentError(f"progress is {progress!r}: a function, or an object with a function update, is needed")
    return update  # type: ignore[no-any-return]
