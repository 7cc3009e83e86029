"""The picture of a label: it is as large as it says, whatever comes from outside, and its type is never small."""

from __future__ import annotations

import re
from itertools import product
from xml.etree.ElementTree import Element, fromstring

import pytest

from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.guarantees.unit import Unit
from pages.charts.label import HEIGHT, TITLE, WIDTH, Label, Look, Part, Words, picture
from pages.charts.properties import NotDrawnError
from pages.shared.labels.around import HOW_MANY, Told, table_words
from pages.shared.labels.promised import Promised

TEXT = "{http://www.w3.org/2000/svg}text"
LONG = "W" * 500
UNITS = (Unit(), Unit("W" * 40, True), Unit("W" * 40, False), Unit("W" * 40, None, True))
GUARANTEES = (PureDP(1.23456), ApproxDP(1.23456, 1.23456e-5), RandomDP(12.3456, 1.23456e-5, 0.123456))
SURE = RandomDP(12.3456, 1.23456e-5, 0.123456, 0.9512)
_SOME = [(guarantee, UNITS[1], adjacency) for guarantee in GUARANTEES for adjacency in Adjacency]


def _texts(label: Label) -> list[Element]:
    root = fromstring(picture(label))
    assert (root.attrib["width"], root.attrib["height"]) == (str(WIDTH), str(HEIGHT))
    return [*root.iter(TEXT)]


def _said(label: Label) -> str:
    """Its words without spaces: a line may end anywhere."""
    return "".join("".join(text.itertext()) for text in _texts(label)).replace(" ", "")


def _fullest(guarantee: Guarantee, unit: Unit, adjacency: Adjacency, *, across: str = "") -> Label:
    """With all that one label may have to say at once, and everything from outside as long as it can be."""
    promised = Promised(guarantee=guarantee, adjacency=adjacency, unit=unit, oracles=(LONG,), came="It was chosen by hand. " * 2)
    asked = [Words(f"1234.567 {LONG}: {LONG}", most=2) for _ in range(2)]
    told = Told(LONG, LONG)
    table = table_words(LONG, 1_000_000, adjacency, public=False)
    cautions = (
        "Its holder's word alone says that it was fixed before the first answer about the table. " * 2,
        "It was looked at. " * 6,
    )
    known = "This ledger knows of 123 answers about this table. All together: random DP, ε = 12.3456, δ = 1.23456e-05, " * 2
    return Label(
        "Of one answer, of 2026-11-27 09:24 UTC (by its holder's word)",
        (
            Part("What is published?", (*asked, Words("and 97 answers more"), table, told.of_which_time), heavy=True),
            *promised.parts(() if across else cautions),
            Part(HOW_MANY, (Words(known),)),
            told.part,
        ),
        across,
    )


@pytest.mark.parametrize(("guarantee", "unit", "adjacency"), _SOME)
def test_the_fullest_label_fits_and_says_every_word_of_ours(guarantee: Guarantee, unit: Unit, adjacency: Adjacency) -> None:
    """Every other one of them lies across as an example, which has other words."""
    across = "Example: nothing was published" if _SOME.index((guarantee, unit, adjacency)) % 2 else ""
    label = _fullest(guarantee, unit, adjacency, across=across)
    texts = _texts(label)
    assert min(float(text.attrib["font-size"]) for text in texts) >= 14
    assert max(float(text.attrib["y"]) for text in texts) <= HEIGHT - 16
    said = _said(label)
    for words in (words for part in label.parts for words in part.words if not words.most):
        assert words.said.replace(" ", "") in said, words.said


@pytest.mark.slow
@pytest.mark.parametrize("guarantee", [GUARANTEES[1], SURE], ids=str)
def test_the_fullest_label_of_any_unit_fits(guarantee: Guarantee) -> None:
    for unit, adjacency, across in product(UNITS, Adjacency, ("", "Example: nothing was published")):
        assert len(_texts(_fullest(guarantee, unit, adjacency, across=across))) > 20


def test_what_comes_from_outside_is_shortened_and_the_number_before_it_is_not() -> None:
    said = _said(_fullest(GUARANTEES[2], UNITS[0], Adjacency.REPLACE_ONE_RECORD))
    assert said.count("1234.567") == 2
    assert "…" in said
    assert max(map(len, re.findall("W+", said))) < 120


def test_words_are_dropped_whole_so_that_no_number_is_cut() -> None:
    words = Words(" ".join(["123456.789"] * 60), most=1)
    (*_, last) = ["".join(text.itertext()) for text in _texts(Label("", (Part("Numbers", (words,)),)))]
    *numbers, dots = last.split()
    assert dots == "…"
    assert set(numbers) == {"123456.789"}
    assert len(numbers) > 3, "no more is dropped than must be"


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>", "</svg><b onload=x>", '"&quot; &amp; {{ 7*7 }}', "שלום עולם", "👩‍👩‍👧‍👦 family"],
)
def test_names_are_text(name: str) -> None:
    label = Label("", (Part("What?", (Words(name, most=1),)),))
    assert name.replace(" ", "") in _said(label)
    assert not re.search(r"<(script|b)\b", picture(label))


def test_a_name_turns_nothing_around_and_covers_no_line() -> None:
    words = Words("a\u202eevil\u2066 Z" + "\u0335" * 30 + "\ny")
    assert words.said == "a evil Z" + "\u0335" * 3 + " y"


def test_our_own_words_are_never_shortened_but_refused() -> None:
    with pytest.raises(NotDrawnError, match="pixels more than there are"):
        picture(Label("", (Part("Too much", (Words("word " * 2_000),)),)))


def test_short_labels_have_large_type_and_the_ruler_is_filled_as_far_as_a_guess_is_right() -> None:
    label = Label("Of one", (Part("Odds", (Words("At most 75", Look.LEAD), Words("more")), 75),))
    texts = _texts(label)
    assert "".join(texts[0].itertext()) == TITLE
    assert float(texts[1].attrib["font-size"]) == 18
    bars = [re.search(r"h([\d.]+)v14", path.attrib["d"]) for path in fromstring(picture(label)).iter() if "d" in path.attrib]
    whole, filled = (float(bar[1]) for bar in bars if bar)
    assert filled == pytest.approx(whole / 2)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_word_stands_out_from_its_ground_also_where_something_is_said_across() -> None:
    parts = (Part("What?", (Words("plain"), Words("care", Look.CARE), Words("loud", Look.LOUD))),)
    root = fromstring(picture(Label("About", parts, "Example: nothing was published")))
    turned, *texts = root.iter(TEXT)
    assert "transform" in turned.attrib
    across = turned.attrib["fill"]
    for text in texts:
        colour = text.attrib.get("fill", root.attrib["fill"])
        grounds = ["#8f2f00"] if colour == "#ffffff" else ["#ffffff", across]
        assert min(_contrast(colour, ground) for ground in grounds) >= 4.5, "".join(text.itertext())
