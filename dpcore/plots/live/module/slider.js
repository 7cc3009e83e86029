// A range input for γ or ε: it moves the desk at once, and tells the server when the hand lets go.

import { element } from "./chart.js";
import { general, nearest } from "./numbers.js";

const AFTER_KEYS = 250; // milliseconds after the last key, for a key that is held repeats
const KEYS = /^(Arrow|Page|Home|End)/;
let sent = 0;

export class Slider {
  constructor(root, desk, tell) {
    Object.assign(this, { desk, tell, keyed: false, timer: 0 });
    this.box = element("div", { class: "slider" });
    this.value = element("span", { class: "value", "aria-hidden": "true" });
    this.input = element("input", { type: "range", min: "0", step: "1" });
    this.box.append(this.value, this.input);
    root.append(this.box);
    this.input.addEventListener("pointerdown", () => this.hold(false));
    this.input.addEventListener("keydown", (event) => KEYS.test(event.key) && this.hold(true));
    this.input.addEventListener("input", () => this.moved());
    this.input.addEventListener("change", () => this.keyed || this.commit());
    for (const over of ["pointerup", "pointercancel", "blur"]) this.input.addEventListener(over, () => this.later(over === "blur" ? 0 : 1));
    this.input.addEventListener("keyup", (event) => KEYS.test(event.key) && this.later(AFTER_KEYS));
    this.away = () => this.commit();
    window.addEventListener("blur", this.away);
  }

  receive({ name, label }) {
    this.name = name;
    this.input.setAttribute("aria-label", label);
  }

  follow({ tables }) {
    const grid = tables[this.name];
    if (this.grid !== grid) {
      this.grid = grid;
      this.input.max = String(grid.length - 1);
    }
    const place = nearest(grid, this.desk[this.name]);
    if (this.place === place && this.input.value === String(place)) return;
    this.place = place;
    this.input.value = String(place);
    const said = general(grid[place]);
    this.input.setAttribute("aria-valuetext", said);
    this.value.textContent = said;
    this.box.style.setProperty("--share", place / (grid.length - 1));
  }

  hold(keyed) {
    this.keyed = keyed;
    clearTimeout(this.timer);
    this.desk.held.add(this.name);
  }

  moved() {
    this.desk.held.add(this.name);
    this.desk.move(this.name, this.grid[Number(this.input.value)]);
  }

  later(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.commit(), milliseconds);
  }

  commit() {
    clearTimeout(this.timer);
    this.keyed = false;
    if (!this.desk.held.delete(this.name)) return;
    const value = this.desk[this.name];
    if (value === this.desk.known[this.name]) return;
    this.desk.known[this.name] = value;
    this.tell("moved", { x: value, rev: this.desk.rev, seq: (sent += 1) });
  }

  end() {
    window.removeEventListener("blur", this.away);
    this.commit();
    this.box.remove();
  }
}
