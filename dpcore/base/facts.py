"""What a member may say of itself beside what its protocol asks of it: each fact by its name, and what holds where it says none.

A member says one as a class attribute, a property or a method of that name, and needs nothing of this file for it. Whoever wants
to know asks ``facts(member)``, also of a class; no other place of dpcore looks for an attribute by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar, final

T = TypeVar("T")


@final
class _Said(Generic[T]):
    """A fact, and its default."""

    def __init__(self, default: T) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, asked: Facts, owner: type) -> T:
        found: T = getattr(asked.member, self._name, self._default)
        return found


@final
class Facts:
    """What one member says of itself."""

    __slots__ = ("member",)

    def __init__(self, member: object) -> None:
        self.member = member

    # Of any kind.
    title: _Said[Any] = _Said(None)  # another name for people than the class's
    place: _Said[Any] = _Said(1)  # its place in a picker
    takes: _Said[Any] = _Said(None)  # the slots for columns that it has, one number unless it says others
    suited: _Said[Any] = _Said(None)  # ``suited(columns)``: the member that fits declared columns, or None
    offered: _Said[Any] = _Said(None)  # ``offered(columns)``: whether some member suits them, where that is sooner said than made
    fits: _Said[Any] = _Said(None)  # ``fits(columns)``: whether these columns can be its own
    stands_for: _Said[Any] = _Said(None)  # the member that it stands for where a person picks one
    named: _Said[str] = _Said("")  # what it is called in few words, where that is not its class
    named_by: _Said[Any] = _Said(None)  # the number that belongs to its name
    everyday: _Said[str] = _Said("")  # what it is called where everyday questions are listed, in one or two words
    named_after_somebody: _Said[bool] = _Said(False)  # whether its name is a person's
    said_of: _Said[Any] = _Said(None)  # ``said_of(columns)``: with its settings, in few words
    said_around: _Said[Any] = _Said(None)  # ``said_around(what)``: with what it is made of, which is said by ``what``
    in_words: _Said[Any] = _Said(None)  # what its noise is called
    otherwise: _Said[Any] = _Said(None)  # ``otherwise(columns)``: one for a column that no law was made for

    # Of a target.
    answer: _Said[Any] = _Said(None)  # ``answer(columns)``: what kind of answer it gives
    candidates: _Said[Any] = _Said(())  # what is chosen among
    numbers: _Said[Any] = _Said(None)  # of how many numbers its answer is
    groups: _Said[tuple[str, ...]] = _Said(())  # the public groups that it answers for
    groups_each: _Said[Any] = _Said(None)  # in how many groups a person counts at most
    parts: _Said[Any] = _Said(())  # the questions that it asks together
    fields: _Said[Any] = _Said(())  # the columns that it reads by their names
    where: _Said[Any] = _Said(())  # the conditions that records have to meet
    by: _Said[Any] = _Said(None)  # the column of its groups
    columns: _Said[Any] = _Said(())  # of which columns it is
    bounds: _Said[Any] = _Said(())  # the public bounds of its values, None where none are stated; () where it takes none
    rows: _Said[Any] = _Said(None)  # how many rows of a person count
    totals: _Said[Any] = _Said(None)  # between which bounds counts what a person's rows add up to
    salt: _Said[Any] = _Said(None)  # the number that picks the rows of a person that count
    target: _Said[Any] = _Said(None)  # the target that it is asked with
    curve: _Said[Any] = _Said(None)  # the curve that it releases
    person: _Said[Any] = _Said(None)  # the field that says whose a row is
    only_to_choose: _Said[bool] = _Said(False)  # whether its numbers are scores for a choice alone
    scores: _Said[bool] = _Said(False)  # whether its numbers are scores
    whole_numbers: _Said[bool] = _Said(False)  # whether each number is a whole one
    takes_missing: _Said[bool] = _Said(False)  # whether it takes missing values as they are
    takes_codes: _Said[bool] = _Said(False)  # whether it takes places of categories as numbers
    takes_fields: _Said[bool] = _Said(False)  # whether it takes databases with named fields
    reads_missing: _Said[bool] = _Said(False)  # whether what becomes of missing values is its own to say
    written: _Said[str] = _Said("")  # the field that a person writes as a text
    check_records: _Said[Any] = _Said(None)  # ``check_records(n)``: refuses a number of records that is not served
    global_sensitivity: _Said[Any] = _Said(None)  # ``global_sensitivity(norm, n)``: its proved worst case
    relative_resolution: _Said[float] = _Said(1e-7)  # how finely its code resolves an answer
    seconds: _Said[Any] = _Said(None)  # ``seconds(n)``: about how long a call takes
    true_cdf: _Said[Any] = _Said(None)  # ``true_cdf(oracle, norm, n)``: its sensitivity CDF in closed form
    ways: _Said[Any] = _Said(None)  # the ways of measuring that it makes possible
    each: _Said[Any] = _Said(None)  # of groups: the same of one of them
    regardless_of_n: _Said[bool] = _Said(False)  # whether records of which all is missing change nothing, however many there are
    answer_bounds: _Said[Any] = _Said(None)  # ``answer_bounds(n)``: an interval that its one number never leaves, or None
    from_a_part: _Said[str] = _Said("")  # "alike" for a part and all, or "in proportion" (mathematics, section 20.4)
    about_relations: _Said[bool] = _Said(False)  # whether its answer says how columns hang together
    scores_of: _Said[Any] = _Said(None)  # ``scores_of(answers)``: the scores of places for answers of blocks
    lost: _Said[Any] = _Said(None)  # ``lost(norm, n)``: how far it moves where all values of a record get lost
    weighted: _Said[Any] = _Said(None)  # ``weighted(values, weights)``: the scores of records with these weights
    places: _Said[Any] = _Said(None)  # ``places(n)``: which of the values in order it reads
    from_places: _Said[Any] = _Said(None)  # ``from_places(records, n)``: its answer from these alone
    pair: _Said[Any] = _Said(None)  # ``pair(extended)``: the answers of both neighbours at once
    by_group: _Said[Any] = _Said(None)  # ``by_group(database, places, groups)``: the answers of all groups in one pass
    batch: _Said[Any] = _Said(None)  # ``batch(databases)``: the answers of many at once
    tried: _Said[Any] = _Said(None)  # ``tried(databases)``: the same, NaN where it fails, and why by place, quoting no value
    pairs_a_call: _Said[int] = _Said(0)  # how many of them it is given, where each call costs much; 0 for the usual
    values_batch: _Said[Any] = _Said(None)  # ``values_batch(databases, points)``: the same of a curve
    contribution: _Said[Any] = _Said(None)  # ``contribution(records, n)``: what each record adds
    domain: _Said[Any] = _Said(None)  # where a curve has values
    lattice_sensitivity: _Said[Any] = _Said(None)  # ``lattice_sensitivity(norm, n, degree)``: its worst case over a lattice
    rows_that_count: _Said[Any] = _Said(None)  # ``rows_that_count(records)``: which rows a cap counts
    row_values: _Said[Any] = _Said(None)  # ``row_values(records)``: what each row that counts brings
    predicted_as: _Said[str] = _Said("")  # as what its error is predicted on the page People: a count, sum, mean or share
    once: _Said[str] = _Said("")  # what it is called where each person counts for one row: what a number of rows is then
    each_once: _Said[bool] = _Said(False)  # whether each person counts once, in all or in each group
    public_alone: _Said[bool] = _Said(False)  # whether it is offered without conditions and groups alone
    of_known_values: _Said[Any] = _Said(None)  # the same where only known values count
    asks: _Said[Any] = _Said(None)  # ``asks(what, columns)``: what is looked for, in few words
    asked: _Said[Any] = _Said(None)  # ``asked(databases)``: its own columns of the records that it asks for
    asked_of: _Said[Any] = _Said(None)  # ``asked_of(columns)``: what is asked, in few words
    untold: _Said[str] = _Said("")  # what its answer does not tell, and why

    # Of an oracle.
    draw: _Said[Any] = _Said(None)  # ``draw(databases, records, rng=)``: makes databases up
    inverse: _Said[Any] = _Said(None)  # ``inverse(u)``: the inverse distribution function of one record
    difference_cdf: _Said[Any] = _Said(None)  # ``difference_cdf(d)``: P(|x − x'| <= d)
    support: _Said[tuple[float, float] | None] = _Said(None)  # an interval that no record leaves
    chances: _Said[Any] = _Said(None)  # the probability of each value
    independent_records: _Said[bool] = _Said(False)  # whether the records of a database are independent
    draws_in_order: _Said[bool] = _Said(False)  # whether it draws the same databases first, however many
    draws_missing: _Said[bool] = _Said(False)  # whether some of its values are missing
    draws_fields: _Said[bool] = _Said(False)  # whether its records have named fields
    draws_people: _Said[bool] = _Said(False)  # whether its records are whole people
    names: _Said[Any] = _Said(())  # what its parts are called
    oracle: _Said[Any] = _Said(None)  # the oracle that it is made of
    only_for: _Said[Any] = _Said(None)  # for what it is, and for nothing else, in words

    # Of a mechanism, and of its law.
    response: _Said[Any] = _Said(None)  # ``response(answer)``: what it makes of an answer
    steps: _Said[Any] = _Said(None)  # what its two steps are called
    apart: _Said[Any] = _Said(None)  # ``apart(responses)``: the answers of two steps, each by itself
    privacy: _Said[Any] = _Said(None)  # the guarantee that it gives
    composes_as: _Said[str] = _Said("")  # how releases of it add up
    sampling: _Said[Any] = _Said(None)  # how its noise is drawn
    on: _Said[Any] = _Said(None)  # ``on(database)``: the law of responses from this database
    without_noise: _Said[Any] = _Said(None)  # ``without_noise(raw)``: the response that it would give without noise
    selection: _Said[Any] = _Said(None)  # by which rule a candidate is chosen
    half_width: _Said[Any] = _Said(None)  # ``half_width(share)``: the ± that holds a share of the noise
    most_missed: _Said[Any] = _Said(None)  # ``most_missed(share)``: how far the chosen score falls short of the best, at most
    clip: _Said[Any] = _Said(False)  # the bounds that answers are cut off at, None without any; False of a law that knows none
    databases: _Said[Any] = _Said(None)  # two neighbours that are hard to hide
    question: _Said[Any] = _Said(None)  # the question that is asked of people

    # Of a guarantee, and of a budget.
    delta: _Said[float] = _Said(0.0)  # the δ that it adds to ε
    gamma: _Said[float | None] = _Said(None)  # the share of changes that it leaves out
    confidence: _Said[float | None] = _Said(None)  # the chance over the trials that it holds

    # Of a kind of answer.
    moved_after: _Said[str | None] = _Said(None)  # the unit behind how far it moves, where that is another
    under: _Said[Any] = _Said(None)  # ``under(scale)``: the same, of responses under noise of this scale
    from_zero: _Said[bool] = _Said(False)  # whether its numbers are drawn from 0
    picked: _Said[bool] = _Said(False)  # whether it is one of the candidates
    ranked: _Said[bool] = _Said(False)  # whether its candidates are in an order
    shown: _Said[Any] = _Said(None)  # ``shown(response)``: its numbers as they are shown
    rounded: _Said[Any] = _Said(None)  # ``rounded(response, near)``: its numbers, each rounded to its ±
    within: _Said[Any] = _Said(None)  # ``within(law, response, share)``: how close each number is
    values: _Said[Any] = _Said(None)  # ``values(response)``: the numbers that a chart shows
    value: _Said[Any] = _Said(None)  # ``value(responses)``: the mean of two numbers
    of: _Said[Any] = _Said(None)  # the kind of answer of each part or group
    moves: _Said[str] = _Said("weights and bias")  # what of it moves
    foretold: _Said[Any] = _Said(None)  # ``foretold(law, response, share, least=, most=)``: its least and largest ±


def facts(member: object) -> Facts:
    """What a member, or a class of members, says of itself."""
    return Facts(member)


def ways_by(member: object, methods: Mapping[str, str]) -> tuple[str, ...]:
    """Those ways, by the names of the methods that make them possible, which the member has the method for; where it states
    which ``ways`` hold, of these."""
    said = facts(member)
    stated = methods if said.ways is None else said.ways
    return tuple(way for way, name in methods.items() if way in stated and callable(getattr(said, name)))


@final
class SameAs:
    """A fact of a member that is made of another one, whose own it is: ``title: ClassVar[Any] = SameAs("target")``."""

    def __init__(self, part: str) -> None:
        self._part = part

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, member: object, owner: type) -> Any:
        """What the part says, or the default; of a class, whose part is not known, the default."""
        return getattr(facts(None if member is None else getattr(member, self._part)), self._name)
