"""What a server does once: an upload of any size that is allowed stays in memory."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import streamlit as st
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser

from pages.server import startup
from pages.server.startup import keep_uploads_in_memory, set_aside
from tests.pages.visit import visit

_BOUNDARY = "x-x-x"


def _alone(work: Coroutine[Any, Any, Any]) -> Any:
    """In a thread of its own: a browser test before this one leaves an event loop in the main one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def _on_disk(size: int) -> bool:
    """Whether a form's file of so many bytes was rolled out of memory."""

    async def stream() -> AsyncGenerator[bytes, None]:
        yield f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n'.encode()
        yield b"1" * size
        yield f"\r\n--{_BOUNDARY}--\r\n".encode()

    headers = Headers({"content-type": f"multipart/form-data; boundary={_BOUNDARY}"})
    form = _alone(MultiPartParser(headers, stream()).parse())
    file = form["f"]
    assert isinstance(file, UploadFile)
    rolled = bool(vars(file.file)["_rolled"])
    file.file.close()
    return rolled


def test_an_upload_is_never_a_file_on_the_disk() -> None:
    keep_uploads_in_memory()
    assert not _on_disk(50 * 2**20)
    assert _on_disk(52 * 2**20)  # the limit is the server's own: nothing so large is taken


def test_imported_modules_are_kept_out_of_garbage_collections(new_server: Callable[[], None]) -> None:
    gc.unfreeze()
    new_server()
    visit()
    assert gc.get_freeze_count() > 10 * len(gc.get_objects())


def test_a_start_is_finished_once_whoever_clears_the_caches(
    new_server: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    finished: list[None] = []
    monkeypatch.setattr(startup, "set_aside", lambda: finished.append(None))
    new_server()
    for _ in range(2):
        startup.finish()
        st.cache_resource.clear()
    assert len(finished) == 1


class _Session:
    """Holds itself, as Streamlit's sessions do, and a table that came after it was set aside."""

    def __init__(self) -> None:
        self.self, self.table = self, set[int]()


def test_what_was_set_aside_is_given_back_the_next_time() -> None:
    session = _Session()
    set_aside()
    session.table = {1, 2, 3}
    table, held = weakref.ref(session.table), weakref.ref(session)
    del session
    for _ in range(100):  # while another thread collects, as of a server of a test before, gc.collect() does nothing
        set_aside()
        if held() is None:
            break
        time.sleep(0.05)
    assert held() is None
    assert table() is None
