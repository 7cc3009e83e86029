"""Runs a command once: what it wrote, or the reason why it has no answer. Nothing of its process group is left."""

from __future__ import annotations

import errno
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import final

from dpcore.base.quoted import quoted

_THREADS = ("OPENBLAS", "OMP", "MKL", "NUMEXPR")
_ENVIRONMENT = {
    "PATH": os.defpath,
    "HOME": ".",  # the empty folder in which it runs
    "TMPDIR": ".",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    **{f"{name}_NUM_THREADS": "1" for name in _THREADS},  # a sum by several threads can differ in its last bits
}
_PIECE = 2**16  # bytes at once
_KEPT = 2_000  # last bytes of what it says of errors
_MOST_SAID = 100  # characters of it in a reason
_LOOK = 0.002  # seconds between two looks whether it has ended
_OF_THE_MACHINE = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}


def output(command: tuple[str, ...], given: bytes, seconds: float, most: int) -> bytes:
    """What it wrote to its standard output, once it ended with the code 0; ValueError, with the reason, for any other end.

    MemoryError where no process can be started, which is the machine's failure.
    """
    end = time.monotonic() + seconds
    with _started(command) as process:
        exchange = _Exchange(process, memoryview(given), most)
        exchange.run(end)
        code = process.poll()
    if exchange.flooded:
        raise ValueError(f"the program printed more than {most:,} bytes")
    if code is None:
        raise ValueError(f"the program took longer than {seconds:g} s{exchange.said}")
    if code:
        raise ValueError(f"the program {_how(code)}{exchange.said}")
    if not exchange.closed:
        raise ValueError(f"a process that the program left behind held its output for longer than {seconds:g} s")
    return bytes(exchange.out)


@contextmanager
def _started(command: tuple[str, ...]) -> Iterator[subprocess.Popen[bytes]]:
    """In a group of its own, which is ended afterwards, and in an empty folder, which is removed."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = _process(command, folder)
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
                pipe.close()


def _process(command: tuple[str, ...], folder: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=_ENVIRONMENT, start_new_session=True
        )
    except OSError as error:
        if error.errno in _OF_THE_MACHINE:
            raise MemoryError("no process could be started for a program") from None
        raise ValueError(f"the program could not be started: {error.strerror}") from None


def shown(said: bytes | bytearray) -> str:
    """As text; what no screen shows, as the signs that move its cursor, is blank."""
    return "".join(letter if letter.isprintable() else " " for letter in said.decode(errors="replace"))


def _how(code: int) -> str:
    """How a process ended, by its code."""
    if code > 0:
        return f"ended with the exit code {code}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by the signal {-code}"


@final
@dataclass
class _Exchange:
    """Gives a process its input and takes what it writes, all at once, so that neither waits for the other."""

    process: subprocess.Popen[bytes]
    left: memoryview
    most: int
    out: bytearray = field(default_factory=bytearray)
    err: bytearray = field(default_factory=bytearray)
    closed: bool = False

    @property
    def flooded(self) -> bool:
        """Whether it printed more than it may."""
        return len(self.out) > self.most

    @property
    def said(self) -> str:
        """The last line that it wrote to its standard error."""
        lines = [line for line in map(shown, self.err.splitlines()) if line.strip()]
        return f" and said {quoted(lines[-1], _MOST_SAID)}" if lines else ""

    def run(self, end: float) -> None:
        """Until the output was closed and the process ended, or the time is up, or it floods."""
        with selectors.DefaultSelector() as pipes:
            for pipe, events, do in (
                (self.process.stdin, selectors.EVENT_WRITE, self._give),
                (self.process.stdout, selectors.EVENT_READ, self._take),
                (self.process.stderr, selectors.EVENT_READ, self._hear),
            ):
                assert pipe is not None
                os.set_blocking(pipe.fileno(), False)
                pipes.register(pipe, events, (pipe, do))
            while not self._over and (now := time.monotonic()) < end:
                for key, _ in pipes.select(min(end - now, _LOOK) if self.closed else end - now):
                    pipe, do = key.data
                    if not do(key.fd):
                        pipes.unregister(pipe)
                        pipe.close()
        if self.process.stderr and not self.process.stderr.closed:
            with suppress(BlockingIOError):
                self._hear(self.process.stderr.fileno())  # what was written between the last look and the end

    @property
    def _over(self) -> bool:
        return self.flooded or (self.closed and self.process.poll() is not None)

    def _give(self, pipe: int) -> bool:
        """Whether there is more to give. A program need not read all that it could."""
        try:
            self.left = self.left[os.write(pipe, self.left[:_PIECE]) :]
        except BrokenPipeError:
            return False
        return len(self.left) > 0

    def _take(self, pipe: int) -> bool:
        piece = os.read(pipe, _PIECE)
        self.out += piece
        self.closed = not piece
        return bool(piece)

    def _hear(self, pipe: int) -> bool:
        piece = os.read(pipe, _PIECE)
        self.err = (self.err + piece)[-_KEPT:]
        return bool(piece)
