"""Of which table a file is: its name, its columns, and salted digests of its values.

A digest of values confirms a guess of them. The salt makes every file's digests its own, so that no list of digests made in
advance finds a table; whoever has the file and a guess can still check the guess.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, final

from dpcore.errors import InvalidValueError
from dpcore.ledger.saved import list_of, object_of

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOST = 20_000  # digests, and columns
_LONGEST = 10_000  # characters of a name


@final
@dataclass(frozen=True, slots=True)
class Whose:
    """``name`` is the table's in links and scenarios, ``title`` the one that people read. ``digests``: of the values of the table
    and of its telling columns, each with ``salt``."""

    name: str
    title: str
    columns: tuple[str, ...]
    salt: str
    digests: frozenset[str]

    @classmethod
    def of(cls, name: str, title: str, columns: Iterable[str], digests: Iterable[str]) -> Whose:
        """With a salt of its own."""
        salt = secrets.token_hex(32)
        return cls(name, title, tuple(columns), salt, frozenset(_salted(salt, digest) for digest in digests))

    def has(self, digests: Iterable[str]) -> bool:
        """Whether a table with these digests is the same one: it has all values or one telling column in common."""
        return any(_salted(self.salt, digest) in self.digests for digest in digests)

    def to_plain(self) -> dict[str, Any]:
        """Plain data that ``from_plain`` reads."""
        return asdict(self) | {"columns": list(self.columns), "digests": sorted(self.digests)}

    @classmethod
    def from_plain(cls, said: object) -> Whose:
        """What ``to_plain`` gave; InvalidValueError for anything else."""
        given = object_of("table", said)
        if set(given) != set(cls.__dataclass_fields__):
            raise InvalidValueError("table", f"an entry with {', '.join(cls.__dataclass_fields__)}", sorted(given))
        columns, digests = (list_of(name, given[name], _MOST) for name in ("columns", "digests"))
        if not columns:
            raise InvalidValueError("columns of the table", "a list of at least one", columns)
        texts = [given["name"], given["title"], *columns]
        if not all(isinstance(text, str) and len(text) <= _LONGEST for text in texts):
            raise InvalidValueError("table", f"named in texts of at most {_LONGEST:,} characters", None)
        if not all(isinstance(digest, str) and _DIGEST.fullmatch(digest) for digest in [given["salt"], *digests]):
            raise InvalidValueError("digests of the table", "64 hexadecimal digits each", None)
        return cls(given["name"], given["title"], tuple(columns), given["salt"], frozenset(digests))


def _salted(salt: str, digest: str) -> str:
    return hashlib.sha256(f"{salt} {digest}".encode()).hexdigest()
