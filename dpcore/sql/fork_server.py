"""The program that runs SQL: it has DuckDB loaded, holds no table, and forks a fresh child process for each call.

A child reads its task and limits itself for good: memory, processor time, and a filter of system calls. Only then it looks at
the SQL. Answers are lines of JSON; a child that exceeds a limit ends without a further line. ``server_client.py`` starts this
file by its path, so it imports nothing from dpcore. (``multiprocessing`` cannot take its place: its children import the main
module, so they would run a user's script again.)
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
from typing import Any

import duckdb
import pyarrow as pa

# Errors that a value of a table can cause, after which the next table is answered as if nothing had happened.
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
_STATEMENTS = "SET errors_as_json = true; SET TimeZone = 'UTC'; PRAGMA disable_optimizer"

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
    """The table that SQL reads as ``data``: another one for each run of the same plan."""

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
    library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)  # the next call needs it
    if library.syscall(_SECCOMP, _SET_FILTER, _ALL_THREADS, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def _run(connection: Any, sql: str, tables: pa.Table, count: int, most: int, seconds: float) -> Iterator[Any]:
    """Yield the first rows of the answer for each of ``count`` tables, all of one length, or the error.

    Only errors on tables without a row come with their text, which could quote a cell.
    """
    current, rows = _Current(tables), len(tables) // count
    connection.register("data", current)
    refusals, plan = _OF_THE_TABLE if rows else duckdb.Error, None
    for place in range(count):
        signal.setitimer(signal.ITIMER_PROF, seconds)
        current.table = tables.slice(place * rows, rows)
        try:
            if plan is None:
                connection.execute(f"PREPARE question AS {sql}")
                plan = connection.extract_statements("EXECUTE question")[0]
            yield connection.execute(plan).fetchmany(most)
        except refusals as error:
            yield {"failed": type(error).__name__, "text": "" if rows else str(error)}


def _answer(connection: Any, channel: socket.socket) -> None:
    """Read a task, set the limits, and write its lines, the first one empty."""
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    tables = pa.ipc.open_stream(channel.makefile("rb").read()).read_all()
    with open(channel.detach(), "w", encoding="ascii", buffering=1) as output:  # line by line: the next table may end the process
        print(file=output)
        task = json.loads(tables.schema.metadata[b"task"])
        seconds, megabytes, count = task["seconds"], task["megabytes"], task["count"]
        connection.execute(f"SET memory_limit = '{megabytes // 2}MB'")
        connection.execute("SET lock_configuration = true")
        signal.setitimer(signal.ITIMER_REAL, seconds * count * _WALL_CLOCK)
        set_limits(seconds * count, megabytes)
        for line in _run(connection, task["sql"], tables, count, task["most"], seconds):
            print(json.dumps(line, default=float), file=output)


def main() -> None:
    """Fork a child for each socket that arrives, until standard input is closed."""
    control = socket.socket(fileno=0)
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    connection.execute(_STATEMENTS)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while files := socket.recv_fds(control, 1, 1)[1]:
        with contextlib.suppress(BlockingIOError, MemoryError):  # no child is possible now: the caller reads nothing
            if os.fork() == 0:
                try:
                    control.close()
                    _answer(connection, socket.socket(fileno=files[0]))
                finally:
                    os._exit(0)
        os.close(files[0])


if __name__ == "__main__":
    main()
