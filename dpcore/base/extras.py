"""Packages that only one of dpcore's extras brings: where one is absent, the error says what to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around imports of what this extra of dpcore brings; ModuleNotFoundError, in a sentence, where it was not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0].replace("_", "-")
        said = f'This needs the package {package}, which is not installed: in the folder of dpcore, run pip install ".[{extra}]".'
        raise ModuleNotFoundError(said, name=error.name) from None
