"""Run SQL in child processes. The program that forks them starts when it is first needed and ends with this process."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import socket
import subprocess
import sys
import threading
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dpcore.errors import QueryError

SETTING = "DPCORE_SQL"  # environment variable of the host: 1 allows SQL
MEGABYTES = 512  # memory of a call beyond its tables
SECONDS = 1.0  # processor time for each table
_BYTES_A_CELL, _SECONDS_A_RECORD = (
    32,
    1e-5,
)  # more for large tables, by their public size only
_LONGEST = 3_600.0  # s; the child ends itself long before
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
    if not limits_hold():
        remedy = "Use Linux on x86-64 with the extra “sql” of dpcore: without limits a query could use all memory or read files."
        raise QueryError("This system cannot limit what the process of a query may use and do", remedy, query)


@lru_cache(maxsize=1)
def limits_hold() -> bool:
    """Return whether a child process can set its limits here. It answers only afterwards."""
    is_linux = sys.platform == "linux" and platform.machine() == "x86_64"  # the filter has the numbers of their system calls
    if not is_linux or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return False
    import pyarrow as pa

    return bool(run("SELECT 1", pa.table({"a": [1.0]})))


def run(sql: str, tables: Any, count: int = 1, most: int = 1) -> list[Any]:
    """Run SQL in a fresh child process, once for each of several tables.

    Args:
        sql: A statement that reads the table ``data``. A query must have been checked.
        tables: Arrow table with the rows of all tables, one after another.
        count: Number of these tables, all of one length.
        most: Number of rows of each answer that are read.

    Returns:
        For each table the rows of its answer, or the kind of error. There are fewer than asked for if the child exceeded a limit.

    Raises:
        MemoryError: If no child process can be started, or it was killed. The next call starts another.

    Examples:
        >>> import pyarrow as pa
        >>> run("SELECT sum(x) FROM data", pa.table({"x": [1.0, 2.0, 3.0, 4.0]}), count=2)
        [[[3.0]], [[7.0]]]
    """
    import pyarrow as pa

    rows = len(tables) // count
    task = {
        "sql": sql,
        "count": count,
        "most": most,
        "seconds": SECONDS + _SECONDS_A_RECORD * rows,
        "megabytes": MEGABYTES + _BYTES_A_CELL * rows * tables.num_columns // 2**20,
    }
    tables = tables.replace_schema_metadata({"task": json.dumps(task)})
    ours, theirs = socket.socketpair()
    with ours, contextlib.suppress(OSError):
        with theirs:
            socket.send_fds(_server(), [b"."], [theirs.fileno()])
        ours.settimeout(_LONGEST)
        with ours.makefile("wb") as channel, pa.ipc.new_stream(channel, tables.schema) as stream:
            stream.write_table(tables)
        ours.shutdown(socket.SHUT_WR)
        if written := ours.makefile("rb").read():
            return [json.loads(line) for line in written.split(b"\n")[1:-1]]
    raise MemoryError("the process for a query could not be started, or was ended")


_lock = threading.Lock()
_servers: list[tuple[subprocess.Popen[bytes], socket.socket]] = []


def _server() -> socket.socket:
    """Return the socket that passes one end of each call's pair of sockets to the program. The program ends if it is closed."""
    with _lock:
        if _servers and _servers[0][0].poll() is not None:
            _servers.pop()[1].close()
        if not _servers:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                process = subprocess.Popen(
                    [sys.executable, "-s", "-B", "-P", str(_SERVER)],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    env=_ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                    start_new_session=True,  # Ctrl-C does not reach it
                )
            _servers.append((process, ours))
        return _servers[0][1]
