"""A desk keeps what a hand let go of, whatever order the parts of a page bring what the server said in."""

from __future__ import annotations

from typing import Any

from tests.pages.charts.live.node import Node

_DESK = """
  globalThis.requestAnimationFrame = () => 1;
  const desk = live.deskOf(name);
  const told = (key, value) => { desk.move(key, value); return desk.letGo(key).seq; };
"""


def _at(session: str, rev: int, gamma: float, heard: int = 0) -> dict[str, Any]:
    return {"session": session, "rev": rev, "gamma": gamma, "epsilon": 1.0, "heard": {"gamma": heard}}


def test_an_older_message_moves_nothing(node: Node) -> None:
    """Of this session, or of the one on a server that is gone: a part that is mounted again brings what it was sent once."""
    gone, anew, heard, later = _at("a", 9, 0.05), _at("b", 3, 0.05), _at("b", 3, 0.02, 2), _at("b", 4, 0.02, 2)
    body = """
      const seen = [];
      const shown = (next) => { desk.adopt(next); seen.push([desk.gamma, desk.rev, desk.unheard("gamma")]); };
      shown(gone);
      told("gamma", 0.02);
      shown(anew);
      for (const name of desk.lost) told(name, desk[name]);
      desk.lost.clear();
      for (const next of [heard, gone, later, anew]) shown(next);
      return seen;
    """
    seen = node.run(_DESK + body, name="older", gone=gone, anew=anew, heard=heard, later=later)
    assert seen == [[0.05, 9, False], [0.02, 3, False], *[[0.02, 3, False]] * 2, *[[0.02, 4, False]] * 2]


def test_what_the_server_moves_is_shown(node: Node) -> None:
    at = [_at("a", 9, 0.05), _at("a", 9, 0.02, 1), _at("a", 10, 0.3, 1), _at("b", 2, 0.4)]
    body = """
      desk.adopt(at[0]);
      told("gamma", 0.02);
      return at.map((next) => { desk.adopt(next); return desk.gamma; });
    """
    assert node.run(_DESK + body, name="moved", at=at) == [0.02, 0.02, 0.3, 0.4]
