"""Asks the process that has DuckDB loaded: it is started where it is needed first, and ends with this one."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import platform
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any, final

from dpcore.errors import InvalidValueError

MEGABYTES = 512  # that a call may take beyond its tables
SECONDS = 1.0  # of processor time, for each table
_SECONDS_A_RECORD = 1e-5
_LONGEST = 3_600.0  # in which nothing comes: the copy ends itself long before
_DYING = 1.0  # seconds
_TRIES = 3  # the process may have died while nobody asked it, or while it was asked
_ALIGNED = 64  # bytes, where what follows the task begins
_FORKED = Path(__file__).with_name("forked.py")
_QUIET = {"OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}  # no threads, for copies have one of their own


def check_served() -> None:
    """InvalidValueError where DuckDB is not installed, or nothing limits what a query takes."""
    if not _installed():
        raise InvalidValueError("query", "asked where the packages of the extra “sql” are installed", "none of them")
    if not walls_hold():
        expected = (
            "asked on Linux on x86-64, where the system limits the memory of a process and what it may do; without that a query "
            "could take all memory that there is"
        )
        raise InvalidValueError("query", expected, sys.platform)


@lru_cache(maxsize=1)
def walls_hold() -> bool:
    """Whether the limits hold here: a copy of the process tried each way out that is known, and none was open."""
    if sys.platform != "linux" or platform.machine() != "x86_64":  # whose numbers of system calls the filter knows
        return False
    return answers("look out", "") == [0]


@lru_cache(maxsize=1)
def _installed() -> bool:
    return find_spec("duckdb") is not None and find_spec("pyarrow") is not None


def answers(do: str, query: str, tables: Any = None, lengths: Sequence[int] = (0,), most: int = 0) -> list[Any]:
    """What a fresh copy of the process writes, a line each; fewer lines than were asked for where it took too much.

    MemoryError where no copy can be made, which is the machine's failure.

    ``tables``: a table of Arrow that holds several, one after another, of these ``lengths``. Each has the limits of the
    smallest, so that one that is answered among others would be answered alone, whatever the others hold.
    """
    task: dict[str, Any] = {"do": do, "query": query, "seconds": SECONDS, "megabytes": MEGABYTES}
    if tables is not None:
        task |= {"lengths": list(lengths), "most": most, "seconds": SECONDS + _SECONDS_A_RECORD * min(lengths)}
        sizes = (tables.slice(end - length, length).nbytes for end, length in zip(accumulate(lengths), lengths, strict=True))
        task["megabytes"] += 4 * min(sizes) // 2**20
    given = os.memfd_create("task")
    try:
        _write(given, task, tables)
        said = next(filter(None, (_server().asked(given) for _ in range(_TRIES))), b"")
    finally:
        os.close(given)
    if not said:
        raise MemoryError("no process could be started for a query")
    return [json.loads(line) for line in said.split(b"\n")[1:-1]]


def _write(given: int, task: dict[str, Any], tables: Any) -> None:
    said = json.dumps(task).encode()
    with os.fdopen(os.dup(given), "wb") as file:
        file.write(said + b" " * (-(len(said) + 1) % _ALIGNED) + b"\n")
        if tables is not None:
            import pyarrow as pa

            with pa.ipc.new_stream(file, tables.schema) as stream:
                stream.write_table(tables)


@final
class _Server:
    """The process, and the socket through which it is given tasks."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PATH": os.defpath}
        command = [sys.executable, "-s", "-B", "-P", str(_FORKED)]
        self._process = subprocess.Popen(
            command, stdin=other.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", env=_QUIET | paths
        )
        other.close()

    @property
    def lives(self) -> bool:
        """Whether it can be asked by this process."""
        return self.owner == os.getpid() and self._process.poll() is None

    def close(self) -> None:
        """The process ends where nobody can ask it any more."""
        self._control.close()
        if self.owner == os.getpid():
            self._process.wait()

    def _dying(self) -> bytes:
        """Nothing was written. Where that is because the process ends, its end is waited for, so that another one is started."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_DYING)
        return b""

    def asked(self, given: int) -> bytes:
        """All that the copy writes until it ends."""
        reading, writing = os.pipe()
        try:
            try:
                socket.send_fds(self._control, [b"."], [given, writing])
            finally:
                os.close(writing)
            return _read(reading) or self._dying()
        except (BrokenPipeError, ConnectionResetError):
            return self._dying()
        finally:
            os.close(reading)


def _read(reading: int) -> bytes:
    parts, ready = list[bytes](), select.poll()  # which takes any file, where select takes the first 1,024
    ready.register(reading, select.POLLIN)
    while ready.poll(_LONGEST * 1_000):
        part = os.read(reading, 2**20)
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


_lock = threading.Lock()
_servers: list[_Server] = []


def _server() -> _Server:
    with _lock:
        if not _servers or not _servers[0].lives:
            close()
            _servers.append(_Server())
        return _servers[0]


@atexit.register
def close() -> None:
    """Ends the process, if there is one; the next question starts another."""
    while _servers:
        _servers.pop().close()
