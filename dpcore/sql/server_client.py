"""Run tasks in child processes. The program that forks them starts when it is first needed and ends with this process."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import platform
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

from dpcore.errors import QueryError

SETTING = "DPCORE_SQL"  # environment variable of the host: 1 allows SQL
MEGABYTES = 512  # memory of a call beyond its tables
SECONDS = 1.0  # processor time for each table
_SECONDS_A_RECORD = 1e-5
_LONGEST = 3_600.0  # s; the child ends itself long before
_DYING = 1.0  # s
_TRIES = 3  # the program may have ended before or during a call
_SERVER = Path(__file__).with_name("fork_server.py")
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system", "PATH": os.defpath}  # no further threads


def is_allowed() -> bool:
    """Return whether the host allows SQL."""
    return os.environ.get(SETTING) == "1"


def check_allowed(query: str) -> None:
    """Check that SQL is allowed and can be answered here.

    Args:
        query: The query, for the error.

    Raises:
        QueryError: If the host does not allow SQL, packages are missing, or the system does not keep the limits.
    """
    if not is_allowed():
        remedy = f"The host of this app or program allows it with {SETTING}=1 in the environment, as “make app” does."
        raise QueryError("SQL queries are off here", remedy, query)
    if find_spec("duckdb") is None or find_spec("pyarrow") is None:
        raise QueryError("The packages for SQL queries are not installed", "Install dpcore with the extra “sql”.", query)
    if not limits_hold():
        remedy = "Use Linux on x86-64: without these limits a query could use all memory or read files."
        raise QueryError("This system does not limit what the process of a query may use and do", remedy, query)


@lru_cache(maxsize=1)
def limits_hold() -> bool:
    """Return whether a child process can set its limits here. It answers only afterwards."""
    if sys.platform != "linux" or platform.machine() != "x86_64":  # the filter has the numbers of their system calls
        return False
    return bool(run("parse", "SELECT 1"))


def run(do: str, query: str, tables: Any = None, lengths: Sequence[int] = (0,), most: int = 0) -> list[Any]:
    """Run a task in a fresh child process.

    Args:
        do: "parse", "describe" or "answer".
        query: The query; it must have been checked for "describe" and "answer".
        tables: Arrow table with the rows of several tables, one after another.
        lengths: Number of rows of each of them. All have the limits of the smallest, so that a table that is answered beside
            others is also answered by itself, whatever the others hold.
        most: Number of rows of an answer that are read.

    Returns:
        What the child wrote. It writes less than asked for if it exceeded a limit.

    Raises:
        MemoryError: If no child process can be started.
    """
    import pyarrow as pa

    given = pa.table({}) if tables is None else tables
    sizes = (given.slice(end - length, length).nbytes for end, length in zip(accumulate(lengths), lengths, strict=True))
    task = {
        "do": do,
        "query": query,
        "lengths": list(lengths),
        "most": most,
        "seconds": SECONDS + _SECONDS_A_RECORD * min(lengths),
        "megabytes": MEGABYTES + 4 * min(sizes) // 2**20,
    }
    given = given.replace_schema_metadata({"task": json.dumps(task)})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, given.schema) as stream:
        stream.write_table(given)
    message = sink.getvalue()
    for _ in range(_TRIES):
        if written := _server().ask(message):
            return [json.loads(line) for line in written.split(b"\n")[1:-1]]
    raise MemoryError("no process could be started for a query")


@final
class _Server:
    """The program that forks, and the socket that passes it one end of each call's pair of sockets."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-s", "-B", "-P", str(_SERVER)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=_ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,  # Ctrl-C does not reach it
            )

    def ask(self, message: Any) -> bytes:
        """Return a child's answer to a message; empty if it wrote none."""
        ours, theirs = socket.socketpair()
        with ours, contextlib.suppress(BrokenPipeError, ConnectionResetError):
            with theirs:
                socket.send_fds(self._control, [b"."], [theirs.fileno()])
            ours.settimeout(_LONGEST)
            ours.sendall(message)
            ours.shutdown(socket.SHUT_WR)
            if written := ours.makefile("rb").read():
                return written
        with contextlib.suppress(subprocess.TimeoutExpired):  # if it is ending, the next call starts another
            self.process.wait(_DYING)
        return b""

    def close(self) -> None:
        """End the program."""
        self._control.close()
        self.process.kill()
        self.process.wait()


_lock = threading.Lock()
_servers: list[_Server] = []


def _server() -> _Server:
    with _lock:
        if not _servers or _servers[0].process.poll() is not None:
            close()
            _servers.append(_Server())
        return _servers[0]


@atexit.register
def close() -> None:
    """End the program that forks, if there is one. The next task starts another."""
    while _servers:
        _servers.pop().close()
