"""What Explore shows of a scenario, made anew: the draws, Δ̂, what it costs to know it, and possible private answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from dpcore.answers.answer import moved_in
from dpcore.base.types import from_an_answer
from dpcore.guarantees import words as in_words
from dpcore.mechanisms.response_law import sampling_of
from dpcore.registry.as_code import as_code, in_lines
from dpcore.registry.laid_out import Bracket, Part, laid_out
from dpcore.workbench.headlines.base import SHARE_WITHIN, Headline
from dpcore.workbench.preview import REFERENCE_SEED, Reference
from dpcore.workbench.scenario import MOST_M, Scenario, TableRecords
from dpcore.workbench.tables import Column, Table
from pages.reports.code import asked, records
from pages.reports.code.asked import Drawn, Told
from pages.reports.code.cells import Cell, Figure, Lines, Program, words
from pages.reports.code.python import called, literal
from pages.reports.code.script import extras

_VARIABLES = ("target", "norm", "n", "mechanism")  # of a scenario, which have names of their own in a program
CDF = "The empirical distribution of how far the answer moves, with its 95 % band, and Δ̂ at the order k."
POINTS = "The least number of trials m for each γ under each bound, with this choice marked."


@final
@dataclass(frozen=True, kw_only=True)
class Shown:
    """What Explore shows besides the headline. ``proved``: whether the worst case leads. ``off``: how far off an answer may be in
    the dots; None where nobody said so. ``dots``: whether the answers are drawn as dots, too."""

    reference: Reference | None = None
    proved: bool = False
    free: bool = False
    dots: bool = False
    off: float | None = None


def of_scenario(headline: Headline, table: Table, told: Told, shown: Shown) -> Program:
    """The program of one scenario. Nothing of a confidential table is in it: its answer is that of a made-up one.

    TypeError for a target, an oracle or a mechanism of somebody's own, which has no code.
    """
    scenario = headline.scenario
    scenario.to_json()  # the TypeError, before anything is made
    database = table.prepare(scenario.columns, scenario.target).database if table.public else None
    cells = tuple(_cells(headline, table, told, shown))
    beside = records.beside(database, cells)
    needs = extras(scenario.target, scenario.oracle, scenario.mechanism)
    return Program(f"{told.question}, as Explore showed it", cells, needs, beside)


def _cells(headline: Headline, table: Table, told: Told, shown: Shown) -> Iterator[Cell]:
    scenario = headline.scenario
    value = headline.noise.sensitivity.value
    yield words(
        "This file makes anew what Explore showed of “{}” in the table “{}”: how far the answer moves, how much noise hides "
        "that, and what private answers can look like. It releases nothing.",
        told.question,
        told.table,
    )
    yield from before(scenario, table, told)
    yield from asked.of_scenario(scenario, told)
    yield from asked.draws(Drawn(adjacency=scenario.adjacency, point=scenario.point, seed=scenario.seed, value=value))
    if headline.worst is not None:
        yield from asked.proved(scenario, headline.worst.sensitivity.value)
    yield from _distances(headline, shown)
    yield Figure(called("plots.operating_points", "point", most_m=str(MOST_M), before="chart = "), POINTS)
    yield from records_after(scenario, table, told)
    yield from _answers(headline, table, shown)
    yield from promised(headline, shown)


def before(scenario: Scenario, table: Table, told: Told) -> Iterator[Cell]:
    """The records of a table that its own oracle is made of."""
    if isinstance(scenario.oracle, TableRecords):
        yield from asked.held(table.prepare(scenario.columns, scenario.target).database, told.table)


def records_after(scenario: Scenario, table: Table, told: Told) -> Iterator[Cell]:
    """Those of another public table, or a made-up table in the place of a confidential one."""
    if not table.public:
        yield from asked.made_up(scenario.seed)
    elif not isinstance(scenario.oracle, TableRecords):
        yield from asked.held(table.prepare(scenario.columns, scenario.target).database, told.table)


def _distances(headline: Headline, shown: Shown) -> Iterator[Cell]:
    """The distances in a figure, beside the true law where that is known."""
    worst, reference = headline.worst is not None, shown.reference
    with_it = (
        "" if reference is None else f" Beside it stands the {'true one' if reference.m is None else 'one of a large sample'}."
    )
    yield words(
        f"The figure shows the share of made-up tables in which the answer moved by no more than a distance.{with_it} The next "
        "one shows how many made-up tables a smaller γ takes."
    )
    if reference is not None:
        yield Lines(_reference(reference))
    given = {} if reference is None else {"true": "true", "true_name": literal(reference.name)}
    if worst:
        given["global_sensitivity"] = "proved.value"
    if not shown.proved:
        given["covered"] = "sensitivity.value"
    unit = moved_in(headline.answer)
    code = called("plots.sensitivity_cdf", "sample", unit=literal(unit), **given, before="chart = ")
    yield Figure(code, CDF)


def _reference(reference: Reference) -> str:
    if reference.m is None:
        return "true = true_cdf(target, oracle, norm, n)"
    return (
        called(
            "sample_sensitivity",
            "target",
            "oracle",
            norm="norm",
            n="n",
            at=f"OperatingPoint.for_sample_size({reference.m})",
            seed=str(REFERENCE_SEED),
            adjacency="adjacency",
            before="large = ",
        )
        + "\ntrue = large.cdf"
    )


def _answers(headline: Headline, table: Table, shown: Shown) -> Iterator[Cell]:
    """The noise, a few private answers, and those of the app's figure."""
    scenario, worst = headline.scenario, headline.worst is not None
    whose = "the table's own answer" if table.public else "the answer of the made-up table"
    yield words(
        f"## What would be published\n\nThe mechanism is calibrated to Δ̂ and ε. Around {whose} it gives answers like the five "
        "that are printed. They are simulated: none is a release."
    )
    lines = ["noise = mechanism.calibrate(sensitivity, privacy)"]
    lines.append(f"worst = {'mechanism.calibrate(proved, privacy)' if worst else 'None  # no worst case is proved here'}")
    leads = "worst" if shown.proved else "noise"
    lines += ["exact = np.atleast_1d(target(database))", "rng = np.random.default_rng(2017)"]
    lines.append(called("print", f"{leads}.simulate(exact, size=5, rng=rng, database=database)"))
    yield Lines("\n".join(lines))
    yield words(
        "For its figures the app holds all choices in one value, a scenario, with what is publicly declared of the columns. "
        "Here it is made of the names above."
    )
    yield Lines(
        "\n".join([scenario_code(scenario), columns_code(headline.columns), _headline(headline, simulated=not table.public)])
    )
    if shown.dots:
        off = repr(shown.off) if shown.off is not None else f"float(np.max(shown.reaches({leads}, {SHARE_WITHIN})))"
        yield _drawn(f"plots.as_dots(shown, {leads}, {off})", table)
    around = "replace(shown, noise=worst)" if shown.free and worst else "shown"
    yield _drawn(f"plots.answer({around})", table)


