"""Values that a link cannot have: a sentence each, and the rest of the link is kept.

What a link is read as, with its sentences, is looked at without a page; that the page says and shows it, of a few.
"""

from __future__ import annotations

import json
import time

import pytest

from pages import state
from pages.experiment.scenario import Scenario
from pages.old.state.link import from_query
from tests.pages.prose import refuse_code
from tests.pages.visit import CHARTS, charts, go, link, notices, opened, scenario, text, visit

_HUGE = "1" + "0" * 400
_NESTED = "[" * 100_000


def _read(**values: object) -> tuple[Scenario, str]:
    """What a link with these values is read as, and its sentences, in a reader's words."""
    given = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    read, said = from_query({"v": "1"} | given, state.catalog(), state.example())
    refuse_code(" ".join(said))
    return read, " ".join(said)


@pytest.mark.parametrize("text", ["nan", "Infinity", "-1", "0", "1", '"0.05"', "true", "[0.05]", _HUGE, ""])
def test_a_bad_gamma_is_a_sentence_and_the_rest_is_kept(text: str) -> None:
    read, said = _read(gamma=text, epsilon=3.0)
    assert "γ" in said
    assert (read.gamma, read.epsilon) == (0.05, 3.0)


@pytest.mark.parametrize("text", ["1e999", "0", "101", '"1"', "false", '{"a":1}', _HUGE, _NESTED])
def test_a_bad_epsilon_is_a_sentence_and_the_rest_is_kept(text: str) -> None:
    read, said = _read(epsilon=text, gamma=0.1)
    assert "ε" in said
    assert (read.epsilon, read.gamma) == (1.0, 0.1)


@pytest.mark.parametrize("text", ["0", "100001", "1.5", "199.0", "true", '"199"', _HUGE * 13])
def test_a_bad_m_is_a_sentence_and_the_rest_is_kept(text: str) -> None:
    read, said = _read(m=text, epsilon=3.0, gamma=0.1)
    assert "sampled pairs" in said
    assert (read.m, read.epsilon, read.gamma) == (199, 3.0, 0.1)


@pytest.mark.parametrize("name", ["target", "oracle", "mechanism"])
@pytest.mark.parametrize(
    "text",
    ["1", "{}", '{"kind":"os.system"}', '{"kind":["Mean"]}', '{"kind":"Mean","strange":1}', _NESTED],
)
def test_a_bad_member_is_a_sentence_and_the_rest_is_kept(name: str, text: str) -> None:
    read, said = _read(epsilon=3.0, **{name: text})
    assert "In the link" in said
    assert read == state.example().with_(epsilon=3.0)


@pytest.mark.parametrize("bounds", [f"[0,{_HUGE}]", "[1,0]", "[0,1e400]", "[0]", '"ab"', '{"kind":"Mean"}', "[[]]"])
def test_bad_bounds_are_a_sentence(bounds: str) -> None:
    read, said = _read(target=f'{{"kind":"Mean","bounds":{bounds}}}', epsilon=3.0)
    assert "In the link" in said
    assert read == state.example().with_(epsilon=3.0)


CONTRADICTIONS: list[dict[str, object]] = [
    {"confidence": _HUGE, "bound": "TOLERANCE"},
    {"bound": "TOLERANCE"},
    {"confidence": 0.9},
    {"bound": "CLT"},
    {"norm": "L9"},
    {"norm": "L2"},
    {"delta": 0.1},
    {"delta": _HUGE},
    {"mechanism": {"kind": "Gaussian"}, "norm": "L2", "delta": _HUGE},
    {"seed": -1},
    {"seed": 0.5},
]
COLUMNS: list[object] = [
    [],
    ["strange"],
    "years_to_default",
    5,
    {"years_to_default": 1},
    [["years_to_default"]],
    [None],
    ["years_to_default"] * 2,
]


@pytest.mark.parametrize("values", CONTRADICTIONS, ids=lambda values: str(values)[:40])
def test_choices_that_contradict_one_another_are_sentences(values: dict[str, object]) -> None:
    read, said = _read(epsilon=3.0, **values)
    assert "In the link" in said
    assert read == state.example().with_(epsilon=3.0)


@pytest.mark.parametrize("columns", COLUMNS, ids=str)
def test_bad_columns_are_a_sentence_and_the_rest_is_kept(columns: object) -> None:
    read, said = _read(columns=columns, epsilon=3.0)
    assert "In the link" in said
    assert read == state.example().with_(epsilon=3.0)


def test_the_page_says_what_it_could_not_read_and_shows_the_rest() -> None:
    app = link(gamma="nan", m="[[[1]]]", target="{}", columns=5, norm="L9", epsilon=3.0)
    for words in ("γ", "the number of sampled pairs must be a whole number", "target", "columns", "norm"):
        assert words in notices(app)
    assert (scenario(app).gamma, scenario(app).epsilon) == (0.05, 3.0)
    assert charts(app).keys() >= CHARTS


def test_a_table_without_its_columns_shows_a_column_that_it_has() -> None:
    app = link(table="diabetes")
    assert scenario(app).table == "diabetes"
    assert scenario(app).columns == ("age",)


def test_another_version_shows_the_example_with_a_sentence_and_an_unknown_table_none() -> None:
    app = visit(v="2", gamma="0.1")
    assert "version" in notices(app)
    assert scenario(app).gamma == 0.05
    app = link(table="secret.csv", gamma=0.1)
    assert "A link holds no data" in text(app)


