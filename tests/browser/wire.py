"""The way between a browser and a server: it can be cut, stay cut, and be whole again."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

_PART = 65_536


class Wire:
    """Passes bytes on between ``address``, where a browser connects, and a server."""

    def __init__(self, server: str) -> None:
        self._to = ("127.0.0.1", urlsplit(server).port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._broken = False
        self._left: int | None = None  # bytes that the browser may still send
        self._lock = threading.Lock()
        self.seconds = 0.0  # that each piece takes on its way, there and back
        self.piece = _PART  # bytes of it
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> int:
        """Every connection that there is, once; how many there were."""
        cut = list(self._open)
        for end in cut:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        return len(cut) // 2

    def cut_after(self, size: int) -> None:
        """Every connection, once the browser has sent so many bytes more."""
        self._left = size

    @property
    def whole(self) -> bool:
        """Whether nothing waits to be cut: it was, or was never asked for."""
        return self._left is None

    def part(self) -> None:
        """Cut, and nothing passes until it is joined again."""
        self._broken = True
        self.cut()

    def join(self) -> None:
        """Whole again: who connects is served."""
        self._broken = False

    def lead_to(self, server: str) -> None:
        """Another server, from the next connection on."""
        self._to = ("127.0.0.1", urlsplit(server).port)

    def close(self) -> None:
        """For good."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                if self._broken:
                    here.close()
                else:
                    threading.Thread(target=self._connect, args=(here,), daemon=True).start()

    def _connect(self, here: socket.socket) -> None:
        with here, suppress(ConnectionError), socket.create_connection(self._to) as there:
            self._open |= {here, there}
            if self._broken:  # since it was accepted
                self.cut()
            back = threading.Thread(target=self._pass_on, args=(there, here), daemon=True)
            back.start()
            self._pass_on(here, there, self._count)
            back.join()
            self._open -= {here, there}

    def _pass_on(self, source: socket.socket, sink: socket.socket, count: Callable[[int], None] = lambda size: None) -> None:
        with suppress(OSError):
            while data := source.recv(self.piece):
                time.sleep(self.seconds)
                sink.sendall(data)
                count(len(data))
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _count(self, size: int) -> None:
        with self._lock:
            if self._left is None:
                return
            self._left -= size
            if self._left > 0:
                return
            self._left = None
        self.cut()
