"""A mesh that is served, by a client that speaks WebSocket."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import numpy as np
import pytest

import ribbonmesh as rm

FACES = np.array([[0, 1, 2], [2, 1, 3]])
SQUARE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=np.float32)


class Client:
    """A browser without a browser."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        assert place.hostname is not None
        self.socket = socket.create_connection((place.hostname, place.port or 80), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /frames?{place.query} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._bytes(1)
        assert head.startswith(b"HTTP/1.1 101"), head

    def _bytes(self, n: int) -> bytes:
        found = b""
        while len(found) < n:
            more = self.socket.recv(n - len(found))
            if not more:
                raise EOFError
            found += more
        return found

    def _send(self, kind: int, data: bytes) -> None:
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
        self.socket.sendall(bytes([0x80 | kind]) + size + bytes(4) + data)

    def say(self, **message: Any) -> None:
        self._send(1, json.dumps(message).encode())

    def request(self, query: int, view: int) -> None:
        self._send(2, struct.pack("<BBHII", 1, 2, 8, query, view))

    def read(self) -> tuple[int, bytes]:
        kind, size = self._bytes(2)
        if size == 126:
            (size,) = struct.unpack(">H", self._bytes(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._bytes(8))
        return kind & 15, self._bytes(size)

    def text(self, key: str) -> dict[str, Any]:
        while True:
            kind, data = self.read()
            if kind == 1 and key in json.loads(data):
                return json.loads(data)

    def frame(self) -> tuple[int, float, float, float]:
        """Step, time, least and greatest value of the next frame."""
        while True:
            kind, data = self.read()
            if kind == 2:
                assert data[:4] == b"RMF1"
                return struct.unpack_from("<Qdff", data, 16)

    def begin(self, expression: str) -> dict[str, Any]:
        self.say(hello=1)
        described = self.text("version")
        self.say(query=1, expr=expression)
        assert "error" not in self.text("query")
        view = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5, -0.5, -5, 1]
        projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -0.2, 0, 0, 0, -1, 1]
        self.say(view=1, size=[32, 32], V=view, P=projection, depth=16)
        self.request(1, 1)
        return described


def test_updates_are_seen() -> None:
    with rm.serve("a square", device="cpu") as server:
        page = urlopen(server.url)
        assert page.read().startswith(b"<!")
        assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
        server.update(SQUARE, FACES, {"heat": [1, 2, 3, 4], "uv": SQUARE[:, :2]}, 0.5, face_fields={"side": [7.0, 8.0]})
        client = Client(server.url)
        described = client.begin("heat")
        names = [field["name"] for field in described["fields"]]
        assert names == ["heat", "uv_0", "uv_1", "side", "position", "x", "y", "z"]
        assert (described["title"], described["time"], described["moves"]) == ("a square", 0.5, True)
        step, time, least, most = client.frame()
        assert (step, time) == (1, 0.5)
        assert 1 <= least < 1.2 and 3.8 < most <= 4
        assert server.clients == 1
        # positions and faces stay; other memory than that of the array
        heat = np.full(4, 5.0)
        server.update(fields={"heat": heat}, time=1)
        heat[:] = 9
        assert client.frame() == (2, 1.0, 5.0, 5.0)
    with pytest.raises((EOFError, ConnectionError)):
        client.text("nothing")
    assert server.closed and repr(server) == "Server(closed)"
    server.close()
    with pytest.raises(rm.ArgumentError, match="closed"):
        server.update(SQUARE, FACES)


def test_pause_and_step() -> None:
    with rm.serve(device="cpu") as server:
        server.update(SQUARE, FACES)
        server.wait_for_turn()
        client = Client(server.url)
        client.begin("x")
        client.say(control="pause")
        assert client.text("control") == {"control": "pause"}
        assert server.paused
        steps: list[int] = []

        def simulate() -> None:
            for step in range(3):
                server.wait_for_turn()
                server.update(fields={"heat": np.full(4, step)})
                steps.append(step)

        thread = threading.Thread(target=simulate)
        thread.start()
        thread.join(0.2)
        assert thread.is_alive() and steps == []
        client.say(control="step")
        while not steps:
            thread.join(0.01)
        thread.join(0.2)
        assert steps == [0]
        client.say(control="play")
        thread.join(20)
        assert steps == [0, 1, 2] and not server.paused


