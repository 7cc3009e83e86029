"""γ and ε as a hand moves them: what the browser says is taken once, and what the server changes goes back to it."""

from __future__ import annotations

from typing import Any

import pytest
from pages.old.shared.live.mounts import pieces, slot

from pages import state
from pages.old.shared.escape import escaped
from pages.old.state import address, live_sliders


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A session without Streamlit."""
    held: dict[str, Any] = {}
    for module in (live_sliders, state):
        monkeypatch.setattr(module.st, "session_state", held)
    return held


def _let_go(tab: dict[str, Any], name: str, value: Any, **of_it: Any) -> None:
    tab["mount"] = {"moved": {"x": value, "rev": live_sliders.at()["rev"], "seq": 1} | of_it}
    live_sliders.let_go(name, "mount")


def _values(at: dict[str, Any]) -> tuple[float, float]:
    return at["gamma"], at["epsilon"]


def test_what_the_browser_said_is_not_sent_back(tab: dict[str, Any]) -> None:
    before = live_sliders.at()
    _let_go(tab, "gamma", 0.2)
    assert state.scenario().gamma == 0.2
    assert live_sliders.at() == before | {"gamma": 0.2, "heard": {"gamma": 1}}
    _let_go(tab, "epsilon", 3.0)
    assert (state.scenario().epsilon, live_sliders.at()["rev"]) == (3.0, before["rev"])


def test_what_the_server_changes_goes_to_the_browser(tab: dict[str, Any]) -> None:
    before = live_sliders.at()
    state.change(gamma=0.3)
    after = live_sliders.at()
    assert (after["rev"], after["gamma"]) == (before["rev"] + 1, 0.3)
    assert live_sliders.at() == after


def test_a_gamma_out_of_reach_raises_m_and_stays_where_the_hand_left_it(tab: dict[str, Any]) -> None:
    before = live_sliders.at()
    _let_go(tab, "gamma", 0.001)
    assert (state.scenario().gamma, state.scenario().m) == (0.001, 999)
    assert live_sliders.at()["rev"] == before["rev"]
    state.undo()
    assert (live_sliders.at()["rev"], _values(live_sliders.at())) == (before["rev"] + 1, _values(before))


def test_a_gamma_that_no_m_of_the_page_reaches_goes_back(tab: dict[str, Any]) -> None:
    from dpcore import Bound

    state.change(bound=Bound.DKW, gamma=0.2, m=5_000)
    before = live_sliders.at()
    _let_go(tab, "gamma", 0.001)
    assert state.scenario().gamma == 0.2
    assert "100,000" in " ".join(state.notices())
    assert (live_sliders.at()["rev"], _values(live_sliders.at())) == (before["rev"] + 1, (0.2, before["epsilon"]))


def test_a_browser_that_had_not_seen_what_the_server_moved_is_sent_what_it_let_go_of(tab: dict[str, Any]) -> None:
    before = live_sliders.at()
    state.change(gamma=0.3)
    moved = live_sliders.at()
    _let_go(tab, "gamma", 0.1, rev=before["rev"], seq=7)
    after = live_sliders.at()
    assert (after["rev"], after["gamma"], after["heard"]) == (moved["rev"] + 1, 0.1, {"gamma": 7})
    assert state.scenario().gamma == 0.1


def test_what_is_said_again_under_another_number_changes_nothing_and_is_no_way_back(
    tab: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that was started anew hears of the same hand twice, the second time with the address of before the first."""
    again: list[int] = []
    monkeypatch.setattr(address, "say_again", lambda: again.append(1))
    _let_go(tab, "gamma", 0.001)
    said = state.notices()
    assert len(said) == 1
    _let_go(tab, "gamma", 0.001, seq=2)
    assert (again, state.notices(), live_sliders.at()["heard"]) == ([1], said, {"gamma": 2})


@pytest.mark.parametrize("value", [None, "0.1", True, float("nan"), float("inf"), -1.0, 0.0, 0.7, [0.1], {"x": 1}])
def test_what_is_no_gamma_changes_nothing(tab: dict[str, Any], value: Any) -> None:
    before, shown = state.scenario(), live_sliders.at()
    _let_go(tab, "gamma", value)
    assert state.scenario() == before
    assert live_sliders.at() == shown | {"rev": shown["rev"] + 1, "heard": {"gamma": 1}}, "the thumb stays where no scenario is"


@pytest.mark.parametrize("said", [None, 3, "moved", [], {"x": 0.1}, {"x": 0.1, "rev": 1, "seq": "2"}])
def test_a_message_of_another_form_changes_nothing(tab: dict[str, Any], said: Any) -> None:
    before, tab["mount"] = state.scenario(), {"moved": said}
    live_sliders.let_go("gamma", "mount")
    assert state.scenario() == before


def test_a_sentence_falls_into_pieces_and_what_is_from_outside_is_text() -> None:
    name = "a**b** <img src=x> \\* :smile: [x](y) \ue000gamma\ue001"
    said = f"**Protected**: of {escaped(name)} by {slot('gamma')} (:material/lock: **do not *publish***)."
    made = pieces(said)
    assert "".join(piece.get("text", "…") for piece in made) == f"Protected: of {name} by … (do not *publish*)."
    assert [piece["slot"] for piece in made if "slot" in piece] == ["gamma"]
    assert made[0] == {"text": "Protected", "bold": True}
