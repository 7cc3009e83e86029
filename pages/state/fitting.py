"""A private fit of the oracle, and the question that it is for, again."""

from __future__ import annotations

from typing import Any

from dpcore.errors import DpcoreError
from dpcore.registry.fit import fits
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.experiment.private_fit import fits_an_oracle, with_fit
from pages.state import choosing, state
from pages.wording.sentences import plain


def leave() -> None:
    """Back to the question itself, without a fit; where it was forgotten, to the first one of the table."""
    kept = choosing.kept()
    if kept is not None and kept.table == state.scenario().table:
        state.anew(kept.with_(n=state.scenario().n, seed=state.scenario().seed))
    else:
        state.ask_first()


def taken_up(fit: Scenario, table: Table, response: Any) -> Scenario | None:
    """The question that is shown, or the one that the fit was asked for, with the fit as its oracle; None, and a sentence, where
    no question is of the columns that were fitted, or these were declared anew."""
    columns = tuple(table.column(name) for name in fit.columns)
    if not fits(fit.target, columns):
        state.say("The columns were declared anew since this fit, with other bounds or categories. Fit the oracle again.")
        return None
    asked = [one for one in (state.scenario(), choosing.kept()) if one is not None and one.table == fit.table]
    for question in asked:
        if not fits_an_oracle(question.target) and set(question.columns) <= set(fit.columns):
            try:
                return with_fit(question.with_(n=fit.n), table, fit, response)
            except DpcoreError as error:
                state.say(plain(error))
                return None
    names = ", ".join(fit.columns)
    state.say(f"This fit is of {names}. Ask a question of these columns alone on Explore, then take the fit up here.")
    return None
