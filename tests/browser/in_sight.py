"""What a person sees of a page: its words, its sentences and its controls, shadow roots and the texts of charts among them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

from playwright.sync_api import Page

# Every text that is drawn, in its block (a paragraph, a line of a list, a label, a text of a chart), and whether it is apart.
# A figure on an axis is no word. A name of an icon is none either: its letters are drawn as a sign.
_READ = r"""apart => {
  const main = document.querySelector("[data-testid=stMain]");
  const above = node => node.parentElement ?? (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const way = node => node && node !== main ? [node, ...way(above(node))] : [];
  const apartFrom = elements => elements.some(one => [...one.classList ?? []].some(name => name.startsWith(`st-key-${apart}`)));
  const icon = elements => getComputedStyle(elements[0]).fontFamily.includes("Material Symbols");
  const inside = (box, other) => Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1
    && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1;
  const drawn = (box, elements) => box.width > 1 && box.height > 1
    && elements[0].checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
    && elements.every(one => {
      const looks = getComputedStyle(one);
      if (looks.clipPath.startsWith("inset(50")) return false;
      return (looks.overflowX === "visible" && looks.overflowY === "visible") || one instanceof SVGElement
        || inside(box, one.getBoundingClientRect());
    });
  const blockOf = elements => elements.find(one => one instanceof SVGElement
    ? one.tagName === "text" : !getComputedStyle(one).display.startsWith("inline")) ?? elements.at(-1);
  const blocks = new Map();
  const controls = new Set();
  const look = node => {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
      const range = document.createRange(), elements = way(node.parentElement);
      range.selectNodeContents(node);
      const said = node.data.trim().replace("−", "-");
      const figure = elements[0] instanceof SVGElement && /^[-\d.,]+ ?[%kMGµm]?$/.test(said);
      if (!figure && elements.length && !icon(elements) && drawn(range.getBoundingClientRect(), elements)) {
        const block = blockOf(elements), before = blocks.get(block) ?? { said: "", apart: apartFrom(elements) };
        blocks.set(block, { ...before, said: before.said + node.data });
      }
    } else if (node.nodeType === Node.TEXT_NODE) {
      const block = blockOf(way(node.parentElement));
      if (blocks.has(block)) blocks.get(block).said += " ";
    } else if (node.nodeType === Node.ELEMENT_NODE && !["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"].includes(node.tagName)) {
      if (node.matches("button, a[href], input, select, textarea, summary, [role=slider]")) {
        const whole = node.matches("input[type=radio], input[type=checkbox]") ? node.closest("label") : node;
        if (drawn((whole ?? node).getBoundingClientRect(), way(whole ?? node))) controls.add(node);
      }
      if (node.matches("input[role=combobox]") && node.value && drawn(node.getBoundingClientRect(), way(node))) {
        blocks.set(node, { said: node.value, apart: false });
      }
      for (const one of [...node.shadowRoot?.childNodes ?? [], ...node.childNodes]) look(one);
    }
  };
  look(main);
  return { blocks: [...blocks.values()], controls: controls.size };
}"""
# The size of each text that is drawn, with how it begins: those of charts and icons apart
_SIZES = r"""() => {
  const found = {};
  const look = node => {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) {
      const element = node.parentElement, looks = getComputedStyle(element), range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!shown || box.width < 2 || box.height < 2) return;
      if (looks.fontFamily.includes("Material Symbols") || looks.clipPath.startsWith("inset(50")) return;
      found[parseFloat(looks.fontSize).toFixed(1)] ??= node.data.trim().slice(0, 30);
    } else if (node.nodeType === Node.ELEMENT_NODE && !["SCRIPT", "STYLE", "svg"].includes(node.tagName)) {
      for (const one of [...node.shadowRoot?.childNodes ?? [], ...node.childNodes]) look(one);
    }
  };
  look(document.querySelector("[data-testid=stMain]"));
  return found;
}"""
_END = re.compile(r"(?<=[.?!:])\s+(?=[^\W\d_a-z]|\d)")
_LETTER = re.compile(r"[^\W\d_]")


@final
@dataclass(frozen=True)
class InSight:
    """``blocks``: the texts; ``limits``: those that limit a guarantee, which no budget counts; ``controls``: how many."""

    blocks: tuple[str, ...]
    limits: tuple[str, ...]
    controls: int

    @property
    def words(self) -> int:
        """How many words there are without those that limit a guarantee: whatever has a letter."""
        return sum(map(words_of, self.blocks))

    @property
    def sentences(self) -> list[str]:
        """All of them, those that limit a guarantee too."""
        return [one for block in (*self.blocks, *self.limits) for one in _END.split(block)]


def words_of(said: str) -> int:
    """How many parts between blanks have a letter."""
    return sum(_LETTER.search(part) is not None for part in said.split())


def read(page: Page, apart: str = "limits") -> InSight:
    """What is in sight on the whole page, below the window's edge too; ``apart``: how the key of a container begins whose
    sentences limit a guarantee."""
    found = page.evaluate(_READ, apart)
    of = [(" ".join(block["said"].split()), block["apart"]) for block in found["blocks"]]
    return InSight(
        tuple(said for said, is_apart in of if not is_apart), tuple(said for said, is_apart in of if is_apart), found["controls"]
    )


def sizes(page: Page) -> dict[str, str]:
    """The sizes of type, in pixels, each with the beginning of a text that has it."""
    return dict(page.evaluate(_SIZES))
