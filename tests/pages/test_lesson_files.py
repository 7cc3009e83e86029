"""Lessons as files: whole without the app, loading nothing, and running only the program that their policy names."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re

import pytest
from pages.learn.written import of_all, of_one

from pages.charts.encoded import text as in_json
from pages.experiment.lessons.step import Mark
from pages.learn import written
from pages.learn.found import Lesson, filled, lessons
from pages.learn.lesson import _computed
from pages.reports.document import Part
from pages.reports.html import _embedded, _style, module
from tests.pages.visit import opened, visit

EVERY = lessons()
MOST = 1_500_000
_LIVE = {one.name for one in EVERY if one.opens == "explore"} - {"no_oracle"}  # whose answer, a place, has no chart that moves


def _plain(text: str) -> str:
    """What a reader sees of it."""
    bare = re.sub(r"<(script|style|svg)\b.*?</\1>|<[^>]+>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(bare).split())


def _squeezed(text: str) -> str:
    return "".join(text.replace("**", "").split())


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.fixture(scope="module")
def every() -> str:
    return of_all(_computed)


def test_all_lessons_are_in_one_file_in_their_order_with_every_question_answer_and_sentence_to_keep(every: str) -> None:
    assert len(every.encode()) <= MOST
    said = _squeezed(_plain(every))
    at = 0
    for number, one in enumerate(EVERY, 1):
        at = said.index(_squeezed(f"Lesson {number}. {one.words.title}"), at)
        assert f'href="#{one.name}"' in every
        for name, step in one.steps.items():
            found, words = _computed(one, name), one.words.steps[name]
            assert found is not None
            options = {key: filled(option, found.numbers) for key, option in words.options.items()}
            truth = step.guess.words(found.truth) if isinstance(step.guess, Mark) else options[str(found.truth)]
            parts = (words.title, words.question, f"What is so: {truth}.", words.reveal, words.keep)
            for part in parts:
                at = said.index(_squeezed(filled(part, found.numbers)), at)
    assert "**" not in _plain(every)
    assert every.count("<details>") == sum(len(one.steps) for one in EVERY)
    assert set(re.findall(r'data-desk="lesson_(\w+)"', every)) == _LIVE


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.name)
def test_a_file_runs_only_what_its_policy_names_and_asks_for_nothing(one: Lesson) -> None:
    text = of_one(one, _computed)
    policy = html.unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0])
    scripts = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    moves = one.name in _LIVE
    assert len(scripts) == moves
    assert ("script-src" in policy) is moves
    for allowed in (*scripts, *re.findall(r"<style>(.*?)</style>", text, re.DOTALL)):
        assert f"'sha256-{_hash(allowed)}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    elements = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
    assert not re.search(r"<(iframe|object|embed|img|link|form|base)\b|\s(on\w+|src|srcdoc|style)=", elements)
    assert "url(" not in elements.replace("url(#", "")


def test_no_name_ends_the_data_of_a_part() -> None:
    hostile = in_json({"unit": "</script><!--<img src=x>\u202e\x7f", "f8": "AAAA"})
    embedded = str(_embedded(Part("x", hostile).data))
    assert "<" not in embedded
    assert ">" not in embedded
    assert json.loads(embedded)["unit"].startswith("</script><!--<img src=x>")
    assert "\u202e" not in json.loads(embedded)["unit"]


def test_the_desk_of_a_lesson_is_that_of_its_own_scenario() -> None:
    for one in EVERY:
        made = written.desk_of(one)
        assert (made is not None) is (one.name in _LIVE)
        if made is not None:
            at = json.loads(made.parts[0].at)
            assert (at["gamma"], at["epsilon"]) == (one.to_try().gamma, one.to_try().epsilon)
            sent = sum(len(part.data) for part in made.parts)
            assert sent <= 65_000, (one.name, sent)


@pytest.mark.slow
def test_learn_offers_the_lesson_and_all_of_them_and_makes_them_when_asked(files: list[tuple[str, str]]) -> None:
    app = visit("learn", lesson="noise")
    assert not {"lesson_file", "lessons_file"} & set(dict(files))
    opened(app, "lessons_box")
    offered = dict(files)
    assert offered["lesson_file"].count("<article") == 1
    assert "Noise and ε" in offered["lesson_file"]
    assert offered["lessons_file"].count("<article") == len(EVERY)


def test_the_styles_of_a_file_and_of_what_moves_in_it_leave_each_other_alone() -> None:
    moving = set(re.findall(r"\.([a-z]+)", module().style))
    assert "chart" in moving
    for name in ("page", "lessons", "live"):
        selectors = re.findall(r"([^{};]+)\{", _style(name))
        last = [part.split()[-1] for selector in selectors for part in selector.split(",") if part.split()]
        bare = {found[1] for one in last if (found := re.match(r"\.([a-z]+)", one))}
        assert not bare & moving, (name, bare & moving)
