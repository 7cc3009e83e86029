"""A program that tries each known way out of a process, with or without the limits of one that answers queries.

It writes how many ways there are and how many are open. None does harm if it is open.
"""

from __future__ import annotations

import ctypes
import os
import resource
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

from dpcore.sql import fork_server

_SHARED_MEMORY, _KEY, _TRACE, _MEMORY_FILE, _FILTER = 29, 248, 101, 319, 317  # system calls
_library = ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: int) -> None:
    if _library.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def _is_open(way: Callable[[], Any]) -> bool:
    """Return whether a way is refused for want of permission, and for no other reason."""
    try:
        way()
    except (PermissionError, RuntimeError, ValueError):  # as Python says it of a thread, and of a limit
        return False
    except OSError:
        return True
    return True


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


if __name__ == "__main__":
    if "limited" in sys.argv:
        fork_server.set_limits(60.0, 512)
    print(len(_WAYS), sum(map(_is_open, _WAYS)))
