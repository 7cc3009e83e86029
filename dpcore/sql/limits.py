"""Limits that the system keeps for a process: of memory and processor time, and a filter of system calls.

Behind the filter the process can compute, read what it has and write an answer, and nothing else: no file can be opened or looked
at, no process or thread started, no signal sent, no socket made, no shared memory or key kept, and no limit raised. Linux on
x86-64 alone. This file is loaded by its path, and imports nothing of dpcore, which would take long.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import socket
import struct
import threading
from collections.abc import Callable
from typing import Any

# System calls of x86-64 that touch nothing but the process itself and the files that it was given open.
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
_NO_NEW_PRIVILEGES = 38
_X86_64 = 0xC000003E
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _MACHINE = 0, 4  # where they stand in what a filter is shown
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def limit(seconds: float, megabytes: int) -> None:
    """At most so much processor time in all, and so much memory beyond what is taken already; no file may grow."""
    with open("/proc/self/statm", encoding="ascii") as sizes:
        taken = int(sizes.read().split()[0]) * resource.getpagesize()
    most = taken + megabytes * 2**20
    whole = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime + seconds) + 2
    for what, value in (
        (resource.RLIMIT_AS, most),
        (resource.RLIMIT_CPU, whole),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (value, value))


def raise_walls() -> None:
    """OSError where the system refuses the filter. There is no way back, for threads that are there already either."""
    library = ctypes.CDLL(None, use_errno=True)
    steps = _filter()
    program = _Program(len(steps) // 8, steps)
    if library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or library.syscall(
        _SECCOMP, _SET_FILTER, _ALL_THREADS, ctypes.byref(program)
    ):
        raise OSError(ctypes.get_errno(), "the filter of system calls was refused")


def _filter() -> bytes:
    """Kills a call of another machine's numbers, lets those above pass, and refuses the rest."""
    numbers = sorted(_ALLOWED.values())
    steps = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, _X86_64), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    steps += [(_EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
    steps += [(_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


# The ways out of a process that the filter is to close, each of which does no harm where it is open.

_SHARED_MEMORY, _KEY, _TRACE, _MEMORY_FILE, _FILTER = 29, 248, 101, 319, 317
_library = ctypes.CDLL(None, use_errno=True)


def ways_out() -> int:
    """How many ways out of this process are open: 0 if each is refused for want of permission, and not for another reason."""
    return sum(map(_is_open, _WAYS))


def _is_open(way: Callable[[], Any]) -> bool:
    try:
        way()
    except (PermissionError, RuntimeError, ValueError):  # as Python says it of a thread, and of a limit
        return False
    except OSError:
        return True
    return True


def _call(number: int, *arguments: int) -> None:
    if _library.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")


_WAYS: tuple[Callable[[], Any], ...] = (
    lambda: os.open("/proc/self/stat", os.O_RDONLY),
    lambda: os.open("/nowhere/left", os.O_CREAT | os.O_WRONLY),
    lambda: os.stat("/"),
    lambda: os.listdir("/"),
    lambda: os.utime("/nowhere"),
    lambda: os.mkdir("/nowhere/left"),
    lambda: os.kill(os.getpid(), 0),
    lambda: os.fork() or os._exit(0),
    lambda: os.posix_spawn("/bin/true", ["true"], {}),
    lambda: threading.Thread(target=int).start(),
    lambda: socket.socket(),
    lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    lambda: os.nice(0),
    lambda: _call(_SHARED_MEMORY, 0, 0, 0o1600),
    lambda: _call(_KEY, 0, 0, 0, 0, 0),
    lambda: _call(_TRACE, -1, 0, 0, 0),
    lambda: _call(_MEMORY_FILE, 0, 0),
    lambda: _call(_FILTER, 2, 0, 0),
)
