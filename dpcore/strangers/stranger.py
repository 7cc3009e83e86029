"""A function of somebody else's as a target: each call in a process of its own, which can leave nothing behind."""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.checks import positive, set_fields, whole
from dpcore.base.fingerprint.installed import installed
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError

_MOST_BYTES = 65_536  # of an answer: what a pipe holds after its writer has ended
_CHILD = Path(__file__).with_name("child.py")
_THREADS = ("OPENBLAS", "OMP", "MKL", "NUMEXPR")


@final
@dataclass(frozen=True, slots=True)
class Stranger:
    """f(D) = ``function``(D), asked in a fresh process that ends after each call; (n, …) -> (d,).

    The process is started from Python's own files, and loads the libraries that the function's module imports. Then a filter of
    system calls is put around it (``child``), and only behind that the module is run, from its text, and asked: it can open no
    file or socket and start no process or thread. So a function that counts its calls, or keeps what it saw, starts anew each
    time (mathematics, section 20.4). It must be one of a module of its own that imports installed libraries alone; what these
    load only when they are used is named in ``libraries``.

    **Every call takes ``seconds_a_call``**, whatever it does: the process is ended then, and where it ends earlier, the rest is
    waited for. So neither a later call nor somebody with a clock learns how long one took. ``megabytes``: memory beyond that of
    the libraries. A call that fails in any way raises ValueError. Try it on a made-up table first, for of blocks that fail
    nothing is said.

    ``from_a_part``: how the answer goes from a part of the records to all, “alike” or “in proportion”.
    """

    function: Callable[[Database], Any]
    from_a_part: str
    seconds_a_call: float = 1.0
    megabytes: int = 512
    libraries: tuple[str, ...] = ()
    takes_fields: bool = False
    fields: tuple[str, ...] = ()
    remembers_nothing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.from_a_part not in ("alike", "in proportion"):
            raise InvalidValueError("from_a_part", "“alike”, as a mean, or “in proportion”, as a sum", self.from_a_part)
        _check_function(self.function, tuple(self.libraries))
        seconds, megabytes = positive("seconds_a_call", self.seconds_a_call), whole("megabytes", self.megabytes)
        set_fields(self, seconds_a_call=seconds, megabytes=megabytes, libraries=tuple(self.libraries))
        if not walls_hold():
            expected = (
                "asked on Linux on x86-64, where a filter of system calls can wall a process off; without it nothing keeps a "
                "function from carrying a row from one block to another"
            )
            raise InvalidValueError("function", expected, sys.platform)

    def seconds(self, n: int, /) -> float:
        """How long a call takes: always the same."""
        return self.seconds_a_call

    def __call__(self, database: Database, /) -> FloatArray:
        end = time.monotonic() + self.seconds_a_call
        answer = _asked(_task(self.function, self.seconds_a_call, self.megabytes, self.libraries), database)
        time.sleep(max(0.0, end - time.monotonic()))
        if not answer or len(answer) % 8 or len(answer) >= _MOST_BYTES:
            raise ValueError("the function failed in its process")
        return np.frombuffer(answer, dtype=np.float64).copy()


def imported(text: str) -> Iterator[str]:
    """The modules that a text names in its imports, inside of functions too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@lru_cache(maxsize=1)
def walls_hold() -> bool:
    """Whether walls stand here: a process behind them tried to get out in each way that is known, and no way was open."""
    if sys.platform != "linux" or platform.machine() != "x86_64":  # whose numbers of system calls the filter knows
        return False
    from dpcore.strangers import escapes

    return _asked(_task(escapes.ways_out, 20.0, 512, ()), np.zeros(1)) == np.zeros(1).tobytes()


def _task(function: Callable[[Database], Any], seconds: float, megabytes: int, libraries: tuple[str, ...]) -> dict[str, Any]:
    """What the process is told: the text of the function's module, and what is to be loaded before its walls."""
    module = inspect.getmodule(function)
    assert module is not None
    text = inspect.getsource(module)
    return {
        "module": f"stranger_{module.__name__.rpartition('.')[2]}",
        "name": function.__name__,
        "text": text,
        "libraries": [*dict.fromkeys((*imported(text), *libraries))],
        "seconds": seconds,
        "megabytes": megabytes,
    }


def _check_function(function: object, libraries: tuple[str, ...]) -> None:
    """InvalidValueError where it cannot be found by its name in a module of its own, or needs what is not installed."""
    expected = "a function at the top of a file of its own, which a new process can run: no lambda, none of a notebook or a class"
    if not isinstance(function, FunctionType) or function.__module__ == "__main__":
        raise InvalidValueError("function", expected, function)
    module = inspect.getmodule(function)
    if module is None or vars(module).get(function.__name__) is not function:
        raise InvalidValueError("function", expected, function)
    for name in (*imported(inspect.getsource(module)), *libraries):
        if not _is_installed(name):
            raise InvalidValueError(
                "function", "of a file that imports installed libraries alone, for they are loaded before the walls", name
            )


def _is_installed(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return installed(name) is not None


def _asked(task: dict[str, Any], database: Database) -> bytes:
    """What the process wrote before it ended, or was ended; nothing where it failed."""
    table = io.BytesIO()
    np.save(table, np.ascontiguousarray(database), allow_pickle=False)
    given = os.memfd_create("task")
    try:
        os.write(given, json.dumps(task).encode() + b"\n" + table.getvalue())
        os.lseek(given, 0, os.SEEK_SET)
        threads = {f"{name}_NUM_THREADS": "1" for name in _THREADS}  # for threads cannot be started behind the walls
        paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PATH": os.defpath}
        command = [sys.executable, "-s", "-B", "-P", str(_CHILD)]
        process = subprocess.Popen(
            command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd="/", env=threads | paths, close_fds=True
        )
    finally:
        os.close(given)
    try:
        process.wait(timeout=task["seconds"])
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout is not None
    with process.stdout:
        return process.stdout.read(_MOST_BYTES)
