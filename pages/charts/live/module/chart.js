// A chart of one SVG: axes, marks of one path each, a legend, and words for who does not see it. Every text is set as text.

import { scaleOf, ticksOf } from "./axes.js";

const SVG = "http://www.w3.org/2000/svg";
const DASHES = { solid: "", dash: "7 5", dot: "2 3", longdash: "12 5", longdashdot: "10 4 2 4" };
const FROM_X = 72; // pixels between two ticks
const FROM_Y = 30;
const TYPE = 12; // pixels of type, for which distances are stated
const LEFT = 58;
const RIGHT = 12;
const NEAR = 14; // pixels from a point that is told or picked

export function element(name, attributes = {}, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

export function drawn(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// What a picture shows: it is one from when it shows something.
export function shows(picture, text) {
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", text);
}

const PLACED = {
  circle: (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  diamond: (x, y, r) => `M${x} ${y - 1.3 * r}L${x + 1.3 * r} ${y}L${x} ${y + 1.3 * r}L${x - 1.3 * r} ${y}Z`,
  flat: (x, y, r) => `M${x - r} ${y}h${2 * r}`,
  upright: (x, y, r) => `M${x} ${y - r}v${2 * r}`,
};

// One path. `draw(x, y)` gives its d from the scales; `swatch` is what the legend shows of it.
class Mark {
  constructor(chart, { name = "", wide = false, colour, dash = "solid", width = 2, fill = "none", opacity = 1, symbol = "", hollow = false, size = 4 }) {
    Object.assign(this, { chart, symbol, size, made: null, label: name, xs: [], ys: [], tell: null, pick: null });
    const filled = symbol && !hollow && (symbol === "circle" || symbol === "diamond");
    const looks = { stroke: filled ? "none" : colour, fill: filled ? colour : fill, "stroke-width": width, opacity };
    if (DASHES[dash] && !filled) looks["stroke-dasharray"] = DASHES[dash];
    this.path = drawn("path", looks);
    chart.plot.append(this.path);
    if (name) this.entry = chart.entered(this, looks, wide);
  }

  name(text) {
    if (this.entry && text !== this.label) this.entry.lastChild.textContent = this.label = text;
  }

  draw(make) {
    this.made = make;
    this.chart.stale.add(this);
  }

  hide() {
    this.xs = [];
    this.draw(() => "");
  }

  // A line through points, or a symbol at each of them.
  at(xs, ys) {
    this.xs = xs;
    this.ys = ys;
    this.draw(this.symbol ? dotted(this) : (x, y) => lined(xs, ys, x, y));
  }

  // The ground between two lines.
  between(xs, low, high) {
    this.draw((x, y) => {
      const there = lined(xs, high, x, y);
      return there && `${there}L${lined([...xs].reverse(), [...low].reverse(), x, y).slice(1)}Z`;
    });
  }

  // Upright bars around places, from 0.
  bars(places, heights, width, base = 0) {
    this.xs = places;
    this.ys = heights;
    this.draw((x, y) => {
      let d = "";
      for (let i = 0; i < places.length; i++) {
        const from = round(x(places[i] - width / 2));
        d += `M${from} ${round(y(base))}V${round(y(heights[i]))}H${round(x(places[i] + width / 2))}V${round(y(base))}Z`;
      }
      return d;
    });
  }

  // Upright lines from low to high at places, each with a foot and a head.
  whiskers(places, low, high, half = 3) {
    this.draw((x, y) => {
      let d = "";
      for (let i = 0; i < places.length; i++) {
        const [at, from, to] = [round(x(places[i])), round(y(low[i])), round(y(high[i]))];
        d += `M${at - half} ${from}h${2 * half}M${at} ${from}V${to}M${at - half} ${to}h${2 * half}`;
      }
      return d;
    });
  }
}

const round = (pixels) => Math.round(Math.max(-1e5, Math.min(1e5, pixels)) * 10) / 10;

function lined(xs, ys, x, y) {
  let d = "";
  let pen = "M";
  for (let i = 0; i < xs.length; i++) {
    if (Number.isFinite(xs[i]) && Number.isFinite(ys[i])) {
      d += `${pen}${round(x(xs[i]))} ${round(y(ys[i]))}`;
      pen = "L";
    } else pen = "M";
  }
  return d;
}

function dotted({ chart, xs, ys, symbol, size }) {
  return (x, y) => {
    const radius = size * chart.unit;
    let d = "";
    for (let i = 0; i < xs.length; i++) {
      const [at, height] = [x(xs[i]), y(ys[i])];
      if (Number.isFinite(at) && Number.isFinite(height)) d += PLACED[symbol](round(at), round(height), radius);
    }
    return d;
  };
}

export class Chart {
  constructor(root, { x, y, legend = true, room = 0 }) {
    Object.assign(this, { x, y, stale: new Set(), marks: [], width: 0, height: 0, unit: 1, room });
    this.box = element("div", { class: "chart" });
    this.legend = element("div", { class: "legend", "aria-hidden": "true" });
    this.svg = drawn("svg");
    this.behind = drawn("g", { class: "axes" });
    this.id = `plot${Math.random().toString(36).slice(2)}`;
    this.clip = drawn("rect");
    const cut = drawn("clipPath", { id: this.id });
    cut.append(this.clip);
    this.plot = drawn("g", { "clip-path": `url(#${this.id})` });
    this.over = drawn("g");
    this.svg.append(cut, this.behind, this.plot, this.over);
    this.tip = element("div", { class: "tip", hidden: "" });
    if (legend) this.box.append(this.legend);
    this.box.append(this.svg, this.tip);
    root.append(this.box);
    this.svg.addEventListener("pointermove", (event) => this.told(event));
    this.svg.addEventListener("pointerleave", () => this.told(null));
    this.svg.addEventListener("click", (event) => this.picked(event));
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.svg);
  }

  mark(looks) {
    const made = new Mark(this, looks);
    this.marks.push(made);
    return made;
  }

  entered(mark, looks, wide) {
    const entry = element("span", wide ? { class: "wide" } : {});
    const swatch = drawn("svg", { viewBox: "0 0 26 12", width: 26, height: 12 });
    const thick = looks.stroke === "none" || Number(looks["stroke-width"]) === 0;
    const d = mark.symbol ? PLACED[mark.symbol](13, 6, Math.min(mark.size, 4.5)) : thick ? "M1 2H25V10H1Z" : "M1 6H25";
    swatch.append(drawn("path", { ...looks, d }));
    entry.append(swatch, element("span", {}, mark.label));
    this.legend.append(entry);
    return entry;
  }

  // Ranges of the axes from now on.
  view(x, y) {
    const same = (one, other) => one === other || (one && other && one[0] === other[0] && one[1] === other[1]);
    if (same(x, this.x.range) && same(y, this.y.range)) return;
    this.x.range = x;
    this.y.range = y;
    this.anew = true;
  }

  words(text) {
    if (this.said !== text) shows(this.svg, (this.said = text));
  }

  resized() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width === this.width && height === this.height) return;
    Object.assign(this, { width, height, anew: true, unit: parseFloat(getComputedStyle(this.svg).fontSize) / TYPE });
    this.left = LEFT * this.unit;
    try {
      this.paint();
    } catch (error) {
      this.box.dispatchEvent(new CustomEvent("failed", { bubbles: true, detail: error }));
    }
  }

  paint() {
    if (!this.width || !this.height || !this.x.range || !this.y.range) return;
    if (this.anew) {
      this.anew = false;
      const [across, up] = [this.width - this.left - RIGHT, this.height - (44 + this.room) * this.unit];
      this.sx = scaleOf(this.x, across, false);
      this.sy = scaleOf(this.y, up, true);
      this.framed(across, up);
      for (const mark of this.marks) if (mark.made) this.stale.add(mark);
    }
    for (const mark of this.stale) mark.path.setAttribute("d", mark.made(this.sx, this.sy));
    this.stale.clear();
  }

  framed(across, up) {
    const { unit } = this;
    const move = `translate(${this.left} 6)`;
    for (const part of [this.behind, this.plot, this.over]) part.setAttribute("transform", move);
    for (const [key, value] of Object.entries({ x: 0, y: -6, width: across, height: up + 6 })) this.clip.setAttribute(key, value);
    this.behind.replaceChildren();
    const text = (said, attributes) => {
      const made = drawn("text", attributes);
      made.textContent = said;
      this.behind.append(made);
      return made;
    };
    for (const [value, said] of ticksOf(this.x, across, (this.x.apart ?? FROM_X) * unit)) {
      const at = round(this.sx(value));
      if (this.x.upright) text(said, { transform: `translate(${at} ${up + 8}) rotate(-90)`, dy: "0.35em", "text-anchor": "end" });
      else text(said, { x: at, y: up + 16 * unit, "text-anchor": "middle" });
    }
    for (const [value, said] of this.y.quiet ? [] : ticksOf(this.y, up, FROM_Y * unit)) {
      const at = round(this.sy(value));
      this.behind.append(drawn("path", { d: `M0 ${at}H${across}`, class: "grid" }));
      text(said, { x: -7 * unit, y: at + 4 * unit, "text-anchor": "end" });
    }
    text(this.x.title ?? "", { x: across / 2, y: up + 34 * unit, "text-anchor": "middle", class: "title" });
    const upwards = (said, from) => {
      const at = `translate(${from * unit - this.left} ${up / 2}) rotate(-90)`;
      return text(said, { transform: at, "text-anchor": "middle", class: "title" });
    };
    const said = this.y.title ?? "";
    const half = said.indexOf(" ", said.length / 2 - 3);
    const one = upwards(said, 14);
    if (this.up !== up) this.broken = half > 0 && one.getComputedTextLength() > up + 12; // which lays the page out: not in each frame
    if (this.broken) {
      one.remove();
      upwards(said.slice(0, half), 10);
      upwards(said.slice(half + 1), 24);
    }
    this.across = across;
    this.up = up;
  }

  // The mark's point under a pointer: [mark, index].
  under(event) {
    const box = this.svg.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left - this.left, event.clientY - box.top - 6];
    let found = null;
    let least = NEAR;
    for (const mark of this.marks) {
      if (!mark.tell) continue;
      for (let i = 0; i < mark.xs.length; i++) {
        const off = Math.hypot(this.sx(mark.xs[i]) - px, this.sy(mark.ys[i]) - py);
        if (off < least) [found, least] = [[mark, i], off];
      }
    }
    return found;
  }

  told(event) {
    const found = event && this.sx && this.under(event);
    this.tip.hidden = !found;
    this.svg.style.cursor = found && found[0].pick ? "pointer" : "";
    if (!found) return;
    const [mark, i] = found;
    this.tip.textContent = mark.tell(i);
    const left = this.left + this.sx(mark.xs[i]);
    this.tip.style.left = `${Math.min(Math.max(left, 70), this.width - 70)}px`;
    this.tip.style.top = `${this.svg.offsetTop + this.sy(mark.ys[i])}px`;
  }

  picked(event) {
    const found = this.sx && this.under(event);
    if (found && found[0].pick) found[0].pick(found[1]);
  }

  end() {
    this.watch.disconnect();
    this.box.remove();
  }
}
