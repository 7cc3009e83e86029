"""Programs that hang, flood, crash or print what is no number: a sentence each, in their time, and nothing of them is left."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import Column
from dpcore.programs import Program, run

COST = (Column("cost"),)
TABLE = np.zeros(3, dtype=[("cost", float)])
LARGE = np.full(100_000, 1 / 3, dtype=[("cost", float)])  # 2 MB as CSV: much more than a pipe holds
SHORT = 0.3  # seconds, of what does not end by itself


def _sh(script: str, seconds: float = 20.0) -> Program:
    return Program(("sh", "-c", script), COST, seconds_at_most=seconds)


HANGS = [
    ("sleep 60", "the program took longer than 0.3 s"),
    ("while :; do :; done", "the program took longer than 0.3 s"),
    ("echo 1; sleep 60", "the program took longer than 0.3 s"),
    ("exec 1>&-; sleep 60", "the program took longer than 0.3 s"),
    ("echo waiting >&2; sleep 60", "the program took longer than 0.3 s and said “waiting”"),
    ("trap '' TERM INT HUP; while :; do sleep 1; done", "the program took longer than 0.3 s"),
    ("kill -STOP $$; echo 1", "the program took longer than 0.3 s"),
    ("sleep 60 & echo 1", "a process that the program left behind held its output for longer than 0.3 s"),
    ("yes >&2", "the program took longer than 0.3 s and said “y”"),
    ("echo 1; sleep 60 & exit 4", "the program ended with the exit code 4"),
]
ENDS = [
    ("yes 1", "the program printed more than 4,608 bytes"),
    ("tr '\\0' 1 < /dev/zero", "the program printed more than 4,608 bytes"),
    ("exit 3", "the program ended with the exit code 3"),
    ("echo 1; exit 1", "the program ended with the exit code 1"),
    ("echo one >&2; echo; echo 'two “2”' >&2; exit 9", "the program ended with the exit code 9 and said “two 2”"),
    ("seq 50000 >&2; echo last >&2; exit 9", "the program ended with the exit code 9 and said “last”"),
    ("printf 'x%.0s' $(seq 5000) >&2; exit 9", f"the program ended with the exit code 9 and said “{'x' * 99}…”"),
    ("printf '\\377\\033[2Jx\\n' >&2; exit 9", "the program ended with the exit code 9 and said “\ufffd [2Jx”"),
    ("kill -SEGV $$", "the program was ended by SIGSEGV"),
    ("kill -9 $$", "the program was ended by SIGKILL"),
    ("kill -40 $$", "the program was ended by the signal 40"),
    ("true", "the program printed no numbers, expected 1"),
    ("exec 1>&-", "the program printed no numbers, expected 1"),
    ("echo", "the program printed no numbers, expected 1"),
    ("echo 1 2", "the program printed 2 numbers, expected 1"),
    ("echo nan", "the program printed “nan”, which is no finite number"),
    ("echo NaN", "the program printed “NaN”, which is no finite number"),
    ("echo -inf", "the program printed “-inf”, which is no finite number"),
    ("echo 1e999", "the program printed “1e999”, which is no finite number"),
    ("echo hello world", "the program printed “hello”, which is no finite number"),
    ("echo 1,5", "the program printed “1,5”, which is no finite number"),
    ("echo 1_000", "the program printed “1_000”, which is no finite number"),
    ("echo 0x10", "the program printed “0x10”, which is no finite number"),
    ("echo ١٢", "the program printed “١٢”, which is no finite number"),
    ("echo 1e", "the program printed “1e”, which is no finite number"),
    ("echo .", "the program printed “.”, which is no finite number"),
    ("printf '1\\0'", "the program printed “1”, which is no finite number"),
    ("printf '\\377'", "the program printed “\ufffd”, which is no finite number"),
]


@pytest.mark.parametrize(("script", "said"), [*HANGS, *ENDS], ids=[script for script, _ in [*HANGS, *ENDS]])
def test_each_bad_end_is_a_failure_with_its_reason_in_its_time(script: str, said: str) -> None:
    began, seconds = time.monotonic(), SHORT if (script, said) in HANGS else 20.0
    with pytest.raises(ValueError, match="the program") as failed:
        _sh(script, seconds)(TABLE)
    assert str(failed.value) == said
    assert len(said) < 180  # what the sampler keeps of a reason holds it whole
    assert time.monotonic() - began < SHORT + 5


@pytest.mark.parametrize(
    ("said", "number"), [("1", 1), ("+1.5e3", 1500), (" -.5\n\n", -0.5), ("7.", 7), ("1E-2", 0.01), ("00012", 12)]
)
def test_decimals_are_numbers(said: str, number: float) -> None:
    assert Program(("printf", "%s", said), COST)(TABLE) == number


@pytest.mark.parametrize(
    "script",
    [
        "sleep 60 & echo $! > {pids}; sleep 60 & echo $! >> {pids}; sleep 60",
        "sh -c 'trap \"\" TERM; while :; do sleep 1; done' & echo $! > {pids}; echo 1",
        "sleep 60 > /dev/null 2>&1 & echo $! > {pids}; echo 1",  # holds no pipe: its parent's answer counts
        "sleep 60 & echo $! > {pids}; yes",
        "sleep 60 & echo $! > {pids}; exit 1",
    ],
)
def test_no_process_of_its_group_is_left(script: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    try:
        assert _sh(script.format(pids=pids), SHORT)(TABLE) == 1
        assert "/dev/null" in script
    except ValueError:
        assert "/dev/null" not in script
    found = pids.read_text().split()
    assert found
    end = time.monotonic() + 3
    while any(map(_lives, found)) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(map(_lives, found))


def _lives(pid: str) -> bool:
    """Not where it is gone, or is dead and nobody asked for its code."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_large_table_need_not_be_read() -> None:
    assert _sh("exec 0<&-; sleep 0.05; echo 1")(LARGE) == 1
    assert _sh("head -n 2 > /dev/null; echo 2")(LARGE) == 2


