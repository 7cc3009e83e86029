"""The process that has DuckDB loaded and knows no table: for each call it makes a copy of itself, which answers and ends.

A copy is given a task and a place to write to. It puts walls around itself (``limits.py``): limits of memory and
processor time, which the system keeps, and a filter of system calls. Only then the query is prepared, once, and run on one table
after another. Nothing of it outlives the copy, so a call knows nothing of any other. Answers are lines of JSON; a copy that takes
too much ends without another line. This file is run by its path, and imports nothing of dpcore, which would take long.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import mmap
import os
import signal
import socket
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

_END_WITH_PARENT = 1
_OF_THE_TABLE = (duckdb.ConversionException, duckdb.OutOfRangeException, duckdb.InvalidInputException, duckdb.BinderException)
_WALL_TIMES = 30  # so many times the processor time passes on a machine that does much else
_SETTINGS = {
    "threads": 1,
    "async_threads": 0,  # a copy has no thread but its own
    "enable_external_access": False,
    "python_enable_replacements": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "temp_directory": "",
    "secret_directory": "/nowhere",
}
# Without the optimizer a plan is made of the query and the types of the columns alone: no statistics of a table enter it.
_AT_ONCE = ("SET errors_as_json = true", "SET TimeZone = 'UTC'", "PRAGMA disable_optimizer")


class _Current:
    """The table that the query reads as ``data``: another one for each run of the same plan."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_schema__(self) -> Any:
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def _walls() -> Any:
    spec = spec_from_file_location("walls", Path(__file__).with_name("limits.py"))
    assert spec is not None
    assert spec.loader is not None
    walls = module_from_spec(spec)
    spec.loader.exec_module(walls)
    return walls


def _parsed(connection: Any, task: dict[str, Any]) -> Iterator[Any]:
    """The tree that DuckDB's parser makes of the query, which is not run."""
    yield json.loads(connection.execute("SELECT json_serialize_sql(?)", [task["query"]]).fetchone()[0])


def _described(connection: Any, task: dict[str, Any]) -> Iterator[Any]:
    """The names and types of what the query answers with, or why it does not fit the table."""
    try:
        connection.execute(f"PREPARE question AS {task['query']}")
        relation = connection.sql(task["query"])
        yield {"columns": list(zip(relation.columns, map(str, relation.types), strict=True))}
    except duckdb.Error as error:
        if isinstance(error, duckdb.OutOfMemoryException):
            raise
        yield {"failed": _why(error)}


def _answered(connection: Any, task: dict[str, Any], current: _Current) -> Iterator[Any]:
    """The rows of the answer for each table, or why there are none."""
    together, at = current.table, 0
    connection.execute(f"PREPARE question AS {task['query']}")
    run = connection.extract_statements("EXECUTE question")[0]
    for length in task["lengths"]:
        signal.setitimer(signal.ITIMER_PROF, task["seconds"])
        current.table = together.slice(at, length)
        at += length
        try:
            yield connection.execute(run).fetchmany(task["most"])
        except _OF_THE_TABLE as error:
            yield {"failed": type(error).__name__}  # its message can quote a cell


def _why(error: Exception) -> dict[str, Any]:
    """What DuckDB says of an error in a query that was not run on a table: it writes JSON behind the error's kind."""
    text = str(error)
    with contextlib.suppress(ValueError):
        said = json.loads(text[text.index("{") :])
        return said if isinstance(said, dict) else {"exception_message": text}
    return {"exception_message": text}


def _work(connection: Any, walls: Any, given: int, written: int) -> None:
    _write(written, b"\n")
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    shared = mmap.mmap(given, 0, prot=mmap.PROT_READ)
    head = shared.find(b"\n") + 1
    task = json.loads(shared[:head])
    connection.execute(f"SET memory_limit = '{task['megabytes'] // 2}MB'")
    current = _Current(pa.table({}))
    tables = len(task.get("lengths", ())) or 1
    if "lengths" in task:
        current.table = pa.ipc.open_stream(pa.py_buffer(shared)[head:]).read_all()
        connection.register("data", current)
    connection.execute("SET lock_configuration = true")
    signal.setitimer(signal.ITIMER_REAL, task["seconds"] * _WALL_TIMES * max(1, tables // 20))
    walls.limit(task["seconds"] * tables, task["megabytes"])
    walls.raise_walls()
    signal.setitimer(signal.ITIMER_PROF, task["seconds"])
    if task["do"] == "look out":
        lines: Iterator[Any] = iter([walls.ways_out()])
    else:
        do = {"parse": _parsed, "describe": _described}.get(task["do"])
        lines = _answered(connection, task, current) if do is None else do(connection, task)
    for line in lines:
        _write(written, json.dumps(line, default=float).encode() + b"\n")  # at once, for the next one may end the process


def _write(to: int, line: bytes) -> None:
    while line:
        line = line[os.write(to, line) :]


def main() -> None:
    """Makes a copy for each pair of files that comes through the socket, until it is closed."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    control = socket.socket(fileno=os.dup(0))
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    walls, connection = _walls(), duckdb.connect(":memory:", config=_SETTINGS)
    for statement in _AT_ONCE:
        connection.execute(statement)
    connection.execute("SELECT json_serialize_sql('SELECT 1')").fetchone()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    while True:
        said, files, _, _ = socket.recv_fds(control, 1, 2)
        if not said:
            return
        with contextlib.suppress(BlockingIOError, MemoryError):  # no copy can be made now: nothing is written
            if os.fork() == 0:
                try:
                    control.close()
                    _work(connection, walls, *files)
                finally:
                    os._exit(0)
        for file in files:
            os.close(file)


if __name__ == "__main__":
    main()
