"""The rule for missing values that a column has: as declared, where its type knows such a rule."""

from __future__ import annotations

from dpcore.base.declared import CONSTANT
from dpcore.errors import TableError
from pages.files.declarations.declaration import Declaration


def rule_of(declared: Declaration, known: tuple[str, ...], usual: str = "") -> tuple[str, str]:
    """The rule and the constant, empty where the rule needs none; TableError for a rule of another type, or no constant.

    ``usual``: the constant where none is given; where that is empty, one has to be.
    """
    if declared.missing not in known:
        offered = " or ".join(f"“{rule}”" for rule in known)
        raise TableError(f"A missing {declared.name} cannot have the rule “{declared.missing}”.", f"Choose {offered}.")
    if declared.missing != CONSTANT:
        return declared.missing, ""
    if not (declared.constant.strip() or usual):
        raise TableError(f"A missing {declared.name} counts as a constant, and none is given.", "Enter it under Constant.")
    return CONSTANT, declared.constant.strip() or usual
