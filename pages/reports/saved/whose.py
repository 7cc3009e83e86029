"""Of which table a file is: its name, its columns, and salted digests of its values.

A digest of values confirms a guess of them. The salt makes every file's digests its own, so that no list of digests made in
advance finds a table; whoever has the file and a guess can still check the guess.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, final

from dpcore.base.plain import like, most
from dpcore.errors import InvalidValueError

_MOST = 20_000  # digests, and columns
Name = Annotated[str, most(10_000)]
Digest = Annotated[str, like("[0-9a-f]{64}", "64 hexadecimal digits")]


def _some(name: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    if not columns:
        raise InvalidValueError(name, "a list of at least one", columns)
    return columns


@final
@dataclass(frozen=True, slots=True)
class Whose:
    """``name`` is the table's in links and scenarios, ``title`` the one that people read. ``digests``: of the values of the table
    and of its telling columns, each with ``salt``."""

    name: Name
    title: Name
    columns: Annotated[tuple[Name, ...], most(_MOST), _some]
    salt: Digest
    digests: Annotated[frozenset[Digest], most(_MOST)]

    @classmethod
    def of(cls, name: str, title: str, columns: Iterable[str], digests: Iterable[str]) -> Whose:
        """With a salt of its own."""
        salt = secrets.token_hex(32)
        return cls(name, title, tuple(columns), salt, frozenset(_salted(salt, digest) for digest in digests))

    def has(self, digests: Iterable[str]) -> bool:
        """Whether a table with these digests is the same one: it has all values or one telling column in common."""
        return any(_salted(self.salt, digest) in self.digests for digest in digests)


def _salted(salt: str, digest: str) -> str:
    return hashlib.sha256(f"{salt} {digest}".encode()).hexdigest()
