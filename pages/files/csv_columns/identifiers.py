"""Cells that look like numbers and are identifiers: a number would not keep what is written."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import numpy as np

EXACT = 2**53  # a float keeps every whole number below
_BLOCK = 2**20
_CODE = "^[0-9]+[eE][0-9]+$"
_CODE_CELL = re.compile(rb"(?<![^\s;,|\"])[0-9]+[eE][0-9]+(?![^\s;,|\"])")
_LONGEST = 2**10  # characters of a code that is looked for beyond the ends of a block


def has_identifiers(words: Any, separator: str, decimal: str) -> bool:
    """Return whether a column of text holds an identifier. One makes the whole column text, unless the user says otherwise.

    An identifier is a code of digits, E and digits, such as 2E10 or 7e0. Programs write a number in scientific notation with a
    decimal mark or a sign, as 1.5E10 or 2e+10. A number that is written out is an identifier too, if it is 2**53 or more in
    size: a float would lose digits.

    Args:
        words: Arrow array of strings without spaces around them.
        separator: Regular expression of the mark between thousands; empty if there is none.
        decimal: The decimal mark.
    """
    pc = import_module("pyarrow.compute")
    if pc.any(pc.match_substring_regex(words, _CODE), min_count=0).as_py():
        return True
    bare = pc.replace_substring_regex(words, separator, "") if separator else words
    mark = "[.]" if decimal == "." else ","
    whole = pc.struct_field(pc.extract_regex(bare, rf"^[+-]?0*(?P<whole>[1-9][0-9]{{15,}})(?:{mark}[0-9]*)?$"), "whole")
    digits, most = pc.utf8_length(whole), str(EXACT)
    above = pc.or_(pc.greater(digits, len(most)), pc.and_(pc.equal(digits, len(most)), pc.greater_equal(whole, most)))
    return bool(pc.any(above, min_count=0).as_py())


def may_hold_codes(body: bytes) -> bool:
    """Return whether a cell of a text may be a code. This is far quicker than a look at each cell of each column."""
    for start in range(0, len(body), _BLOCK):
        characters = np.frombuffer(body, np.uint8)[start : start + _BLOCK + 2]
        digit = (characters >= ord("0")) & (characters <= ord("9"))
        in_digits = digit[:-2] & digit[2:] & ((characters[1:-1] | 0x20) == ord("e"))
        if in_digits.any() and _CODE_CELL.search(body, max(0, start - _LONGEST), start + _BLOCK + _LONGEST):
            return True
    return False
