"""What a book that began after its tab's first answers can promise: the server forgot these, and nothing shows what they were."""

from __future__ import annotations

from dataclasses import replace

from dpcore.ledger.accounting import Ledger, Standing
from dpcore.ledger.standing import by_word

FORGOTTEN = (
    "Earlier answers of this tab were forgotten by the server. If one was about this table, this release was asked after it, and "
    "a guarantee of random DP does not hold."
)


def after_a_loss(ledger: Ledger, *, entered: bool) -> Ledger:
    """With its last line as it stands in such a book: that it came before all answers rests on a word, and a γ that sums the
    earlier lines is none, until those of elsewhere were ``entered``."""
    line = ledger.lines[-1]
    drawn = line.drawn
    if drawn is not None and line.standing is Standing.LARGER and not entered:
        line = replace(
            line, standing=Standing.NONE, gamma=drawn.gamma, joint_gamma=drawn.joint_gamma, confidence=drawn.confidence
        )
    elif line.standing is Standing.FIXED:
        line = by_word(line)
    return replace(ledger, lines=(*ledger.lines[:-1], line))
