// A figure on the page: its description drawn as large as its place, and followed under the hand.

import { moved, workedOut } from "../../drawing/moves.js";
import { layers, pictureOf } from "../../drawing/picture.js";
import { linked } from "../../drawing/numbers.js";
import { tipOf } from "../../drawing/tips.js";
import { drawWith } from "../../drawing/values.js";
import { drawn, element, patch, shows } from "./nodes.js";

const TYPE = 12; // pixels of type, for which a figure is described
const LEAST = 325; // pixels of a figure's width: on less it is drawn smaller
const NEAR = 14; // pixels from a point that is told or picked
const DARK = 128; // how bright a ground is, of 255, below which texts on it are light

// By the page's own ground.
function isDark(root) {
  const found = /(\d+),\s*(\d+),\s*(\d+)/.exec(getComputedStyle(root).getPropertyValue("color"));
  return Boolean(found) && (299 * found[1] + 587 * found[2] + 114 * found[3]) / 1000 > DARK;
}

export class Figure {
  constructor(root, desk, tell) {
    Object.assign(this, { root, tell, width: 0, height: 0, unit: 1, times: 0, unsure: true });
    this.box = element("div", { class: "chart" });
    this.svg = drawn("svg");
    this.tip = element("div", { class: "tip", hidden: "" });
    this.nothing = element("p", { class: "nothing", hidden: "" }, "No private answer at this choice.");
    this.box.append(this.svg, this.tip);
    root.append(this.box, this.nothing);
    this.svg.addEventListener("pointermove", (event) => this.told(event));
    this.svg.addEventListener("pointerleave", () => this.told(null));
    this.svg.addEventListener("click", (event) => this.picked(event));
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.svg);
  }

  receive({ parts, ...data }) {
    parts.forEach((part) => linked(part, parts));
    Object.assign(this, { data: linked(data, parts), stale: true });
  }

  // Where there is no answer, no chart of one is seen or read out: `there` is the rule of that.
  follow(look) {
    const { data } = this;
    const there = workedOut(data.there, look);
    this.nothing.hidden = there;
    this.root.classList.toggle("unanswered", !there);
    if (!there) return;
    if (moved(data.figure, data.moves, look)) this.stale = true;
    const said = workedOut(data.alt, look);
    if (this.said !== said) shows(this.svg, (this.said = said));
    this.paint();
  }

  resized() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width === this.width && height === this.height) return;
    Object.assign(this, { width, height, stale: true, unit: Math.min(parseFloat(getComputedStyle(this.svg).fontSize) / TYPE, width / LEAST) });
    try {
      this.paint();
    } catch (error) {
      this.box.dispatchEvent(new CustomEvent("failed", { bubbles: true, detail: error }));
    }
  }

  // The page is shown, or in another theme: asked for then, and not in each frame, for the browser works out all styles for it.
  appear() {
    this.unsure = true;
  }

  paint() {
    if (!this.width || !this.height || !this.data || !this.said) return;
    if (this.unsure) {
      const dark = isDark(this.root);
      Object.assign(this, { dark, unsure: false, stale: this.stale || dark !== this.dark });
    }
    if (!this.stale) return;
    this.stale = false;
    drawWith(this.dark ? this.data.inks : null, this.unit);
    this.picture = pictureOf(this.data.figure, this.width / this.unit, this.height / this.unit);
    patch(this.svg, layers(this.picture, { grid: "var(--faint)", ground: "var(--st-background-color, Canvas)" }));
  }

  // The point under a pointer: its trace, its place in that, and where it is in the picture; null without one that is near.
  under(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = box.width / this.picture.margins.wide;
    let [found, least] = [null, NEAR];
    for (const { x, y, traces } of this.picture.plots) {
      for (const trace of traces.filter(({ hoverinfo, hovertemplate }) => hoverinfo !== "skip" && hovertemplate)) {
        const ys = y.place(trace.y);
        x.place(trace.x).forEach((across, i) => {
          const [left, top] = [across * scale, ys[i] * scale];
          const off = Math.hypot(box.left + left - event.clientX, box.top + top - event.clientY);
          if (off < least) [found, least] = [{ trace, i, left, top, picks: this.data.picks && trace.meta === "pick" }, off];
        });
      }
    }
    return found;
  }

  told(event) {
    const found = event && this.picture && this.under(event);
    this.tip.hidden = !found;
    this.svg.style.cursor = found?.picks ? "pointer" : "";
    if (!found) return;
    this.tip.textContent = tipOf(found.trace, found.i);
    this.tip.style.left = `${Math.min(Math.max(found.left, 70), this.width - 70)}px`;
    this.tip.style.top = `${this.svg.offsetTop + found.top}px`;
  }

  // The same again would be no change.
  picked(event) {
    const found = this.picture && this.under(event);
    if (!found?.picks) return;
    const { name, x, y } = found.trace;
    this.tell("picked", { name, gamma: x[found.i], m: y[found.i], times: (this.times += 1) });
  }

  end() {
    this.watch.disconnect();
    this.box.remove();
    this.nothing.remove();
  }
}
