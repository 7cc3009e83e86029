"""Mechanisms, one file each. A new one inherits ``Mechanism`` and states its norm, its privacy and its law."""

from typing import TYPE_CHECKING

from dpcore.base.rooms import by_name

if not TYPE_CHECKING:  # a type checker knows those that are listed
    __getattr__ = by_name(__name__)
