"""How smoothly Explore follows a hand: the browser's own frames while a mouse moves a slider, and what each costs the page."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page

from tests.browser import hand, screen

_BEGIN = """slider => {
  const desk = slider.closest(".slider, .record").desk, seen = { at: [], work: [], over: false };
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


Place = tuple[float, float]


@dataclass(frozen=True)
class Frames:
    """Milliseconds: between two frames, and of our own work in one; the median, and the one that one in twenty is over."""

    between: float
    long_between: float
    work: float
    long_work: float


def dragged(page: Page, name: str) -> Frames:
    """Those while a mouse moves a slider to and fro; it is let go of afterwards."""
    return moved(page, screen.slider(page, name), *(hand.place(page, name, share) for share in (None, 0.3, 0.9)))


def moved(page: Page, slider: Locator, thumb: Place, low: Place, high: Place, *, moves: int = 90) -> Frames:
    """The same of what has its thumb there, between these places."""
    page.mouse.move(*thumb)
    page.mouse.down()
    page.mouse.move(low[0], thumb[1])
    page.wait_for_timeout(100)
    slider.evaluate(_BEGIN)
    for move in range(moves):
        there = abs((move / moves * 4) % 2 - 1)
        page.mouse.move(high[0] + (low[0] - high[0]) * there, thumb[1])
        page.wait_for_timeout(10)  # a move takes some milliseconds itself
    between, long_between, work, long_work = page.evaluate(_END)
    page.mouse.move(*thumb)
    page.mouse.up()
    return Frames(between, long_between, work, long_work)
