"""A release that was made elsewhere, from the JSON that this app gave of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, final

from dpcore.errors import DpcoreError, TableError
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from pages.reports.saved.everything import is_saved
from pages.state.book import LOOKED
from pages.state.entry import Entry, charge_of

MOST_BYTES = 10 * 2**20  # a curve of a million lattice points is below it
_KINDS: dict[str, Any] = {"PureDP": PureDP, "ApproxDP": ApproxDP, "RandomDP": RandomDP}
_LONGEST = 200  # characters of a note
_MOST_RECORDS = 2**53  # as a ledger's file has them
_TEXTS = (("question", "A release"), ("table", "a table"), ("date", ""))
_REMEDY = "Load the JSON that was downloaded on this page, as it is, or fill in the fields instead."


@final
@dataclass(frozen=True, slots=True)
class Loaded:
    """What counts of it for a ledger. ``identity`` is the same for the same release, whatever the file's spaces."""

    guarantee: Guarantee | None
    n: int
    made: str
    note: str
    identity: str
    looked: bool  # at the table, before it was released
    adjacency: Adjacency
    charge: str = ""  # the name of its charge in the ledger that it was made for


def read(content: bytes) -> Loaded:
    """The release of a download; TableError, in a sentence on what came and one on what to do, for anything else."""
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB, and a release has {MOST_BYTES // 2**20} MB at most.", _REMEDY
        )
    if is_saved(content):
        raise TableError("This is a settings file, and not one release.", "Load it below, under “Load what you saved”.")
    try:
        said = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise TableError("The file is no JSON in UTF-8.", _REMEDY) from None
    if not isinstance(said, dict):
        raise TableError("The file is JSON, and not of a release.", _REMEDY)
    known = {one.value: one for one in Adjacency}
    if (adjacency := known.get(str(said.get("adjacency")))) is None:
        raise TableError("The file does not say whether its guarantee is about one record or one person.", _REMEDY)
    n = said.get("records")
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= _MOST_RECORDS:
        raise TableError("The file does not say how many records the table had.", _REMEDY)
    caveats = said.get("caveats")
    caveats = caveats if isinstance(caveats, list) else []
    question, table, made = (_text(said.get(name), otherwise) for name, otherwise in _TEXTS)
    note = f"{question} in {table}"[:_LONGEST]
    return Loaded(_guarantee(said), n, made, note, _identity(said), LOOKED in caveats, adjacency, _charge(said))


def _text(said: object, otherwise: str) -> str:
    return said[:_LONGEST] if isinstance(said, str) and not any("\ud800" <= letter <= "\udfff" for letter in said) else otherwise


def _charge(said: dict[str, Any]) -> str:
    ticket = said.get("release")
    return charge_of(ticket) if isinstance(ticket, str) and 0 < len(ticket) <= _LONGEST and ticket.isprintable() else ""


def identity_of(entry: Entry) -> str:
    """Of a release that this tab made itself."""
    return "" if entry.release is None else _identity(json.loads(entry.as_json()))


def _identity(said: dict[str, Any]) -> str:
    what = json.dumps([said.get("release"), said.get("response"), said.get("date"), said.get("provenance")], sort_keys=True)
    return hashlib.sha256(what.encode()).hexdigest()


def _guarantee(said: dict[str, Any]) -> Guarantee | None:
    kind, given = said.get("guarantee"), said.get("parameters")
    if kind == "none":
        return None
    if not isinstance(kind, str) or kind not in _KINDS or not isinstance(given, dict):
        raise TableError("The file does not say which guarantee the release has.", _REMEDY)
    try:
        guarantee: Guarantee = _KINDS[kind](**given)
    except (DpcoreError, TypeError):
        raise TableError("The file's guarantee has numbers that no guarantee can have.", _REMEDY) from None
    return guarantee
