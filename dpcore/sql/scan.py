"""Runs a query over files on disk in a process of its own, with limits of memory and time (``scanned``)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

MEGABYTES = 768  # that a scan may take beyond DuckDB itself
_SECONDS, _SECONDS_A_ROW = 60.0, 3e-6  # a scan that takes longer is ended; 10⁸ rows take 3 s on two cores
_THREADS = 2
_one_at_a_time = threading.Lock()  # each takes all cores, and its memory
_SCANNED = Path(__file__).with_name("scanned.py")


def scan(query: str, parameters: list[Any], n: int) -> list[list[Any]]:
    """The rows of the answer; ValueError, which quotes nothing of a row, where there are none. ``n``: the number of rows, which
    is public and alone decides how long a scan may take."""
    seconds = _SECONDS + _SECONDS_A_ROW * n
    task = {"query": query, "parameters": parameters, "threads": _THREADS, "megabytes": MEGABYTES, "seconds": seconds}
    command = [sys.executable, "-s", "-B", "-P", str(_SCANNED)]
    try:
        with _one_at_a_time:
            said = subprocess.run(
                command,
                input=json.dumps(task) + "\n",
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                encoding="utf-8",
                cwd="/",
                env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PATH": os.defpath},
                check=False,
            ).stdout
        found = json.loads(said) if said else {}  # it was ended before it wrote
    except subprocess.TimeoutExpired:
        raise ValueError("the table took too long to be read") from None
    if "rows" not in found:
        raise ValueError("the table could not be read whole, or took too much memory")
    rows: list[list[Any]] = found["rows"]
    return rows
