"""What runs on 127.0.0.1: scheduler, workers, the app's processes and nginx, each a process group that is ended by its id."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from tests.scale.site import NAME, write_site

ROOT = Path(__file__).parents[2]
MEMORY = "/dev/shm"  # temporary files belong here: Streamlit's form reader makes one of each upload of more than 1 MB
DASK = str(Path(sys.executable).with_name("dask"))
_SECONDS = 60
_END_SECONDS = 8


@dataclass(frozen=True)
class Group:
    """A process and all that it starts."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def members(self) -> list[psutil.Process]:
        """Those that live now."""
        try:
            first = psutil.Process(self.process.pid)
            return [first, *first.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def seconds(self) -> float:
        """Of CPU that they have used."""
        return sum(sum(member.cpu_times()[:2]) for member in self.members())

    def megabytes(self) -> float:
        """Of memory that they hold; what several share counts once."""
        return float(sum(member.memory_full_info().pss for member in self.members())) / 1e6

    def end(self) -> None:
        """Ask, then insist."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is not None:
                break
            os.killpg(self.process.pid, number)
            try:
                self.process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # whoever outlived the first of the group
        except ProcessLookupError:
            return


@dataclass(frozen=True)
class Stage:
    """Everything that runs."""

    scheduler: str
    apps: tuple[Group, ...]
    direct: tuple[str, ...]
    nginx: Group
    cluster: tuple[Group, ...]
    plain: str
    tls_port: int
    visits: Path


@contextmanager
def stage(nginx: str, folder: Path) -> Iterator[Stage]:
    """Two workers under one scheduler, two processes of the app that use it, and nginx in front; all end with the block."""
    with ExitStack() as running:

        def start(name: str, command: Sequence[str], environment: Mapping[str, str]) -> Group:
            return running.enter_context(group(name, command, folder, environment))

        ports = [free_port() for _ in range(6)]
        here, scheduler = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"), f"tcp://127.0.0.1:{ports[0]}"
        memory = running.enter_context(tempfile.TemporaryDirectory(dir=MEMORY))
        environment = {"TMPDIR": memory, "PYTHONPATH": str(ROOT), "DPCORE_SCHEDULER": scheduler}
        first = start("scheduler", [DASK, "scheduler", *here, "--port", str(ports[0])], environment)
        until(partial(listens, ports[0]), first)
        workers = ("--nworkers", "2", "--nthreads", "1", "--memory-limit", "1GB")
        second = start("workers", [DASK, "worker", scheduler, *here, *workers], environment)
        direct = tuple(f"http://127.0.0.1:{port}" for port in ports[1:3])
        names = ("--server.allowedHosts", NAME, "--server.allowedHosts", "127.0.0.1")
        app = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address", "127.0.0.1", *names, "--server.port"]
        apps = tuple(start(f"app {name}", [*app, str(port)], environment) for name, port in zip("ab", ports[1:3], strict=True))
        write_site(folder, apps=(ports[1], ports[2]), redirect=ports[3], plain=ports[4], tls=ports[5])
        for address, one in zip(direct, apps, strict=True):
            until(partial(healthy, address), one)
        proxy = start("nginx", [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")], {})
        plain = f"http://127.0.0.1:{ports[4]}"
        until(partial(healthy, plain), proxy)
        yield Stage(scheduler, apps, direct, proxy, (first, second), plain, ports[5], folder / "visits")


@contextmanager
def group(name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[Group]:
    """One of these, with its log in the folder; it ends with the block."""
    log = folder / f"{name.replace(' ', '-')}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    group = Group(name, process, log)
    try:
        yield group
    finally:
        group.end()


def until(ready: Callable[[], bool], group: Group) -> None:
    """Wait; RuntimeError, with the end of its log, where it is not."""
    end = time.monotonic() + _SECONDS
    while not ready():
        if group.process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{group.name} ended, or did not answer in {_SECONDS} s:\n{group.log.read_text()[-2000:]}")
        time.sleep(0.1)


def healthy(address: str) -> bool:
    """Whether an app answers there."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def listens(port: int) -> bool:
    """Whether somebody does, on this computer."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """One that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
