"""What a receipt says: what is asked, of whom, with which noise, what it is charged, and whether answers may be shared."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.facts import facts
from dpcore.base.types import person_of
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import Bound
from dpcore.ledger.accounting import Line
from pages.experiment import cost
from pages.experiment.choices import kind_of, title
from pages.experiment.computable import answered
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.press import Press
from pages.ledger.reach import foretold, ranks_before_a_press, reach_of
from pages.ledger.released_line import AskedLine
from pages.old.experiment import preview
from pages.old.shared.escape import behind, escaped
from pages.old.wording.sentences import oracle_words, target_words
from pages.old.wording.values import bound_words


def lines_of(asked: Press, table: Table, questions: int, *, spent: bool) -> list[str]:
    """What is asked, of whom, and what sizes the noise."""
    first, alone = asked.lines[0].scenario, len(asked.lines) == 1 and not questions
    kind = "public" if table.public else "confidential"
    columns = table.taken(first.columns, first.target)
    what = f"for {escaped(target_words(first.target, columns))}" if alone else counted(questions, " questions")
    it_is = "It is" if alone or questions == 1 else "They are"
    said = [f"You ask {what}.", f"{it_is} over {whose(first)} of {escaped(table.title or table.name)} ({kind})."]
    sampled = [one for one in asked.lines if not one.worst_case]
    said = [" ".join(said), *([_trials(sampled)] if sampled else [])]
    return said + [_worst(one) for one in asked.lines if one.worst_case]


def limits_of(asked: Press) -> str:
    """What a wrong oracle does to the promise, where trials size the noise; and which people are protected by one row alone."""
    said = dict.fromkeys(one.table.persons.words for one in asked.lines if one.table.persons and person_of(one.scenario.target))
    sampled = [one for one in asked.lines if not one.worst_case]
    if sampled:
        things = words.counted_in(sampled[0].scenario.adjacency)
        said[f"Where real {things} move the answer further than the oracle's do, more than γ can be left out."] = None
    return "\n\n".join(map(escaped, said))


def details_of(asked: Press, lines: Sequence[Line], table: Table, questions: int, *, spent: bool) -> list[str]:
    """What is fixed before the press: what becomes of missing values, the noise, the trials, and what is charged."""
    first, alone = asked.lines[0].scenario, len(asked.lines) == 1 and not questions
    rules = [_rules(one) for one in asked.lines]
    same = len(set(rules)) == 1
    said = [rules[0]] if same and rules[0] else []
    noise = [_mechanism(one.scenario) if alone else _noise(one) for one in asked.lines]
    said += noise if same else [f"{one} {rule}".rstrip() for one, rule in zip(noise, rules, strict=True)]
    sampled = [one for one in asked.lines if not one.worst_case]
    said += _of_trials(sampled, spent=spent) if sampled else []
    if not spent:
        said += [more for one in asked.lines if one.worst_case and (more := _foretold(one))]
    if alone and (ranks := ranks_before_a_press(first, table, in_unit=not asked.lines[0].worst_case)):
        said.append(escaped(ranks))
    if not spent and lines:
        said += _charged(lines, alone=alone)
    return said


def _charged(lines: Sequence[Line], *, alone: bool) -> list[str]:
    if not alone:
        return ["All of it is fixed before the first draw. The ledger is charged in full even if a question fails on the table."]
    holds = words.name(lines[0].guarantee)
    return [f"The ledger will hold {holds}. It is charged in full even if the target fails on the table."]


def _rules(one: AskedLine) -> str:
    """What becomes of missing values, and how the columns were read."""
    columns, target = one.scenario.columns, one.scenario.target
    return escaped(f"{one.table.missing_rule(columns, target)} {one.table.read_as(columns)}".strip())


def whose(scenario: Scenario) -> str:
    """Of how many records, or people, a question is; a number of people that is not public was stated."""
    things = words.counted_in(scenario.adjacency)
    if scenario.adjacency.removes:
        which = "which" if scenario.adjacency.of_records else "whom"
        return f"the {things}, of {which} you state that they are about {scenario.n:,},"
    return f"the {scenario.n:,} {things}"


_SHORT = 60  # letters of an oracle's own words that a receipt has in sight; all its constants open


def _trials(sampled: Sequence[AskedLine]) -> str:
    """How many trials size the noise, and from which oracles."""
    point, several = sampled[0].scenario.point, len(sampled) > 1
    names = list(dict.fromkeys(map(_short, sampled)))
    if len(names) > 1:
        names = ["of its question"]
    size = "trial sizes" if point.m == 1 else "trials size"
    made = "It is a made-up table" if point.m == 1 else "Each is a made-up table"
    return f"{point.m:,} fresh {size} the noise{' of each line' * several}. {made} from the oracle {names[0]}."


def _short(one: AskedLine) -> str:
    """The oracle in a few words, without its constants where these are many."""
    said = oracle_words(one.drawn_from)
    return escaped(said if len(said) <= _SHORT else f"“{title(kind_of(one.drawn_from))}”")


def _of_trials(sampled: Sequence[AskedLine], *, spent: bool) -> list[str]:
    """What the trials are, how long they take and how Δ̂ comes of them."""
    one = sampled[0]
    scenario, point, several = one.scenario, one.scenario.point, len(sampled) > 1
    takes = words.figure(float(f"{max(sum(each.seconds for each in sampled), 0.01):.1g}"))
    long = "" if all(each.seconds <= cost.QUICK for each in sampled) else " of one core"
    oracles = dict.fromkeys(escaped(oracle_words(each.drawn_from)) for each in sampled)
    drawn = " or ".join(oracles)
    its = " of its question" * (len(oracles) > 1)
    said = [
        f"Each trial is a made-up table, with {words.trial_of(scenario.adjacency)}.",
        f"The oracle{its}: {drawn}.",
        f"The trials {'took' if spent else 'take'} about {takes} s{long} together.",
        f"Δ̂ is number {point.k:,} of the {counted(point.m, ' distances')}{' of each line' * several}, counted from the smallest, "
        f"under {bound_words(point.bound.name)}.",
        "You first see it with the answer. Explore's ± comes of other trials, so the answer's ± will be another; with few trials "
        "it can differ by much."
        if not spent
        else "You see it with the answer. Its ± is not Explore's, which came of other trials.",
    ]
    if long and not spent and scenario.bound is Bound.TIME_UNIFORM:
        said.append("While the trials are made you may end them: Δ̂ is then that of the trials so far.")
    return said


def _worst(one: AskedLine) -> str:
    """The proved worst case, and how far its noise reaches: known before the press, for it asks no confidential table."""
    scenario, table = one.scenario, one.table
    columns = table.taken(scenario.columns, scenario.target)
    calibrated = preview.calibrated_worst_case(scenario)
    assert calibrated is not None
    answer = answered(scenario, columns)
    after, moves = behind(answer.after), behind(moved_after(answer))
    said = (
        f"The proved worst case, {counted(words.figure(calibrated.sensitivity.value), moves)}, sizes the noise. There are "
        "no trials, and no oracle."
    )
    reach = reach_of(calibrated, answer)
    if isinstance(reach, float):
        near = counted(words.figure(reach), after) + everyday(reach, after)
        said = f"{said} 95 times in 100 the noise on a number is within ± {near}."
    return said


def _foretold(one: AskedLine) -> str:
    """How far off the answer will be under the worst case, where that is known before the press."""
    calibrated = preview.calibrated_worst_case(one.scenario)
    return "" if calibrated is None else escaped(foretold(one.scenario, one.table, calibrated))


def noise_words(scenario: Scenario) -> str:
    """How the noise is drawn, as its law says: what follows "the noise is"."""
    sampling = preview.sampling(scenario)
    if sampling is None:
        return "not there at this ε"
    return f"drawn afresh and {sampling.words}" if sampling.exact else sampling.words


def _mechanism(scenario: Scenario) -> str:
    mechanism, target = scenario.mechanism, scenario.target
    fresh = noise_words(scenario)
    if steps := facts(mechanism).steps:
        return f"{steps(scenario.epsilon, target)}. The noise is {fresh}. {facts(target).untold}".rstrip()
    if mechanism.chosen_by:
        candidates = len(facts(mechanism).candidates or facts(target).candidates)
        return f"One of {counted(candidates, ' candidates')} is chosen by {mechanism.chosen_by}, with noise that is {fresh}."
    return f"{title(type(mechanism).__name__)} noise is added. It is {fresh}."


def _noise(one: AskedLine) -> str:
    """The noise of a question of a list."""
    scenario = one.scenario
    sized = "the proved worst case" if one.worst_case else f"{scenario.m:,} trials at γ = {words.figure(scenario.gamma)}"
    how = f", chosen by {scenario.mechanism.chosen_by}" * bool(scenario.mechanism.chosen_by)
    return f"Question {one.number} gets ε = {words.figure(scenario.epsilon)}{how}, with noise sized by {sized}."
