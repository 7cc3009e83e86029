"""Where a hand lets go of γ or ε a few parts of Explore are drawn anew: all else is as it would be if the page were."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from pages.old.shared.live import explore, redraw
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.old.state import live_sliders
from tests.pages.visit import confidential, go, link, opened, pick, press, scenario, settled, sound

FOLLOWING = (("loan_defaults", "Histogram"), ("two_classes", "PriestleyChao"), ("scientists", "LetterCounts"), ("players", "Sum"))
OTHERS = (("two_classes", "Ridge"), ("players", "KnownShare"))


@dataclass
class Sent:
    """What a page was sent when it was last drawn, and what it keeps for the next time that a hand lets go."""

    messages: list[ForwardMsg] = field(default_factory=list)
    page: Any = None

    @property
    def whole(self) -> bool:
        """Whether it will be drawn as a whole then."""
        return self.page is None or self.page.whole

    def beside_the_parts(self) -> list[str]:
        """What stood if it is not."""
        deltas = [one for one in self.messages if one.HasField("delta")]
        assert self.page is None or any(one.delta.fragment_id for one in deltas), "there are no parts"
        return [f"{list(one.metadata.delta_path)} {one.delta}" for one in deltas if not one.delta.fragment_id]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """As to a browser whose module draws."""
    kept, parse, begin, drawn = Sent(), local_script_runner.parse_tree_from_messages, redraw.begin, redraw._drawn

    def parsed(messages: list[ForwardMsg]) -> Any:
        kept.messages = list(messages)
        return parse(messages)

    def begun() -> None:
        kept.page = None
        begin()

    def parts(page: Any, *given: Any) -> None:
        drawn(page, *given)
        kept.page = page

    monkeypatch.setattr(live_sliders, "offered", lambda: not live_sliders.plain())
    monkeypatch.setattr(local_script_runner, "parse_tree_from_messages", parsed)
    monkeypatch.setattr(redraw, "begin", begun)
    monkeypatch.setattr(redraw, "_drawn", parts)
    return kept


def _at(app: AppTest, sent: Sent, gamma: float, epsilon: float) -> tuple[bool, list[str]]:
    """Where a hand let go there."""
    if live_sliders._KEY in app.session_state:
        app.session_state[live_sliders._KEY] = replace(app.session_state[live_sliders._KEY], gamma=gamma, epsilon=epsilon)
    app.session_state["scenario"] = scenario(app).with_(gamma=gamma, epsilon=epsilon)
    settled(sound(app.run()))
    return sent.whole, sent.beside_the_parts()


def _two_places(app: AppTest, sent: Sent) -> tuple[bool, bool]:
    """Whether the page says that it is drawn as a whole, and whether what stands beside its parts is the same at both."""
    _at(app, sent, 0.05, 1.0)
    (whole, here), (_, there) = _at(app, sent, 0.05, 1.0), _at(app, sent, 0.3, 0.25)
    return whole, here == there


def _asked(table: str, kind: str) -> AppTest:
    return settled(pick(pick(link(), "table", table), "target", kind))


@pytest.mark.slow
@pytest.mark.parametrize(("table", "kind"), FOLLOWING)
def test_no_more_is_drawn_anew_than_hangs_on_gamma_and_epsilon(sent: Sent, table: str, kind: str) -> None:
    assert _two_places(_asked(table, kind), sent) == (False, True)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "kind"), OTHERS)
def test_a_page_with_more_that_hangs_on_them_is_drawn_as_a_whole(sent: Sent, table: str, kind: str) -> None:
    assert _two_places(_asked(table, kind), sent)[0]


@pytest.mark.slow
@pytest.mark.parametrize("box", ["options", "numbers", "wrong_oracle"])
def test_so_is_one_with_something_open(sent: Sent, box: str) -> None:
    assert _two_places(opened(settled(link()), box), sent)[0]  # and not with nothing open, as above


def test_so_is_one_with_something_pinned(sent: Sent) -> None:
    assert _two_places(press(settled(link()), "pin"), sent)[0]


def test_so_is_one_with_a_list_for_its_buttons_take_what_is_shown(sent: Sent) -> None:
    app = go(press(link("release", table="diabetes", columns=["bmi"]), "list_begin"), "")
    assert _two_places(settled(app), sent)[0]


@pytest.mark.parametrize("part", ["counts", "draws"])
def test_so_is_one_with_a_chart_that_the_browser_does_not_draw(sent: Sent, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, part, lambda *_: False)
    assert _two_places(settled(link()), sent) == (True, False)


@pytest.mark.slow
def test_of_a_confidential_table_too(sent: Sent) -> None:
    rows = "".join(f"{value}\n" for value in range(20, 80))
    app = settled(pick(confidential(f"income\n{rows}".encode(), 0, 100), "target", "Sum"))
    assert _two_places(app, sent) == (False, True)


@pytest.mark.parametrize("panel", ["", "sensitivity", "odds"])
def test_on_a_wall_too(sent: Sent, panel: str) -> None:
    whole, same = _two_places(settled(link(present="1", panel=panel)), sent)
    assert whole or same


def test_another_kind_of_view_is_drawn_as_a_whole(sent: Sent) -> None:
    """Under the larger γ there is no answer any more."""
    app = _asked("players", "Count")
    asked: Any = scenario(app).target
    app.session_state["scenario"] = scenario(app).with_(target=replace(asked, rows=1))
    _at(app, sent, 0.05, 1.0)
    followed = sent.page.stands
    _at(app, sent, 0.3, 0.25)
    assert followed is not None
    assert sent.whole
