"""A Dask cluster whose workers can do this server's tasks."""

from __future__ import annotations

import asyncio
import pkgutil
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from dpcore.base.extras import needs
from dpcore.base.version import VERSION

_ANSWER = 3.0  # seconds that a scheduler has to answer
_CLOSE = 2.0  # seconds that its tasks have to end when it is left
_IMPORT = 10.0  # seconds that its workers have to import dpcore


class ClusterError(Exception):
    """Why there is no cluster: what happened, and what to do."""


def connect(address: str) -> tuple[Any, int]:
    """A Dask client, and how many tasks its workers run at once; ClusterError where none answers or workers lack dpcore."""
    try:
        with needs("cluster"):
            from distributed import Client
    except ModuleNotFoundError as error:
        raise ClusterError(str(error)) from None
    try:
        asyncio.run(_answers(address))
        client = _within(_ANSWER, Client, address, timeout=_ANSWER, set_as_default=False)
    except Exception as error:
        raise ClusterError(
            f"No Dask scheduler answers at {address} ({type(error).__name__}). Start it, or correct the address."
        ) from None
    try:
        count = sum(workers(client).values())
        if not count:
            raise ClusterError(f"The Dask scheduler at {address} has no workers. Start some there.")
        _refuse_other(f"scheduler at {address}", _of_scheduler(client))
        refuse_strangers(client)
    except ClusterError:
        leave(client)
        raise
    except Exception as error:
        leave(client)
        raise ClusterError(
            f"The Dask scheduler at {address}, or a worker of it, did not answer when asked for its dpcore "
            f"({type(error).__name__}). See their logs."
        ) from None
    return client, count


def refuse_strangers(client: Any, workers: Iterable[str] | None = None) -> None:
    """ClusterError for one of these workers, of all where none are named, that has no dpcore or another one."""
    # asked by the standard library alone: a worker without dpcore would die of reading anything of ours
    asked = None if workers is None else list(workers)
    versions = _within(_IMPORT, client.run, pkgutil.resolve_name, "dpcore.base.version:VERSION", workers=asked, on_error="return")
    for worker, version in versions.items():
        _refuse_other(f"worker {worker}", version)


def _refuse_other(who: str, version: object) -> None:
    if version != VERSION:
        has = f"dpcore {version}" if isinstance(version, str) else "no dpcore"
        raise ClusterError(f"The {who} has {has}; this server has dpcore {VERSION}. Install that there.")


def _of_scheduler(client: Any) -> object:
    """The scheduler's dpcore, for it reads the tasks too; the error where it has none."""
    try:
        return _within(_IMPORT, client.run_on_scheduler, pkgutil.resolve_name, "dpcore.base.version:VERSION")
    except ModuleNotFoundError as error:
        return error


async def _answers(address: str) -> None:
    """Returns if a scheduler answers in time. A client by itself waits for ever where something listens and says nothing."""
    from distributed import Security
    from distributed.core import rpc

    async with asyncio.timeout(_ANSWER), rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
        await scheduler.identity()


def workers(client: Any) -> dict[str, int]:
    """How many tasks each worker runs at once, by its address. TimeoutError or OSError where the scheduler is gone."""
    found: dict[str, int] = _within(_ANSWER, client.nthreads)
    return found


def leave(client: Any, tasks: Iterable[Future[Any]] = ()) -> None:
    """Close it without waiting: a scheduler that is gone does not answer. What it had under way is cancelled.

    Dask forgets tasks whose results were on a worker that died just then, and they would never end: they fail here.
    """
    under_way = list(tasks)

    def close() -> None:
        with suppress(Exception):
            client.close()

    def end() -> None:
        closing = threading.Thread(target=close, name="close", daemon=True)
        closing.start()
        closing.join(_CLOSE)
        for task in under_way:
            with suppress(InvalidStateError):  # it has ended
                task.set_exception(RuntimeError("the cluster was left"))

    threading.Thread(target=end, name="leave", daemon=True).start()


def _within(seconds: float, ask: Callable[..., Any], *args: Any, **how: Any) -> Any:
    """What it answers, or TimeoutError: most of a client's questions wait for ever."""
    answer: Future[Any] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask(*args, **how))
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=wait, name="ask", daemon=True).start()
    return answer.result(seconds)
