"""Cells that look like numbers and are identifiers: a number would not keep what is written."""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc

from pages.files.csv_columns.format import Format

EXACT = 2**53  # a float keeps every whole number below
PADDED = "^0[0-9]+$"
_CODE = "[0-9]+[eE][0-9]+"
_LARGE = f"[+-]?0*[1-9][0-9]{{{len(str(EXACT))},}}"


def has_leading_zeros(words: Any) -> bool:
    """Return whether a cell is a whole number with leading zeros, such as 00123: then the column is not read as numbers."""
    likely = words.filter(pc.and_(pc.starts_with(words, "0"), pc.greater(pc.binary_length(words), 1)))
    return bool(pc.any(pc.match_substring_regex(likely, PADDED), min_count=0).as_py())


def has_identifiers(words: Any, form: Format) -> bool:
    """Return whether a column of text holds an identifier. One makes the whole column text, unless the user says otherwise.

    An identifier is a code of digits, E and digits, such as 2E10 or 7e0. Programs write a number in scientific notation with a
    decimal mark or a sign, as 1.5E10 or 2e+10. A number that is written out is an identifier too, if it is 2**53 or more in
    size: a float would lose digits.

    Args:
        words: Arrow array of strings without spaces around them.
        form: How numbers are written.
    """
    lengths = pc.binary_length(words)
    if (pc.max(lengths).as_py() or 0) < len("1e1"):
        return False
    code = pc.or_(pc.match_substring(words, "e"), pc.match_substring(words, "E"))
    likely = words.filter(pc.or_(code, pc.greater_equal(lengths, len(str(EXACT)))))
    bare = pc.replace_substring_regex(likely, form.separator, "") if form.separator else likely
    decimals = "(?:[.][0-9]*)?" if form.decimal == "." else "(?:,[0-9]*)?"
    if pc.any(pc.match_substring_regex(bare, f"^(?:{_CODE}|{_LARGE}{decimals})$"), min_count=0).as_py():
        return True
    whole = pc.struct_field(pc.extract_regex(bare, rf"^[+-]?0*(?P<whole>[1-9][0-9]{{15}}){decimals}$"), "whole")
    return bool(pc.any(pc.greater_equal(whole, str(EXACT)), min_count=0).as_py())
