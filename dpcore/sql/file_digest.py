"""The digest of files on disk, read by two threads: the SHA-256 of their names and of that of each piece of 64 MB, in order."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_PIECE, _BLOCK = 2**26, 2**20
_THREADS = 2  # hashing lets other threads run
Stamps = tuple[tuple[int, int, int, int], ...]


def stamps(files: Sequence[Path]) -> Stamps:
    """Which file each is, its size and when it was changed last; OSError where one is not there."""
    found = (os.stat(file) for file in files)
    return tuple((one.st_dev, one.st_ino, one.st_size, max(one.st_mtime_ns, one.st_ctime_ns)) for one in found)


def digest(files: Sequence[Path], names: Sequence[str]) -> str:
    """64 hexadecimal digits; OSError where a file cannot be read. ``names``: one for each, which tells it from the others."""
    sizes = [os.stat(file).st_size for file in files]
    pieces = [[(file, start) for start in range(0, max(1, size), _PIECE)] for file, size in zip(files, sizes, strict=True)]
    whole = hashlib.sha256()
    with ThreadPoolExecutor(_THREADS) as threads:
        found = threads.map(lambda one: _piece(*one), [one for some in pieces for one in some])
        for name, size, some in zip(names, sizes, pieces, strict=True):
            written = name.encode("utf-8", "surrogateescape")
            whole.update(len(written).to_bytes(8, "big") + written + size.to_bytes(8, "big"))
            for _ in some:
                whole.update(next(found))
    return whole.hexdigest()


def _piece(file: Path, start: int) -> bytes:
    found, left = hashlib.sha256(), _PIECE
    with open(file, "rb", buffering=0) as opened:
        opened.seek(start)
        while left and (block := opened.read(min(_BLOCK, left))):
            found.update(block)
            left -= len(block)
    return found.digest()
