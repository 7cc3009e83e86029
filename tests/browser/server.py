"""The app's server in a separate process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SECONDS = 60


@dataclass(frozen=True)
class Server:
    """Its address, the file of its log, and its process."""

    address: str
    log: Path
    pid: int

    @property
    def port(self) -> int:
        """The port of the address."""
        return int(self.address.rpartition(":")[2])

    def stop(self) -> None:
        """Let it do nothing from now on, until it is killed."""
        os.killpg(self.pid, signal.SIGSTOP)

    def kill(self) -> None:
        """End it at once, with all of its workers."""
        os.killpg(self.pid, signal.SIGKILL)


@contextmanager
def serving(log: Path, root: Path = ROOT, options: Sequence[str] = (), port: int = 0) -> Iterator[Server]:
    """A server of the app in a folder, on a port of 127.0.0.1 (by default a free one), that answers; it ends with the block."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), *options]
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=root, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        server = Server(f"http://127.0.0.1:{port}", log, process.pid)
        _wait(server, process)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=20)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, f"The server ended at once:\n{server.log.read_text()}"
        try:
            with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"The server did not answer in {_SECONDS} s:\n{server.log.read_text()}")
