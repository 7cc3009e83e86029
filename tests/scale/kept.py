"""What processes write to a disk: regular files that they hold open for writing, looked for ten times a second."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.scale.processes import MEMORY, Group

_LOOK = 0.1


@contextmanager
def watching(groups: Iterable[Group], *, logs: Path) -> Iterator[set[str]]:
    """While the block runs: their files for writing, but for those in memory and our own logs in the folder ``logs``."""
    found: set[str] = set()
    ended = threading.Event()
    watched = tuple(groups)

    def look() -> None:
        while not ended.wait(_LOOK):
            for group in watched:
                for member in group.members():
                    found.update(f"{group.name}: {path}" for path in _written(member.pid) if not _known(path, logs))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


def _known(path: str, logs: Path) -> bool:
    return path.startswith((f"{MEMORY}/", "/memfd:")) or (Path(path).parent == logs and path.endswith((".log", "visits")))


def _written(pid: int) -> Iterator[str]:
    folder = Path(f"/proc/{pid}/fd")
    try:
        numbers = os.listdir(folder)
    except OSError:
        return  # it has ended
    for number in numbers:
        try:
            regular = stat.S_ISREG(os.stat(folder / number).st_mode)
            flags = int(Path(f"/proc/{pid}/fdinfo/{number}").read_text().split("flags:")[1].split()[0], 8)
            if regular and flags & os.O_ACCMODE != os.O_RDONLY:
                yield os.readlink(folder / number)
        except OSError:
            continue  # closed meanwhile
