"""A mesh in a browser while a program computes."""

from __future__ import annotations

import html
import time as clock
import weakref
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from . import _arrays
from ._errors import ArgumentError
from ._native import NativeServer

if TYPE_CHECKING:
    from ._mesh import Mesh


def _values(values: object, name: str) -> object:
    if _arrays.device_of(values) is not None:
        return values
    array = _arrays.attribute(values, name)
    if array.ndim not in (1, 2):
        raise ArgumentError(f"the values of {name!r} have {_arrays.described(array)}: (n,) or (n, k) is needed")
    return np.ascontiguousarray(array, dtype=np.float32)


class Server:
    """A server of one mesh with fields, which a program replaces with :meth:`update`. :func:`serve` makes one.

    A thread answers browsers between updates and during them. It ends with :meth:`close`, with the ``with`` statement,
    when the object is gone, or with the interpreter.
    """

    def __init__(self, native: NativeServer) -> None:
        self._native = native
        # also at the end of the interpreter, while its threads still run
        self._end = weakref.finalize(self, native.close)

    @property
    def url(self) -> str:
        """The address of the page, with its secret token."""
        return self._native.url

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._native.closed()

    @property
    def clients(self) -> int:
        """The number of browsers that are connected."""
        return self._native.clients()

    @property
    def paused(self) -> bool:
        """Whether a browser, or :meth:`pause`, has paused it."""
        return self._native.is_paused()

    def update(
        self,
        positions: object = None,
        faces: object = None,
        fields: Mapping[str, object] | None = None,
        time: float = 0.0,
        *,
        face_fields: Mapping[str, object] | None = None,
    ) -> None:
        """Shows another moment from now on.

        Arrays on the server's device, of any library with DLPack or the CUDA array interface, are copied there, and not
        through the host; they may change when this returns. Arrays of the host are copied to the device.

        Parameters
        ----------
        positions : (n, 3) float, optional
            Those of the moment before, if there are none.
        faces : (m, 3) int, optional
            Likewise.
        fields : dictionary of (n,) or (n, k), optional
            Of vertices, under the names that expressions use: k = 3 is a vector, 6 a symmetric tensor (xx, yy, zz, xy, yz,
            xz), 9 a tensor. Another k is a field for each number, ``name_0`` and so on. Those of the moment before go.
            On a device they are float32.
        time : float
            Shown in the page.
        face_fields : dictionary of (m,) or (m, k), optional
            Of faces.

        Raises
        ------
        ArgumentError
            If lengths, types or devices do not fit; then the moment before stays.
        """
        if positions is not None and _arrays.device_of(positions) is None:
            positions = _arrays.points(positions, "positions")
        if faces is not None and _arrays.device_of(faces) is None:
            faces = _arrays.faces(faces)
        given = [(name, False, _values(values, name)) for name, values in (fields or {}).items()]
        given += [(name, True, _values(values, name)) for name, values in (face_fields or {}).items()]
        self._native.update(float(time), positions, faces, given)

    def wait_for_turn(self) -> None:
        """Waits while a browser has paused; returns for each step that is to be made."""
        while not self._native.take_turn():
            clock.sleep(0.01)

    def wait(self) -> None:
        """Waits until the server is closed by another thread, or by Ctrl-C, which raises KeyboardInterrupt."""
        while not self.closed:
            clock.sleep(0.1)

    def play(self) -> None:
        """Goes on, as the page's button does."""
        self._native.steer("play")

    def pause(self) -> None:
        """Has :meth:`wait_for_turn` wait."""
        self._native.steer("pause")

    def step(self) -> None:
        """Has :meth:`wait_for_turn` return once."""
        self._native.steer("step")

    def close(self) -> None:
        """Ends it: browsers lose their connection. Again does nothing."""
        self._end()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "Server(closed)" if self.closed else f"Server({self.url})"


class LiveView:
    """A mesh in a browser, as :meth:`Mesh.view` shows it. A notebook has it in a frame, other programs print the address.

    It is served until it is closed, or until nobody has the object.

    Attributes
    ----------
    server : Server
    height : int
        Of the frame in a notebook, in pixels.
    """

    def __init__(self, server: Server, height: int) -> None:
        self.server = server
        self.height = height

    @property
    def url(self) -> str:
        """The address of the page, with its secret token."""
        return self.server.url

    def close(self) -> None:
        """Ends it."""
        self.server.close()

    def _repr_html_(self) -> str:
        address = html.escape(self.url, quote=True)
        return f'<iframe src="{address}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"LiveView({self.url})"


def serve(
    title: str = "Python",
    *,
    device: str = "auto",
    up: str = "y",
    port: int = 0,
    bind: str = "127.0.0.1",
    hosts: Sequence[str] = (),
    embed: bool = False,
    clients: int = 16,
) -> Server:
    """A server of a mesh that a program replaces while browsers look at it.

    Parameters
    ----------
    title : str
    device : str
        Where pictures are made; arrays that are given should live there.
    up : ``"x"``, ``"y"``, ``"z"``, ``"-x"``, ``"-y"`` or ``"-z"``
        The axis that points up.
    port : int
        0 is any that is free.
    bind : str
        The address of this machine to be bound to; ``"0.0.0.0"`` lets other machines connect, without encryption.
    hosts : names
        Under which browsers may ask for the page, beside ``localhost``: that of a proxy.
    embed : bool
        Whether pages of other sites may have the page in a frame, if they have the address with its token.
    clients : int
        Most browsers at a time.

    Raises
    ------
    DeviceError
        If the address cannot be bound, or the device opened.

    Examples
    --------
    >>> import numpy as np, ribbonmesh as rm
    >>> ball = rm.generate("icosphere", 3, device="cpu")
    >>> with rm.serve("a wave", device="cpu") as server:
    ...     for step in range(3):
    ...         heat = np.sin(ball.vertices[:, 2] + 0.1 * step)
    ...         server.update(ball.vertices, ball.faces, {"heat": heat}, time=0.1 * step)
    ...         server.wait_for_turn()
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """
    if not 0 <= port <= 65535:
        raise ArgumentError(f"port is {port}: 0 to 65535")
    if not 1 <= clients <= 1000:
        raise ArgumentError(f"clients is {clients}: 1 to 1000")
    return Server(NativeServer(title, device, up, (bind, port), list(hosts), embed, clients))


def view(
    mesh: Mesh,
    fields: Mapping[str, object] | None,
    face_fields: Mapping[str, object] | None,
    up: str,
    height: int,
) -> LiveView:
    """The view of :meth:`Mesh.view`."""
    server = serve("mesh", device=mesh.device, up=up, embed=True)
    try:
        server.update(
            mesh.vertices,
            mesh.faces,
            {**mesh.vertex_attributes, **(fields or {})},
            face_fields={**mesh.face_attributes, **(face_fields or {})},
        )
    except BaseException:
        server.close()
        raise
    return LiveView(server, height)
