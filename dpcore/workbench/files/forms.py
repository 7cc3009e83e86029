"""How a file is read, of any kind: what is proposed to its holder, and a constant once that is confirmed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import final

from dpcore.errors import InvalidValueError
from dpcore.workbench.csv_columns.content import refuse_sizes
from dpcore.workbench.csv_columns.detected import detected
from dpcore.workbench.csv_columns.format import Format
from dpcore.workbench.files.confined import parsed
from dpcore.workbench.files.parquet import ENCRYPTED, PLAIN

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


@final
@dataclass(frozen=True, slots=True)
class Parquet:
    """A Parquet file, which says itself how each of its columns is written."""

    @property
    def words(self) -> str:
        """A Parquet file, and what its dates become."""
        return "a Parquet file, with dates as text such as 2024-01-31"


@final
@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook."""

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InvalidValueError("name of a sheet", "a text", self.name)

    @property
    def words(self) -> str:
        """The sheet with its name, and what its dates become."""
        return f"the sheet “{self.name}” of a workbook, with dates as text such as 2024-01-31"


Form = Format | Parquet | Sheet
_KINDS: dict[str, type[Form]] = {"text": Format, "parquet": Parquet, "sheet": Sheet}


def to_json(form: Form) -> dict[str, str]:
    """Its kind, and its fields by name."""
    kind = next(kind for kind, known in _KINDS.items() if isinstance(form, known))
    return {"kind": kind} | asdict(form)


def from_json(said: object) -> Form:
    """What ``to_json`` gave; InvalidValueError for anything else."""
    kind = said.get("kind") if isinstance(said, dict) else None
    known = _KINDS.get(kind) if isinstance(kind, str) else None
    if known is None or not isinstance(said, dict) or set(said) - {"kind"} != {field.name for field in fields(known)}:
        raise InvalidValueError("form of a file", f"an object of the kind {', '.join(_KINDS)}, with its fields", said)
    return known(**{name: value for name, value in said.items() if name != "kind"})


def proposed(content: bytes) -> tuple[Form, ...]:
    """The ways to read a file, by its first bytes and whatever its name; TableError, in a sentence, where there is none."""
    refuse_sizes(content)
    if content.startswith((PLAIN, ENCRYPTED)):
        return (Parquet(),)
    if content.startswith(_WORKBOOKS):
        return tuple(Sheet(name) for name in parsed(content, "sheets")[0]["sheets"])
    return (detected(content),)
