// A guess on a figure: a line across it that a hand or keys move. The server is told where it stands once the hand lets go.

import { workedOut } from "../../drawing/moves.js";
import { clip } from "../../drawing/values.js";
import { Figure } from "./figure.js";
import { element } from "./nodes.js";

const GRIP = 44; // pixels around the line that a finger finds
const AFTER_KEYS = 250; // milliseconds after the last key, for a key that is held repeats
const MIDDLE = 0.5;
const EXACT = 12; // digits

export class Guess {
  constructor(root, desk, tell) {
    Object.assign(this, { tell, timer: 0, held: null });
    this.chart = new Figure(root, desk, tell);
    this.chart.painted = () => this.stand();
    this.grip = element("div", { class: "grip" });
    this.input = element("input", { type: "range", min: "0", step: "1" });
    this.knob = element("span", { class: "knob", "aria-hidden": "true" });
    this.chart.box.append(this.grip, this.input, this.knob);
    const on = (type, act) => this.chart.box.addEventListener(type, act);
    on("pointerdown", (event) => this.hold(event));
    on("pointermove", (event) => this.held?.id === event.pointerId && this.follows(event));
    for (const type of ["pointerup", "pointercancel"]) on(type, (event) => this.held?.id === event.pointerId && this.letGo());
    on("click", (event) => this.tapped(event));
    this.input.addEventListener("input", () => this.move(this.at(Number(this.input.value))));
    this.input.addEventListener("change", () => this.later(AFTER_KEYS));
    this.input.addEventListener("blur", () => this.commit());
  }

  // What was guessed before is told once: a hand that moved since knows better.
  receive({ chart, ...data }) {
    Object.assign(this, { data, value: this.value ?? data.value, told: this.told ?? data.value });
    this.steps = Math.round((data.most - data.least) / data.by);
    this.input.max = String(this.steps);
    this.input.setAttribute("aria-label", data.label);
    this.chart.receive(chart);
    this.show();
  }

  follow() {} // of γ and ε nothing

  appear() {
    this.chart.appear();
    this.show();
  }

  at(step) {
    return Number((this.data.least + clip(step, 0, this.steps) * this.data.by).toPrecision(EXACT));
  }

  move(value) {
    this.value = value;
    this.show();
  }

  show() {
    const { data, value } = this;
    const said = workedOut(data.said, { value });
    this.input.value = String(Math.round((value - data.least) / data.by));
    this.input.setAttribute("aria-valuetext", said);
    this.knob.textContent = said;
    this.chart.follow({ value });
  }

  // The axis that is guessed on, and the other one of its plot.
  axes() {
    const { axes, plots } = this.chart.picture;
    const along = axes[this.data.axis];
    const { x, y } = plots.find((plot) => plot.x === along || plot.y === along);
    return [along, x === along ? y : x];
  }

  scale() {
    return this.chart.width / this.chart.picture.margins.wide;
  }

  // Grip and knob stand where the line does.
  stand() {
    const { data, value, grip, knob } = this;
    const [along, other] = this.axes();
    const scale = this.scale();
    const line = along.place([value * data.per])[0] * scale;
    const ends = other.ends(other.pixels).map((end) => end * scale);
    const hold = data.at === null ? ends[0] + MIDDLE * (ends[1] - ends[0]) : other.place([data.at])[0] * scale;
    const thick = Math.max(GRIP, ends[1] - ends[0]);
    const upright = along.letter === "x";
    const put = (node, left, top) => Object.assign(node.style, { left: `${left}px`, top: `${top}px` });
    knob.classList.toggle("up", !upright);
    const half = knob.offsetWidth / 2;
    const inside = (left) => clip(left, half, Math.max(half, this.chart.width - half));
    for (const node of [knob, this.input]) put(node, ...(upright ? [inside(line), hold] : [inside(hold), line]));
    put(grip, ...(upright ? [line - GRIP / 2, (ends[0] + ends[1] - thick) / 2] : [ends[0], line - GRIP / 2]));
    Object.assign(grip.style, { width: `${upright ? GRIP : thick}px`, height: `${upright ? thick : GRIP}px`, cursor: upright ? "ew-resize" : "ns-resize" });
  }

  // The guess under a pointer, as far off as the hand took the line.
  under(event, off = 0) {
    const box = this.chart.svg.getBoundingClientRect();
    const [along] = this.axes();
    const pixel = (along.letter === "x" ? event.clientX - box.left : event.clientY - box.top) / this.scale() - off;
    const value = (along.shown[0] + (pixel - along.pixels[0]) / along.slope) / this.data.per;
    return [this.at(Math.round((value - this.data.least) / this.data.by)), pixel - along.place([this.value * this.data.per])[0]];
  }

  // A mouse takes the line from anywhere; a finger from its grip, for elsewhere it scrolls the page.
  hold(event) {
    const gripped = event.target === this.grip;
    if (event.button || this.held || !this.chart.picture || !(gripped || event.pointerType === "mouse")) return;
    event.preventDefault();
    this.input.focus({ preventScroll: true });
    this.held = { id: event.pointerId, off: gripped ? this.under(event)[1] : 0 };
    this.grip.setPointerCapture(event.pointerId);
    if (!gripped) this.follows(event);
  }

  follows(event) {
    this.move(this.under(event, this.held.off)[0]);
  }

  letGo() {
    this.held = null;
    this.later(0);
  }

  tapped(event) {
    if (event.pointerType !== "touch" || event.target === this.grip || !this.chart.picture) return;
    this.move(this.under(event)[0]);
    this.commit();
  }

  later(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.held || this.commit(), milliseconds);
  }

  commit() {
    clearTimeout(this.timer);
    if (this.value === this.told) return;
    this.told = this.value;
    this.tell("guessed", this.value);
  }

  end() {
    this.commit();
    this.chart.end();
  }
}
