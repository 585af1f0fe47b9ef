"""Exceptions of the package."""

from __future__ import annotations

__all__ = [
    "ArgumentError",
    "DeviceError",
    "Error",
    "InternalError",
    "MeshError",
    "NotManifoldError",
    "OutOfMemoryError",
    "ReadError",
    "WriteError",
]


class Error(Exception):
    """Base class of all exceptions of this package.

    Attributes
    ----------
    vertex, face : int or None
        The element that the message names, numbered from 0.
    edge : tuple of two ints or None
        The two vertices of the edge that the message names.
    cell : int or None
        The cell of a volume that the message names.
    point : int or None
        The point, of several that were given.
    mesh : int or None
        The mesh, of several that were given.
    file : str or None
        The file.
    option : str or None
        The option that the message names.
    """

    def __init__(
        self,
        message: str,
        *,
        vertex: int | None = None,
        face: int | None = None,
        edge: tuple[int, int] | None = None,
        cell: int | None = None,
        point: int | None = None,
        mesh: int | None = None,
        file: str | None = None,
        option: str | None = None,
    ) -> None:
        super().__init__(message)
        self.vertex = vertex
        self.face = face
        self.edge = edge
        self.cell = cell
        self.point = point
        self.mesh = mesh
        self.file = file
        self.option = option


class ArgumentError(Error, ValueError):
    """An array or an option cannot be used; the message names it, with its shape, type or value."""


class MeshError(Error, ValueError):
    """A mesh cannot be worked on; the exception names the element where that is known."""


class NotManifoldError(MeshError):
    """A mesh that has to be an oriented manifold is none: ``mesh.repair()`` makes one."""


class DeviceError(Error, RuntimeError):
    """There is no such device, or its driver refuses."""


class OutOfMemoryError(DeviceError, MemoryError):
    """A device has too little memory for the work."""


class ReadError(Error, OSError):
    """A file is missing, or its content is wrong; the message names the line or the byte."""


class WriteError(Error, OSError):
    """A file cannot be written; an old one of its name is as it was."""


class InternalError(Error, RuntimeError):
    """A mistake of this package; please report it."""
