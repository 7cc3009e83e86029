"""How smoothly Explore follows a hand: the browser's own frames while a mouse moves a slider, and what each costs the page."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser import hand, screen

_BEGIN = """slider => {
  const desk = slider.closest(".slider").desk, seen = { at: [], work: [], over: false };
  const frame = at => {
    seen.at.push(at);
    seen.work.push(desk.work ?? 0);
    if (!seen.over) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.seenFrames = seen;
}"""
_END = """() => {
  window.seenFrames.over = true;
  const sorted = values => [...values].sort((a, b) => a - b), { at, work } = window.seenFrames;
  const share = (values, part) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))];
  const between = at.slice(1).map((time, i) => time - at[i]);
  return [share(between, 0.5), share(between, 0.95), share(work, 0.5), share(work, 0.95)];
}"""


@dataclass(frozen=True)
class Frames:
    """Milliseconds: between two frames, and of our own work in one; the median, and the one that one in twenty is over."""

    between: float
    long_between: float
    work: float
    long_work: float


def dragged(page: Page, name: str, *, moves: int = 90) -> Frames:
    """Those while a mouse moves a slider to and fro; it is let go of afterwards."""
    (x, y), (low, _), (high, _) = hand.place(page, name), hand.place(page, name, 0.3), hand.place(page, name, 0.9)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(low, y)
    page.wait_for_timeout(100)
    screen.slider(page, name).evaluate(_BEGIN)
    for move in range(moves):
        there = abs((move / moves * 4) % 2 - 1)
        page.mouse.move(high + (low - high) * there, y)
        page.wait_for_timeout(10)  # a move takes some milliseconds itself
    between, long_between, work, long_work = page.evaluate(_END)
    page.mouse.move(x, y)
    page.mouse.up()
    return Frames(between, long_between, work, long_work)
