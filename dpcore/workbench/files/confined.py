"""A file is parsed in a process of its own: what takes too much, lasts too long or crashes ends there, and is a sentence here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import TableError

MOST_SECONDS = 30.0
_SINGLE = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1") | {"ARROW_DEFAULT_MEMORY_POOL": "system"}
_KIND = re.compile(r"[<>|=][biufU]\d{1,9}")
Answer = tuple[dict[str, Any], list[NDArray[Any]]]


def parsed(content: bytes, reader: str, *options: Any) -> Answer:
    """What a reader of ``child`` says of a file, as JSON, and the arrays that belong to it; TableError for what it refuses.

    The options are plain data. No array holds anything but numbers, truth values and characters: nothing is unpickled.
    """
    asked = json.dumps([reader, *options]).encode() + b"\n"
    command = [sys.executable, "-P", "-m", "dpcore.workbench.files.child"]
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH"))))
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | _SINGLE | {"PYTHONPATH": path},
    )
    assert child.stdin is not None
    assert isinstance(child.stdout, BufferedReader)
    late = threading.Timer(MOST_SECONDS, child.kill)
    giving = threading.Thread(target=_give, args=(child.stdin, asked, content))
    try:
        late.start()
        giving.start()
        return _answer(child.stdout)
    finally:
        late.cancel()
        child.kill()
        giving.join()
        child.stdout.close()
        child.wait()


def _give(pipe: IO[bytes], asked: bytes, content: bytes) -> None:
    with suppress(BrokenPipeError), pipe:
        pipe.write(asked)
        pipe.write(content)


def _answer(pipe: BufferedReader) -> Answer:
    line = pipe.readline()
    if not line.endswith(b"\n"):
        raise broken()
    said = json.loads(line)
    if "problem" in said:
        raise TableError(said["problem"], said["remedy"])
    return said, [_array(pipe, kind, size) for kind, size in said["arrays"]]


def _array(pipe: BufferedReader, kind: str, size: int) -> NDArray[Any]:
    if not _KIND.fullmatch(kind):
        raise broken()
    array = np.empty(size, dtype=kind)
    if not array.nbytes:
        return array
    room, filled = array.view(np.uint8).data, 0
    while filled < len(room):
        got = pipe.readinto(room[filled:])
        if not got:
            raise broken()
        filled += got
    return array


def broken() -> TableError:
    """What is said where the process ended without an answer."""
    return TableError(
        "The file is broken, or it takes more memory or time to read than there is for one.",
        "Open it and save it again, without the columns and records that are not needed, or save it as CSV.",
    )
