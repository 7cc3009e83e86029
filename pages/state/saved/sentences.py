"""What loading a file will change, in plain sentences, before anything changes."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.guarantees.privacy import Guarantee
from dpcore.guarantees.words import figure
from dpcore.ledger.accounting import Event, Standing
from pages.reports.saved.everything import Saved
from pages.state.saved.merged_book import Joined
from pages.state.saved.plans_and_views import Views


def of_accounts(found: Joined, saved: Saved, title: str, budget: Guarantee | None, gone: Sequence[str]) -> list[str]:
    """On the ledger, the plan and the budget. ``budget``: the tab's; ``gone``: plans that do not fit."""
    said = [_changed(saved)] if saved.changed else []
    said += [*_of_lines(found, saved, title), *_of_plan(found, saved, gone), *_of_budget(found, saved, budget)]
    return said


def _changed(saved: Saved) -> str:
    plan = ", and its plan does not come" * bool(saved.plan)
    return (
        "This file was changed since it was saved. So its lines count as entered by hand: what was sampled is a guarantee of its "
        f"own{plan}. A line may have been taken out, so what is sampled from now on was asked after an answer."
    )


def _of_lines(found: Joined, saved: Saved, title: str) -> list[str]:
    if not any(one.lines for one in saved.ledgers):
        return _late(found, saved)
    count = len(found.lines)
    if not count:
        return [f"Every release of the file is in the ledger of “{title}” already, and counts once.", *_late(found, saved)]
    by_hand = sum(line.event is Event.ENTERED for line in found.lines)
    entered = f", {'all' if by_hand == count > 1 else by_hand} of them entered by hand" * bool(by_hand)
    come = "comes" if count == 1 else "come"
    said = [f"{counted(f'{count}', ' lines')} {come} to the ledger of “{title}”{entered}."]
    if held := sum(line.standing is Standing.HELD for line in found.lines):
        said.append(
            f"{_some(held, count)} {'was' if held == 1 else 'were'} sampled. Nothing but your word says that this file is whole "
            f"and unchanged, so {'it' if held == 1 else 'each'} is a guarantee of its own from now on, and joins no total."
        )
    if lost := sum(line.standing is Standing.NONE and line.drawn is not None for line in found.lines):
        said.append(
            f"{_some(lost, count)} {'has' if lost == 1 else 'have'} no guarantee here: this tab has answers that the file does "
            "not know of, and nothing tells which came first."
        )
    return [
        *said,
        f"Releases that were made after {saved.made}, elsewhere, are not in the file: enter them by hand.",
        *_late(found, saved),
    ]


def _some(part: int, of: int) -> str:
    """How many of several, as a subject."""
    return "It" if part == of == 1 else f"All {of}" if part == of else f"{part} of them"


def _late(found: Joined, saved: Saved) -> list[str]:
    """What becomes of the tab's own."""
    if found.doubted:
        return [
            "In the file, what was sampled or planned here stands on its holder's word, beside answers that this tab does not "
            "know of. So it does here too: each is a guarantee of its own from now on, and joins no total."
        ]
    if not found.late:
        return []
    own = [line for one in found.own for line in one.lines if line.drawn is not None]
    ends = any(one.plan for one in found.own)
    has = "may have" if saved.changed else "has"
    said = f"The file {has} answers that this tab does not know of, and nothing tells which came first. "
    parts = ["what was sampled here has no guarantee any more"] * bool(own) + ["the plan of this tab ends"] * ends
    return [f"{said}So {' and '.join(parts)}."] if parts else []


def _of_plan(found: Joined, saved: Saved, gone: Sequence[str]) -> list[str]:
    said = []
    if found.planned:
        asked = "; ".join(item.line.about for item in found.planned)
        come = f"A plan of {counted(f'{len(found.planned)}', ' releases')} comes: {asked}."
        if any(item.line.standing is Standing.HELD for item in found.planned):
            why = "It holds by your word alone that it was fixed before the first answer: what is sampled for it stands apart."
        else:
            why = "It counts as fixed, because neither the file nor this tab has an answer about this table."
        said.append(f"{come} {why}")
    if found.fell:
        said.append(
            "The plan of the file does not come: this tab has answers that the file does not know of, and you do not say that it "
            "was fixed before them."
        )
    if gone and not saved.changed:
        said.append(f"These planned releases do not come, because the table is declared otherwise now: {'; '.join(gone)}.")
    return said


def _of_budget(found: Joined, saved: Saved, own: Guarantee | None) -> list[str]:
    said = []
    if saved.budget is not None and found.budget is not None and found.budget != own:
        place = "takes the place of none" if own is None else f"takes the place of {_budget(own)}: the smaller numbers hold"
        check = " Check it: the file was changed." * saved.changed
        said.append(f"The budget {_budget(found.budget)} {place}.{check}")
    elif saved.changed and saved.budget is not None and own is not None:
        said.append(f"The budget stays {_budget(own)}: a changed file's budget is not taken.")
    elif saved.budget is not None and own is not None and saved.budget != own:
        said.append(f"The budget stays {_budget(own)}, which is the smaller one.")
    if found.exceeded:
        assert found.budget is not None
        said.append(
            f"The ledger has spent more than the budget {_budget(found.budget)}. It is loaded all the same, and further releases "
            "are refused until the budget is raised."
        )
    return said


def _budget(one: Guarantee) -> str:
    numbers = (("ε", one.epsilon), ("δ", facts(one).delta), ("γ", facts(one).gamma))
    return ", ".join(f"{symbol} = {figure(value)}" for symbol, value in numbers if value)


def of_views(found: Views, asked: str, pins: int, lists: int) -> list[str]:
    """On the question shown, the pins and the list. ``asked``: the question in words; ``pins``, ``lists``: how many there are."""
    said = []
    if found.shown is not None:
        said.append(f"The question shown becomes: {asked}.")
    if found.pins or pins:
        many = counted(f"{len(found.pins)}", " pinned scenarios") if found.pins else "No pinned scenario"
        take = "takes" if len(found.pins) < 2 else "take"
        said.append(f"{many} {take} the place of {pins or 'none'}.")
    if found.listed is not None:
        size = counted(f"{len(found.listed.questions)}", " questions")
        other = f"the list of {counted(f'{lists}', ' questions')}" if lists else "none"
        said.append(f"The list of {size} takes the place of {other}.")
    return [*said, *found.said]
