"""The process that answers one query over files on this machine's disk, and ends: DuckDB reads them piece by piece.

It reads a line of JSON and writes one: the rows of the answer, or what kind of failure there was, and nothing of its message,
which could quote a row. Before it runs the query it sets limits that the system keeps: of memory beyond what it has taken
already, of processor time, and no file may grow. It opens the files that it is given, and no other. This file is run by its path,
and imports nothing of dpcore, which would take long.
"""

from __future__ import annotations

import ctypes
import json
import resource
import signal
import sys
from typing import Any

import duckdb

_END_WITH_PARENT = 1
_SETTINGS = {
    "python_enable_replacements": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "temp_directory": "",
    "secret_directory": "/nowhere",
}


def _limit(seconds: float, megabytes: int) -> None:
    with open("/proc/self/statm", encoding="ascii") as sizes:
        taken = int(sizes.read().split()[0]) * resource.getpagesize()
    most, whole = taken + megabytes * 2**20, int(seconds) + 2
    limits = ((resource.RLIMIT_AS, most), (resource.RLIMIT_CPU, whole), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0))
    for what, value in limits:
        resource.setrlimit(what, (value, value))


def _answer(task: dict[str, Any]) -> Any:
    settings = _SETTINGS | {"threads": task["threads"], "memory_limit": f"{task['megabytes'] // 2}MB"}
    connection = duckdb.connect(":memory:", config=settings)
    connection.execute("SET allowed_paths = $1", [task["parameters"][0]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET disabled_optimizers = 'statistics_propagation'")  # what a file says of its own values is no proof
    connection.execute("SET lock_configuration = true")
    _limit(task["seconds"] * task["threads"], task["megabytes"])
    return connection.execute(task["query"], task["parameters"]).fetchall()


def main() -> None:
    """Of any failure the kind alone is written."""
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    task = json.loads(sys.stdin.readline())
    try:
        said: Any = {"rows": _answer(task)}
    except Exception as error:
        said = {"failed": type(error).__name__}
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
