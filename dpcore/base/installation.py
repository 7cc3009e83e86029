"""The version of this library, and the packages of its extras."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

VERSION = "0.1.0"  # workers of a pool or a cluster must have the same


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Wrap imports of packages that only this extra of dpcore installs.

    Raises:
        ModuleNotFoundError: If a package is missing. The message says what to install.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0].replace("_", "-")
        text = f'This needs the package {package}, which is not installed: in the folder of dpcore, run pip install ".[{extra}]".'
        raise ModuleNotFoundError(text, name=error.name) from None