def test_much_is_read_and_printed_at_once() -> None:
    """Each number is printed as it is read: neither side waits for the other, whatever a pipe holds."""
    some = LARGE[:50_000]
    answer = Program(("awk", 'NR > 1 { print $1; print "told" > "/dev/stderr" }'), COST, len(some), 20.0)(some)
    assert answer.tobytes() == some["cost"].tobytes()


def test_the_last_words_of_a_traceback_are_the_reason() -> None:
    with pytest.raises(
        ValueError, match=r"^the program ended with the exit code 1 and said “ZeroDivisionError: division by zero”$"
    ):
        Program((sys.executable, "-c", "1/0"), COST)(TABLE)


def test_nothing_is_left_open_or_in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))
    for script in ("sleep 60", "yes", "exec 0<&-; exit 3", "echo nan", "exec 1>&- 2>&-; sleep 60"):
        with pytest.raises(ValueError, match="the program"):
            _sh(f"touch left; mkdir below; {script}", SHORT)(TABLE)
    assert len(os.listdir("/proc/self/fd")) == before
    assert not os.listdir(tmp_path)


def test_who_stops_waiting_ends_it(tmp_path: Path) -> None:
    """As by Ctrl-C, which does not reach the program's own group."""
    pid = tmp_path / "pid"
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            _sh(f"echo $$ > {pid}; sleep 60", seconds=60.0)(TABLE)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert not _lives(pid.read_text().strip())


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM, errno.EMFILE])
def test_a_machine_without_room_for_a_process_is_no_failure_of_the_program(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    target = _sh("echo 1")
    monkeypatch.setattr(subprocess, "Popen", refuses)
    with pytest.raises(MemoryError, match="no process could be started for a program"):
        target(TABLE)


def test_what_the_system_cannot_run_has_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "strange"
    file.write_bytes(b"\x7fELF nothing")
    file.chmod(0o755)
    with pytest.raises(ValueError, match=r"^the program could not be started: Exec format error$"):
        Program((file,), COST)(TABLE)
    assert run.output(("/bin/cat",), b"12", 20.0, 10) == b"12"
