"""The program that answers queries: it has DuckDB loaded, holds no table, and forks a fresh child process for each call.

A child reads its task and sets limits that it cannot raise: memory, processor time, and a filter of system calls. Only then it
looks at the query. Answers are lines of JSON; a child that exceeds a limit ends without a further line. ``server_client.py``
starts this file by its path, so it imports nothing from dpcore.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import signal
import socket
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

import duckdb
import pyarrow as pa

_OF_THE_TABLE = (duckdb.ConversionException, duckdb.OutOfRangeException, duckdb.InvalidInputException, duckdb.BinderException)
_WALL_CLOCK = 30  # wall-clock limit in processor seconds: a busy machine takes longer
_SETTINGS = {
    "threads": 1,
    "async_threads": 0,  # a forked process keeps only the thread that forked it
    "enable_external_access": False,
    "python_enable_replacements": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "temp_directory": "",
    "secret_directory": "/nowhere",
}
# Without the optimizer a plan depends on the query and the columns' types only, and on no statistic of a table.
_STATEMENTS = ("SET errors_as_json = true", "SET TimeZone = 'UTC'", "PRAGMA disable_optimizer")

# System calls of Linux on x86-64 that affect only the process itself and files that it has open.
_ALLOWED = {
    "read": 0,
    "write": 1,
    "close": 3,
    "fstat": 5,
    "lseek": 8,
    "mmap": 9,
    "mprotect": 10,
    "munmap": 11,
    "brk": 12,
    "rt_sigaction": 13,
    "rt_sigprocmask": 14,
    "rt_sigreturn": 15,
    "sched_yield": 24,
    "mremap": 25,
    "madvise": 28,
    "nanosleep": 35,
    "setitimer": 38,
    "getpid": 39,
    "exit": 60,
    "gettimeofday": 96,
    "getrusage": 98,
    "sigaltstack": 131,
    "gettid": 186,
    "time": 201,
    "futex": 202,
    "clock_gettime": 228,
    "clock_nanosleep": 230,
    "exit_group": 231,
    "getrandom": 318,
    "rseq": 334,
}
_SECCOMP, _SET_FILTER, _ALL_THREADS = 317, 1, 1
_END_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_X86_64 = 0xC000003E
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _MACHINE = 0, 4  # offsets in the data that a filter sees
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


class _Current:
    """The table that the query reads as ``data``: another one for each run of the same plan."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_schema__(self) -> Any:
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def set_limits(seconds: float, megabytes: int) -> None:
    """Limit this process for good; end it if a file can still be opened afterwards.

    Args:
        seconds: Processor time in all.
        megabytes: Memory beyond what the process has now.

    Raises:
        OSError: If the system refuses the filter of system calls.
    """
    with open("/proc/self/statm", encoding="ascii") as sizes:
        taken = int(sizes.read().split()[0]) * resource.getpagesize()
    for limit, value in (
        (resource.RLIMIT_AS, taken + megabytes * 2**20),
        (resource.RLIMIT_CPU, int(seconds) + 2),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    filter_system_calls()
    with contextlib.suppress(PermissionError):
        os.open("/proc/self/statm", os.O_RDONLY)
        os._exit(1)


def filter_system_calls() -> None:
    """Let this process compute, read what it has open and write its answer; refuse every other system call."""
    numbers = sorted(_ALLOWED.values())
    steps = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, _X86_64), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    steps += [(_EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
    steps += [(_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]
    program = _Program(len(steps), b"".join(struct.pack("HBBI", *step) for step in steps))
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or library.syscall(
        _SECCOMP, _SET_FILTER, _ALL_THREADS, ctypes.byref(program)
    ):
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def _parse(connection: Any, task: dict[str, Any], _given: pa.Table) -> Iterator[Any]:
    """Yield the syntax tree of the query, which is not run."""
    yield json.loads(connection.execute("SELECT json_serialize_sql(?)", [task["query"]]).fetchone()[0])


def _describe(connection: Any, task: dict[str, Any], given: pa.Table) -> Iterator[Any]:
    """Yield the names and types of the answer's columns, or why the query does not fit the table, which is empty."""
    connection.register("data", _Current(given))
    try:
        connection.execute(f"PREPARE question AS {task['query']}")
        relation = connection.sql(task["query"])
        yield {"columns": list(zip(relation.columns, map(str, relation.types), strict=True))}
    except duckdb.OutOfMemoryException:
        return
    except duckdb.Error as error:
        text = str(error)  # the kind of error, then JSON
        try:
            yield {"failed": json.loads(text[text.index("{") :])}
        except ValueError:
            yield {"failed": {"exception_message": text}}


def _answer(connection: Any, task: dict[str, Any], given: pa.Table) -> Iterator[Any]:
    """Yield the rows of the answer for each table, or the kind of error: its message could quote a cell."""
    current, start = _Current(given), 0
    connection.register("data", current)
    connection.execute(f"PREPARE question AS {task['query']}")
    run = connection.extract_statements("EXECUTE question")[0]
    for length in task["lengths"]:
        signal.setitimer(signal.ITIMER_PROF, task["seconds"])
        current.table = given.slice(start, length)
        start += length
        try:
            yield connection.execute(run).fetchmany(task["most"])
        except _OF_THE_TABLE as error:
            yield {"failed": type(error).__name__}


def _work(connection: Any, channel: socket.socket) -> None:
    """Read a task, set the limits, and write its lines, the first one empty."""
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    given = pa.ipc.open_stream(channel.makefile("rb").read()).read_all()
    with open(channel.detach(), "wb") as output:
        _write(output, b"")
        task = json.loads(given.schema.metadata[b"task"])
        tables = len(task["lengths"])
        connection.execute(f"SET memory_limit = '{task['megabytes'] // 2}MB'")
        connection.execute("SET lock_configuration = true")
        signal.setitimer(signal.ITIMER_REAL, task["seconds"] * _WALL_CLOCK * max(1, tables // 20))
        set_limits(task["seconds"] * tables, task["megabytes"])
        signal.setitimer(signal.ITIMER_PROF, task["seconds"])
        for line in {"parse": _parse, "describe": _describe, "answer": _answer}[task["do"]](connection, task, given):
            _write(output, json.dumps(line, default=float).encode())


def _write(output: BinaryIO, line: bytes) -> None:
    output.write(line + b"\n")
    output.flush()  # at once: the next table may end the process


def main() -> None:
    """Fork a child for each socket that arrives, until standard input is closed."""
    control = socket.socket(fileno=0)
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    for statement in _STATEMENTS:
        connection.execute(statement)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        _, files, _, _ = socket.recv_fds(control, 1, 1)
        if not files:
            return
        with contextlib.suppress(BlockingIOError, MemoryError):  # no child is possible now: the caller reads nothing
            if os.fork() == 0:
                try:
                    control.close()
                    _work(connection, socket.socket(fileno=files[0]))
                finally:
                    os._exit(0)
        os.close(files[0])


if __name__ == "__main__":
    main()
