"""The server's log says where an error was raised, and never its message, which can quote a value."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.server.logs import leave_out_messages, leave_out_messages_of_loop


@pytest.fixture
def _left_out() -> Iterator[None]:
    before = logging.getLogRecordFactory(), threading.excepthook, sys.unraisablehook
    leave_out_messages()
    yield
    logging.setLogRecordFactory(before[0])
    threading.excepthook, sys.unraisablehook = before[1:]


def _fail(word: str) -> None:
    try:
        float(word)
    except ValueError as error:
        raise KeyError(word) from error


@pytest.mark.usefixtures("_left_out")
def test_a_logged_error_has_its_place_and_no_message(caplog: pytest.LogCaptureFixture) -> None:
    leave_out_messages()  # a second call changes nothing
    try:
        _fail("zwie" + "back")
    except KeyError:
        logging.getLogger("streamlit.error_util").exception("Uncaught app execution")
    assert "zwieback" not in caplog.text
    assert "Uncaught app execution" in caplog.text
    assert "in _fail" in caplog.text
    assert caplog.text.index("ValueError (message left out)") < caplog.text.index("KeyError (message left out)")
    assert all(record.exc_info is None for record in caplog.records)


def _in_a_thread() -> None:
    thread = threading.Thread(target=_fail, args=("zwie" + "back",))
    thread.start()
    thread.join()


class _FailsAtItsEnd:
    def __del__(self) -> None:
        _fail("zwie" + "back")


def _at_an_end() -> None:
    one = _FailsAtItsEnd()
    del one


def _in_an_event_loop() -> None:
    async def serve() -> None:
        leave_out_messages_of_loop()
        asyncio.get_running_loop().call_soon(_fail, "zwie" + "back")
        await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as thread:  # a browser test before this one leaves an event loop in the main one
        thread.submit(asyncio.run, serve()).result()


@pytest.mark.usefixtures("_left_out")
@pytest.mark.parametrize("where", [_in_a_thread, _at_an_end, _in_an_event_loop])
def test_an_error_that_nobody_handles_has_its_place_and_no_message(
    where: Callable[[], None], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    where()
    said = caplog.text + "".join(capfd.readouterr())
    assert "zwieback" not in said
    assert "in _fail" in said
    assert "KeyError (message left out)" in said


@pytest.mark.usefixtures("_left_out")
def test_an_error_in_the_words_of_a_record_is_its_kind(caplog: pytest.LogCaptureFixture) -> None:
    error = KeyError("zwie" + "back")
    logging.getLogger("one").error("The widget failed: %s", error)
    logging.getLogger("one").error(error)
    assert caplog.messages == ["The widget failed: KeyError", "KeyError"]


@pytest.mark.usefixtures("_left_out")
def test_the_end_of_a_thread_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    thread = threading.Thread(target=sys.exit)
    thread.start()
    thread.join()
    assert not caplog.text
