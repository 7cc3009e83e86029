"""The package that parses a kind of file: it belongs to the app, and a server can run without it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dpcore.errors import TableError


def package(module: str, files: str) -> Any:
    """The module; TableError, which names the files that cannot be read, where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        problem = (
            f"This server cannot read {files}, because its package {module.partition('.')[0].replace('_', '-')} is not installed."
        )
        remedy = "Save the table as CSV and upload that, or ask whoever runs this server to install the package."
        raise TableError(problem, remedy) from None