def _drawn(made: str, table: Table) -> Figure:
    over = "" if table.public else "\nchart, described = plots.made_up(chart, described)"
    return Figure(f"chart, described = {made}{over}")


def scenario_code(scenario: Scenario, *, oracle: str = "oracle") -> str:
    """The scenario, of the names that a program has."""
    parts: list[tuple[str, Part]] = []
    for name in (
        "table",
        "columns",
        "target",
        "oracle",
        "norm",
        "n",
        "bound",
        "confidence",
        "m",
        "gamma",
        "epsilon",
        "delta",
        "mechanism",
        "seed",
        "adjacency",
    ):
        value: Any = getattr(scenario, name)
        if name in _VARIABLES:
            parts.append((f"{name}=", name))
        elif name == "oracle":
            parts.append(("oracle=", oracle))
        elif name == "adjacency":
            parts.append(("adjacency=", "adjacency"))
        else:
            parts.append((f"{name}=", as_code(value)))
    return laid_out(Bracket("Scenario(", tuple(parts), ")"), before="scenario = ")


def columns_code(columns: tuple[Column, ...]) -> str:
    """What is publicly declared of the columns."""
    return in_lines(columns, before="columns = ")


def _headline(headline: Headline, *, simulated: bool) -> str:
    guesses = {} if headline.foretold is None else {"guesses": repr(headline.exact.guesses)}
    made = called("NonPrivate", value="exact", simulated=str(simulated), database="database", **guesses)
    fresh = "None" if isinstance(headline.scenario.oracle, TableRecords) else "oracle"
    return called("preview.headline", "scenario", "columns", made, "noise", worst="worst", fresh=fresh, before="shown = ")


def promised(headline: Headline, shown: Shown) -> Iterator[Cell]:
    """The guarantee that leads, what it does not cover, and how a release is made."""
    scenario = headline.scenario
    leads = headline.worst if shown.proved and headline.worst is not None else headline.noise
    sampling = sampling_of(leads.law)
    said = f"Nothing. The noise is {sampling.words}, and only noise that OpenDP samples exactly gets a guarantee."
    said = in_words.sentence(leads.guarantee, scenario.adjacency) if sampling.exact else said
    fitted = (
        " The oracle was privately fitted to a table. For that table noise sized to Δ̂ promises nothing: this holds for others."
        if from_an_answer(scenario.oracle) and not shown.proved
        else ""
    )
    yield words(
        f"## What would be promised\n\n{said}{fitted}\n\nIt is void if the target, the oracle, the bounds, ε or any other choice "
        "was made by looking at a confidential table. It covers one release: each further one spends it again.\n\nA release "
        "draws afresh, under a seed that nobody knows beforehand, and takes its noise from the system. The function says how. "
        "Nothing calls it here."
    )
    if shown.proved:
        body = "    return mechanism.calibrate(proved, privacy).release(records)"
    else:
        run = called(
            "sample_sensitivity",
            "target",
            "oracle",
            norm="norm",
            n="n",
            at="point",
            seed="secrets.randbits(64)",
            adjacency="adjacency",
            before="fresh = ",
        )
        body = "\n".join(f"    {line}" for line in run.split("\n"))
        body += "\n    return mechanism.calibrate(fresh.sensitivity(), privacy).release(records)"
    yield Lines(f'def release(records):\n    """One private answer. Each call spends the guarantee again."""\n{body}')