def test_what_does_not_fit() -> None:
    with rm.serve(device="cpu") as server:
        server.update(SQUARE, FACES, {"heat": np.zeros(4)})
        for wrong, part in [
            ({"fields": {"heat": np.zeros(5)}}, "1 for each of 4 vertices"),
            ({"face_fields": {"heat": np.zeros((4, 2))}}, "2 for each of 2 faces"),
            ({"fields": {"heat": np.zeros((4, 2, 2))}}, "shape"),
            ({"fields": {"heat": ["a"] * 4}}, "numbers"),
            ({"positions": np.zeros((4, 2))}, "shape"),
            ({"faces": [[0, 1, -1]]}, "face 0"),
        ]:
            with pytest.raises(rm.ArgumentError, match=part):
                server.update(**wrong)  # type: ignore[arg-type]
        client = Client(server.url)
        client.begin("heat")
        assert client.frame() == (1, 0.0, 0.0, 0.0)
        # a face whose vertex is missing: the client is told
        server.update(faces=[[0, 1, 9]], fields={"heat": np.zeros(4)})
        assert "9" in client.text("error")["error"]["message"]
    for wrong, part in [({"port": -1}, "port"), ({"clients": 0}, "clients"), ({"bind": "here"}, "bind"), ({"up": "q"}, "up")]:
        with pytest.raises(rm.ArgumentError, match=part):
            rm.serve(device="cpu", **wrong)  # type: ignore[arg-type]
    with rm.serve(device="cpu") as server, pytest.raises(rm.DeviceError, match="cannot be bound"):
        rm.serve(device="cpu", port=urlsplit(server.url).port or 0)


def test_a_view() -> None:
    mesh = rm.Mesh(SQUARE, FACES, "cpu").with_attributes(vertex={"heat": np.arange(4.0)})
    view = mesh.view({"wind": SQUARE}, height=300)
    assert f'src="{view.url}"' in view._repr_html_() and "300px" in view._repr_html_()
    # only a view is for frames of other sites
    assert "frame-ancestors" not in urlopen(view.url).headers["content-security-policy"]
    client = Client(view.url)
    described = client.begin("heat + wind.x")
    assert [field["name"] for field in described["fields"]][:2] == ["heat", "wind"]
    view.close()


def test_the_interpreter_ends() -> None:
    """With a server that nobody has closed, and a client."""
    program = """
import numpy as np, ribbonmesh as rm
server = rm.serve(device="cpu")
server.update(np.eye(3), [[0, 1, 2]])
print(server.url, flush=True)
input()
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdin is not None and running.stdout is not None
        client = Client(running.stdout.readline().strip())
        client.begin("x")
        client.frame()
        running.stdin.write("\n")
        running.stdin.flush()
        assert running.wait(30) == 0


WAITS = """
import threading, time
import ribbonmesh as rm
from ribbonmesh import _native

_native.take_turns_on_cpu(True)
noisy = rm.generate("bumpy-sphere", 7, device="cpu")
for attempt in range(20):
    begun, done, waited = threading.Event(), threading.Event(), []

    def serve() -> None:
        begun.set()
        start = time.perf_counter()
        server = rm.serve(device="cpu")
        waited.append(time.perf_counter() - start)
        done.set()
        server.close()

    work = threading.Thread(target=lambda: noisy.remesh())
    work.start()
    time.sleep(0.05)
    threading.Thread(target=serve).start()
    begun.wait()
    looks = 0
    while not done.wait(0.002):
        looks += 1
    work.join()
    if waited[0] > 0.2:
        assert looks > 10, (looks, waited)
        print("the interpreter went on")
        break
"""


def test_a_server_that_waits_for_its_turn_lets_the_interpreter_go_on() -> None:
    # work that has a turn may need the interpreter, to give arrays back
    ran = subprocess.run([sys.executable, "-c", WAITS], capture_output=True, text=True, timeout=120)
    assert ran.stdout == "the interpreter went on\n", ran
