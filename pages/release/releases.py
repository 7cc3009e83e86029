"""What this tab has released, and what that has spent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from dpcore.answers.answer import KindOfAnswer
from dpcore.answers.numbers import SHARE
from dpcore.base.rounded import EMPTY, plus_minus, rows
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Ledger, Line, Standing
from pages import charts
from pages.charts.answers.several import published_one
from pages.files.tables import Table
from pages.release import after_an_answer, population
from pages.release.deployment import deployment, values
from pages.release.summary import cards
from pages.shared import badges, exports, picture, saved_files, standing_words
from pages.shared.escape import escaped, table
from pages.shared.labels import offered as label
from pages.shared.reports import spent, taking
from pages.shared.reports.answers import answered
from pages.shared.reports.noise import how_made
from pages.state import ledger, programs
from pages.state.ledger import spent_in_all, why_no_total
from pages.state.reach import ranks_in_words, ranks_short
from pages.state.release_entry import Entry

if TYPE_CHECKING:
    pass

FILE = "private answer"  # what a picture of one is named after: the question can have names of the table


def made_from(entry: Entry) -> str:
    """What a picture of a response says of it: its badge, and the guarantee that the badge is about."""
    badge = badges.of_response(covered=entry.covered, caveats=bool(entry.caveats))
    promised = entry.line.guarantee if entry.covered and entry.line is not None else None
    return badge if promised is None else f"{badge}: {words.name(promised)}"


def ledgers(table: Table) -> None:
    """Every table's ledgers, this one's first: each with its total, or why there is none."""
    kept, titles = ledger.book().ledgers, ledger.book().titles
    filled = {name: [one for one in some if one.lines] for name, some in kept.items()}
    filled = {name: some for name, some in filled.items() if some}
    if any(len(one.lines) > 1 and one.fixed_beforehand for some in filled.values() for one in some):
        st.number_input(
            "Tight total at δ",
            0.0,
            0.5,
            value=None,
            key="tight_delta",
            format="%g",
            width=160,
            placeholder="none",
            help="By privacy loss distributions: a smaller ε at this δ. It holds for a plan alone, in which number, mechanism, "
            "ε and δ of all releases were fixed before the first answer.",
        )
    if table.digest not in filled:
        st.markdown(f"Nothing was released of **{escaped(table.title or table.name)}** in this tab.")
    saved_files.incomplete(table)
    for name in sorted(filled, key=lambda other: other != table.digest):
        lines, of = [line for one in filled[name] for line in one.lines], len(filled[name])
        for number, one in enumerate(filled[name], 1):
            apart = why_no_total(lines)
            many = f", ledger {number} of {of}. {apart}" * (of > 1)
            st.markdown(f"**{escaped(titles[name])}**{many}")
            _ledger(one, table.unit if name == table.digest else None, f"ledger-{ledger.alias(name)}-{number}")
        if of > 1 and (spent := spent_in_all(lines)):
            st.markdown(f"**{spent}**")


def _ledger(one: Ledger, unit: Unit | None, name: str) -> None:
    table([_row(line) for line in one.lines], name)
    total, joint = one.total(), one.joint()
    if total is not None:
        to_come = " This counts the γ of planned releases that are still to come." * bool(one.to_join)
        st.markdown(f"**Together: {words.name(total)}.**{to_come}")
        _tight(one)
        standing_words.in_full(total, unit, one.lines[0].adjacency)
    elif joint is not None and one.apart:
        st.markdown(f"**No one guarantee covers all.** The lines that do add up together give {words.name(joint)}. {_apart(one)}")
    elif one.apart:
        st.markdown(f"**No one guarantee covers all.** {_apart(one)}")
    else:
        st.markdown("**No promise is left:** the shares γ of changes left out sum to 1 or more.")


def _apart(one: Ledger) -> str:
    said = []
    if any(line.guarantee is None for line in one.lines):
        said.append(
            "A line “chosen after an answer” has no guarantee, not even one of its own: a γ in brackets promises nothing."
        )
    if any(line.standing is Standing.APART for line in one.lines):
        said.append("Random DP that was entered by hand is a guarantee of its own.")
    if any(line.standing is Standing.HELD for line in one.lines):
        said.append(
            "A line “fixed beforehand by its holder's word” comes from a file, from a plan of one, or after answers that "
            "the server forgot. Its guarantee holds if no earlier answer is missing here, which nothing but that word says: it "
            "joins no total."
        )
    return " ".join(said)


def _tight(one: Ledger) -> None:
    delta = st.session_state.get("tight_delta")
    if not delta or len(one.lines) < 2 or not one.fixed_beforehand:
        return
    total, plain = one.total(delta=delta), one.total()
    if total is not None and plain is not None and total.epsilon >= plain.epsilon:
        st.markdown(f"At δ = {delta:g} nothing is gained on the plain sum.")
    elif total is None:
        st.markdown(f"At δ = {delta:g} there is no total with a finite ε.")
    else:
        st.markdown(f"**At δ = {delta:g}: {words.name(total)}**, by privacy loss distributions, for the whole plan.")


def _row(line: Line) -> dict[str, str]:
    numbers = dict(zip("εδγ", spent.numbers(line), strict=True))
    told = {"question": line.about or line.target, "answer": line.answer or "none", "time": line.made}
    return {"charge": line.words} | told | numbers


def entries(shown: Table) -> None:
    """The responses, the newest first; and a report of those of the table that is shown."""
    kept = ledger.book().entries
    if kept:
        st.markdown("## Answers")
    with st.container(horizontal=True):
        taking.of_releases(ledger.book(), shown)
        label.of_ledger(shown)
    for entry in reversed(kept):
        with st.container(border=True, key=f"entry_{entry.ticket}"):
            _entry(entry)


def _entry(entry: Entry) -> None:
    st.markdown(f"**{escaped(entry.title)}**")
    if entry.release is None:
        st.error(escaped(entry.problem))
        return
    if (summed_up := cards.of_entry(entry)) is not None:
        cards.show(entry, summed_up[1], made_from(entry))
    else:
        _response(entry)
        after_an_answer.show_comparison(entry, entry.release)
    after_an_answer.show_next(entry)
    after_an_answer.show_oracle(entry)
    if entry.line is None or entry.line.guarantee is None:
        st.error(escaped(entry.promise), icon=":material/gpp_bad:")
    else:
        standing_words.show_promise(
            entry.line.guarantee, entry.about.protected, entry.release.adjacency, key=entry.ticket, later=entry.later
        )
    if left_out := entry.not_protected:
        said, rest = left_out.split(":", 1)
        st.markdown(f"**{said}**: {escaped(rest)}")
    st.markdown(f"This is {escaped(entry.about.target)}. {how_made(entry)} It was released on {entry.made}.")
    for caveat in entry.caveats:
        st.warning(caveat)
    badges.show(badges.of_response(covered=entry.covered, caveats=bool(entry.caveats)))
    with st.container(horizontal=True):
        st.download_button(
            "Download as JSON",
            entry.as_json(),
            f"release-{entry.ticket}.json",
            "application/json",
            key=f"download_{entry.ticket}",
            on_click="ignore",
        )
        st.download_button(
            "Registry entry",
            deployment(entry),
            f"deployment-{entry.ticket}.json",
            "application/json",
            key=f"deployment_{entry.ticket}",
            on_click="ignore",
            help="For a public registry of deployments: what was protected, how, and how strongly. No answer is in it.",
        )
        st.download_button(
            "Values beside the entry",
            values(entry),
            f"values-{entry.ticket}.json",
            "application/json",
            key=f"values_{entry.ticket}",
            on_click="ignore",
            help="What the registry has no field for: γ, its bound, m and k, the oracle, the noise's scale. No answer is in it.",
        )
        label.of_answer(entry)
        exports.show_code(entry.ticket, lambda: programs.of_the_release(entry, ledger.book().entries))


def _response(entry: Entry) -> None:
    """Each question's chart where its kind has one, then its parts by their names, with unit and ±: several in a table."""
    about, reach, listed = entry.about, entry.reach, bool(entry.about.questions)
    for_population = population.of(entry)
    for place, one in enumerate(answered(entry)):
        key = f"{entry.ticket}_{place + 1}"
        said = rows(one.kind, one.response, one.alone)
        if listed:
            number = f"{entry.numbers[place]}. " if entry.numbers else ""
            st.markdown(f"**{escaped(f'{number}{one.question}')}**")
            chart = published_one(one.response, one.kind, one.alone)
        else:
            chart = charts.published(one.response, one.kind, reach)
        if chart is not None:
            taken = picture.Picture(one.question if listed else about.target, made_from(entry), file=FILE)
            picture.chart(chart, f"curve_{key}", "The private answer.", taken, height=124 if listed and len(said) == 1 else 240)
        if len(said) > 1 or listed:
            found = _rows(said, one.kind, one.jointly if listed else ())
            table(found, f"answer-{place + 1}-of-{entry.ticket}", marks={"guarantee": made_from(entry)})
        else:
            st.markdown("".join(f"{escaped(name)}: **{escaped(f'{text} {near}'.rstrip())}**" for name, text, near in said))
        population.show(for_population[place] if for_population else None, key)
    several = len(entry.near[0]) > 1 if entry.near else False
    if about.questions or (isinstance(reach, float) and math.isfinite(reach)):
        each = "each number, taken alone," if several else "the answer"
        shares = " The numbers are shares of all rows." * (about.answer.unit == SHARE)
        sampled = entry.line is not None and isinstance(entry.line.guarantee, RandomDP)
        fresh = " Its trials are drawn afresh, so it is not quite Explore's." * sampled
        st.markdown(
            f"The ± is of the noise: in 95 of 100 such releases {each} lies this close to the one without noise.{fresh}{shares}"
        )
    if entry.ranks is not None and entry.release is not None:
        st.markdown(f"**{ranks_short(entry.ranks)}.** {ranks_in_words(entry.ranks, entry.release.adjacency)}")
    if about.foretold:
        st.markdown(escaped(about.foretold))
    if math.inf in [near for some in entry.near or () for near in some]:
        st.markdown(EMPTY)
    if entry.guess:
        st.markdown(escaped(entry.guess))


def _rows(said: tuple[tuple[str, str, str], ...], kind: KindOfAnswer, jointly: tuple[float, ...]) -> list[dict[str, str]]:
    """Name, private answer with its unit, and its own ± where it is known; of one of several questions also that at once."""
    answer = "private answer" + " (share of all rows)" * (kind.unit == SHARE)
    found = [{"of": name, answer: text} for name, text, _ in said]
    if jointly or any(near for _, _, near in said):
        found = [row | {"±, 95 in 100, each alone": near} for row, (_, _, near) in zip(found, said, strict=True)]
    for row, near, (_, _, shown) in zip(found, jointly, said, strict=False):
        row["±, with all the others at once"] = plus_minus(near, kind.after) if shown else ""
    return found