def test_unknown_keys_are_named_and_the_rest_is_kept() -> None:
    app = link(utm_source="x", epsilon=3.0)
    assert "utm_source" in notices(app)
    assert scenario(app).epsilon == 3.0


def test_many_unknown_keys_are_one_sentence() -> None:
    app = visit(v="1", epsilon="3.0", **{f"key{i}": "x" for i in range(900)})
    assert [warning.value for warning in app.warning] == [
        "The link's “key0”, “key1”, “key2”, “key3”, “key4” and 895 more are no settings of this app, and were left out."
    ]
    assert scenario(app).epsilon == 3.0
    assert notices(link(a=1, b=2)) == "The link's “a” and “b” are no settings of this app, and were left out."


_CURVE = {"kind": "OnLattice", "curve": {"kind": "PriestleyChao"}}
_LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 2_500)))
HUGE: dict[str, tuple[dict[str, object], str]] = {
    "10^8 columns": ({"oracle": {"kind": "TwoClasses", "dims": 10**8}}, "number of dimensions must be at most 1,999"),
    "10^30 columns": ({"oracle": {"kind": "TwoClasses", "dims": 10**30}}, "number of dimensions must be at most 1,999"),
    "more columns than the table has": ({"oracle": {"kind": "TwoClasses", "dims": 1_999}}, "oracle does not fit"),
    "long texts": (
        {"table": "scientists", "columns": ["name"], "oracle": {"kind": "Resample", "records": ["a" * 7_000]}},
        "oracle does not fit",
    ),
    "degree 2,000 and order 1,000": (
        {
            "table": "sine",
            "columns": ["x", "y"],
            "target": _CURVE | {"degree": 2_000},
            "norm": "L1",
            "mechanism": {"kind": "Bernstein", "order": 1_000},
        },
        "degree must be at most 255",
    ),
    "degree 999,999": (
        {
            "table": "sine",
            "columns": ["x", "y"],
            "target": _CURVE | {"degree": 999_999},
            "norm": "L1",
            "mechanism": {"kind": "Bernstein"},
        },
        "order of the polynomial must be 1",
    ),
    "2,500 letters": (
        {"table": "scientists", "columns": ["name"], "target": {"kind": "LetterCounts", "alphabet": _LETTERS}},
        "at most 1,000 letters",
    ),
    "500 letters": (
        {"table": "scientists", "columns": ["name"], "target": {"kind": "LetterCounts", "alphabet": _LETTERS[:500]}},
        "categories or letters must be at most 256",
    ),
    "900 bins": (
        {"table": "diabetes", "columns": ["bmi"], "target": {"kind": "Histogram", "edges": list(range(900))}},
        "categories or letters must be at most 256",
    ),
    "a confidence of 1e-100": ({"bound": "TOLERANCE", "confidence": 1e-100}, "must be a number from 0.5 to 0.999999999"),
    "a ragged table": ({"oracle": {"kind": "Resample", "records": [[1], [2, 3]]}}, "In the link"),
}


@pytest.mark.parametrize("name", HUGE)
def test_what_would_take_all_of_the_servers_time_or_memory_is_refused_before_it_does(name: str) -> None:
    given, words = HUGE[name]
    began = time.process_time()
    read, said = _read(**given, epsilon=3.0)
    assert time.process_time() - began < 5  # with a page they took 60 s to forever
    assert words in said
    assert read.epsilon == 3.0


@pytest.mark.parametrize("name", ["10^8 columns", "degree 999,999", "2,500 letters"])
def test_the_page_refuses_it_too(name: str) -> None:
    given, words = HUGE[name]
    began = time.process_time()
    app = link(**given, epsilon=3.0)
    assert time.process_time() - began < 5
    assert words in notices(app)
    assert charts(app).keys() >= CHARTS


@pytest.mark.parametrize("confidence", [0.5, 0.99999, 1 - 1e-9])
def test_every_confidence_of_a_link_is_one_that_its_control_can_show(confidence: float) -> None:
    app = link(bound="TOLERANCE", confidence=confidence, m=999)
    assert not notices(app)
    assert app.number_input(key="confidence").value == confidence


def test_a_gamma_out_of_reach_raises_m() -> None:
    app = link(m=19, gamma=0.01)
    assert (scenario(app).m, scenario(app).gamma) == (99, 0.01)
    assert "m was raised" in notices(app)


@pytest.mark.parametrize(
    "values",
    [
        {"oracle": {"kind": "Resample", "records": ["a", "b"]}},
        {"target": {"kind": "Mean", "bounds": [[0, 1], [0, 1]]}},
        {"oracle": {"kind": "Exponential", "rate": 1e-320}},
        {"target": {"kind": "Proportion", "category": "x"}},
        {"target": {"kind": "Histogram", "categories": ["a", "b"]}},
        {"oracle": {"kind": "Product", "columns": [{"kind": "Uniform", "low": 0, "high": 1}] * 2}},
        {"mechanism": {"kind": "Gaussian", "calibration": "classical"}, "norm": "L2", "delta": 1e-6, "epsilon": 3.0},
    ],
    ids=str,
)
def test_members_that_do_not_fit_one_another_break_no_page(values: dict[str, object]) -> None:
    app = link(**values)
    opened(app, "options", "numbers", "proof")
    go(go(app, "release"), "your_data")
