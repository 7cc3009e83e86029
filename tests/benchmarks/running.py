"""The app's server in a separate process, whose memory and processor time can be read; it ends with the block."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

_ROOT = Path(__file__).parents[2]
_SECONDS = 60
_IDLE = 0.05  # of a core


@dataclass(frozen=True)
class App:
    """Its address and its process."""

    address: str
    process: psutil.Process

    async def settle(self) -> None:
        """Until it does nothing any more: after its first screen it starts workers."""
        await asyncio.sleep(4)
        for _ in range(30):
            before = self._seconds()
            await asyncio.sleep(1)
            if self._seconds() - before < _IDLE:
                return

    def _seconds(self) -> float:
        return sum(sum(process.cpu_times()[:2]) for process in [self.process, *self.process.children(recursive=True)])


@contextmanager
def running() -> Iterator[App]:
    """``python -m streamlit run app.py`` on a free port of 127.0.0.1."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = str(listener.getsockname()[1])
    options = ["run", str(_ROOT / "app.py"), "--server.address", "127.0.0.1", "--server.port", port]
    command = [sys.executable, "-m", "streamlit", *options]
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, cwd=_ROOT, stdout=log, stderr=subprocess.STDOUT) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, process)
            yield App(address, psutil.Process(process.pid))
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the app's server did not answer in {_SECONDS} s")
