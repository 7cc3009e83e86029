"""What is shown or was released in this tab, as programs; or a sentence where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from pages import charts
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.reports.code.asked import Told
from pages.reports.code.cells import Program
from pages.reports.code.of_list import of_list
from pages.reports.code.of_release import Made, of_release
from pages.reports.code.of_scenario import Shown, of_scenario
from pages.state import state
from pages.state.listed import wanted
from pages.state.release_entry import About, Entry
from pages.state.view import Shown as Seen
from pages.state.view import Waiting, view
from pages.wording.question_words import question_of
from pages.wording.sentences import oracle_words, plain

OWN = (
    "There is no code of this, because its target, its oracle or its mechanism is not one of dpcore's own. Take your own file "
    "with you instead."
)
_WAITING = "The trials are still being made. Open this again when the answer is there."
_REFUSED = "There is no private answer at this choice, so there is nothing to make anew."
_GONE = "There is no code of this release, because what it was made with is not here any more."


def of_what_is_shown(scenario: Scenario, table: Table, off: Callable[[Seen], float]) -> Program | str:
    """What Explore shows of a scenario; ``off`` says how far off an answer may be in its dots."""
    shown = view(scenario, table)
    if not isinstance(shown, Seen):
        return _WAITING if isinstance(shown, Waiting) else _REFUSED
    as_dots = charts.as_dots(shown.headline, shown.leading, 1.0) is not None
    beside = Shown(
        sample=shown.trials.sample,
        reference=shown.trials.reference,
        proved=shown.proved,
        free=shown.free,
        dots=as_dots,
        off=off(shown) if as_dots else None,
    )
    return or_why(lambda: of_scenario(shown.headline, table, _about(About.of(scenario, table)), beside))


def of_the_list(made: QuestionList, table: Table) -> Program | str:
    """What Release shows of a list."""

    def program() -> Program | str:
        asked = tuple(question_of(one.target, one.columns, table) for one in made.questions)
        drawn = made.lines(table)[0].oracle
        oracle = facts(drawn).words or oracle_words(drawn)
        told = Told(question=asked[0], target="", oracle=oracle, table=table.title or table.name)
        return of_list(made, table, told, asked, wanted.accuracy(made, table))

    return or_why(program)


def of_the_release(entry: Entry, entries: Sequence[Entry]) -> Program | str:
    """A release that was made; ``entries``: all of the tab, among which are those of the same press."""
    if entry.about.settings is None:
        return OWN
    release = entry.release
    assert release is not None
    try:
        scenario = Scenario.from_json(entry.about.settings)
    except DpcoreError:
        return _GONE
    made = Made(
        scenario=scenario,
        release=release,
        answer=entry.about.answer,
        reach=entry.reach,
        told=_about(entry.about),
        promise=entry.promise,
        caveats=entry.caveats,
        missing=entry.about.missing,
        date=entry.made,
        table=state.tables().get(scenario.table),
        together=_together(entry, entries),
        near=entry.near[0] if entry.about.questions and entry.near is not None else None,
    )
    return or_why(lambda: of_release(made))


def or_why(made: Callable[[], Program | str]) -> Program | str:
    """What was made, or in a sentence why there is none."""
    try:
        return made()
    except TypeError:  # somebody's own, which has no JSON and no code
        return OWN
    except DpcoreError as error:
        return plain(error)


def _about(about: About) -> Told:
    return Told(question=about.question, target=about.target, oracle=about.oracle, table=about.table)


def _together(entry: Entry, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The columns that all lines of the same press name, which share one oracle."""
    press, _, _ = entry.ticket.rpartition(".")
    settings = [one.about.settings for one in entries if press and one.ticket.startswith(f"{press}.")]
    own = entry.about.settings or {}
    names = [name for one in settings if one is not None and one["oracle"] == own.get("oracle") for name in one["columns"]]
    return tuple(dict.fromkeys(names))
