"""Parsing a file in another process, so that a file that takes too much memory or time, or crashes it, ends in a sentence.

The process gets JSON with the task, and the bytes of the file. It returns a line of JSON and the cells: an Arrow stream of
strings, so nothing is unpickled.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pyarrow as pa

from dpcore.errors import TableError
from pages.files import parquet, text_file, workbook
from pages.files.limits import Answer

MOST_SECONDS = 30.0
MOST_MEMORY = 560 * 2**20  # beyond what the process takes before it sees the file
_ASKED = "DPCORE_PARSE"  # the variable with what to do: a command line is seen by everybody on a computer
# Addresses are limited: one thread and one arena, and large blocks are returned instead of leaving holes in the heap.
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "ARROW_IO_THREADS", "MALLOC_ARENA_MAX")
_SINGLE = dict.fromkeys(_THREADS, "1") | {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_MMAP_THRESHOLD_": "131072"}
READERS: dict[str, Callable[..., Answer]] = {
    "text": text_file.read,
    "parquet": parquet.read,
    "sheets": workbook.seen,
    "sheet": workbook.read,
}
_few_at_a_time = threading.BoundedSemaphore(2)


def parsed(content: bytes, reader: str, *options: Any) -> Answer:
    """Return the plain data of a reader, and its cells. The options are plain data.

    Raises:
        TableError: If the reader refuses the file, or the process ends without an answer.
    """
    command = [sys.executable, "-P", "-c", "from pages.files.parser_process import main; main()"]
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    env = os.environ | _SINGLE | {"PYTHONPATH": path, _ASKED: json.dumps([reader, *options])}
    try:
        with _few_at_a_time:
            done = subprocess.run(
                command,
                input=content,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=MOST_SECONDS,
                env=env,
                check=True,
            )
    except subprocess.SubprocessError:
        raise broken() from None
    end = done.stdout.index(b"\n")
    said = json.loads(done.stdout[:end])
    if "problem" in said:
        raise TableError(said["problem"], said["remedy"])
    return said, _cells(pa.py_buffer(done.stdout).slice(end + 1)) if len(done.stdout) > end + 1 else None


def _cells(stream: Any) -> Any:
    """Return the table of strings that a process writes. TableError for anything else."""
    try:
        table = pa.ipc.open_stream(stream).read_all()
        table.validate(full=True)
    except (pa.ArrowException, OSError):
        raise broken() from None
    if any(kind != pa.string() for kind in table.schema.types):
        raise broken()
    return table


def broken() -> TableError:
    """Return the sentence for a process that ended without an answer."""
    return TableError(
        "The file is broken, or it takes more memory or time to read than there is for one.",
        "Open it and save it again, without the columns, rows and sheets that are not needed, or save it as CSV.",
    )


def limit_memory() -> None:
    """Limit this process to ``MOST_MEMORY`` more memory, if the system has such limits."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as sizes:
            most = int(sizes.read().split()[0]) * resource.getpagesize() + MOST_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, OSError):
        return


def answer(reader: Callable[..., Answer], content: bytes, *options: Any) -> Answer:
    """Return the answer of a reader. If it refuses the file or runs out of memory, the answer is a problem and its remedy."""
    try:
        return reader(content, *options)
    except TableError as error:
        return {"problem": error.problem, "remedy": error.remedy}, None
    except MemoryError:
        problem = "The file takes more memory than there is for one."
        return {"problem": problem, "remedy": "Leave out columns or rows that are not needed."}, None


class _WithoutPandas(MetaPathFinder):
    """Refuse pandas, which PyArrow would import for every list that it takes: 0.4 s."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "pandas":
            raise ImportError


def main() -> None:
    """Read all of the input, and write the answer."""
    name, *options = json.loads(os.environ[_ASKED])
    sys.meta_path.insert(0, _WithoutPandas())
    gc.disable()  # it would look for cycles among millions of rows, and there are none
    limit_memory()
    said, cells = answer(READERS[name], sys.stdin.buffer.read(), *options)
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n")
    if cells is not None:
        with pa.ipc.new_stream(sys.stdout.buffer, cells.schema) as stream:
            stream.write_table(cells)
    sys.stdout.buffer.flush()
