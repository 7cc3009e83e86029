// A range input for γ or ε: it moves the desk at once, and tells the server when the hand lets go.

import { element } from "./nodes.js";
import { general, nearest } from "../../drawing/numbers.js";

const AFTER_KEYS = 250; // milliseconds after the last key, for a key that is held repeats
const KEYS = /^(Arrow|Page|Home|End)/;
const OVER = ["pointerup", "pointercancel", "pointermove"]; // anywhere: a hand may let go off the slider, or off the window

export class Slider {
  constructor(root, desk, tell) {
    Object.assign(this, { desk, tell, pointers: new Set(), keyed: false, timer: 0 });
    this.box = element("div", { class: "slider" });
    this.box.desk = desk;
    this.value = element("span", { class: "value", "aria-hidden": "true" });
    this.input = element("input", { type: "range", min: "0", step: "1" });
    this.box.append(this.value, this.input);
    root.append(this.box);
    const on = (type, act) => this.input.addEventListener(type, act);
    on("pointerdown", ({ button, pointerId }) => button || this.hold(this.pointers.add(pointerId)));
    on("keydown", ({ key }) => KEYS.test(key) && this.hold((this.keyed = true)));
    on("keyup", ({ key }) => KEYS.test(key) && this.later(AFTER_KEYS));
    on("input", () => this.moved());
    on("change", () => this.keyed || this.later(0)); // also what a screen reader sets
    on("blur", () => this.later(0));
    this.over = ({ type, buttons, pointerId }) => (type === OVER[2] && buttons) || (this.pointers.delete(pointerId) && this.later(1));
    this.away = () => this.later(0);
    for (const type of OVER) window.addEventListener(type, this.over, true);
    window.addEventListener("blur", this.away);
  }

  receive({ name, label }) {
    this.name = name;
    this.input.setAttribute("aria-label", label);
  }

  follow({ tables }) {
    if (this.desk.lost.delete(this.name)) this.tell("moved", this.desk.letGo(this.name));
    const grid = tables[this.name];
    if (this.grid !== grid) {
      this.grid = grid;
      this.said = null;
      this.input.max = String(grid.length - 1);
    }
    const place = nearest(grid, this.desk[this.name]);
    const said = general(grid[place]);
    if (this.said === said && this.input.value === String(place)) return;
    this.said = said;
    this.input.value = String(place);
    this.input.setAttribute("aria-valuetext", said);
    this.value.textContent = said;
    this.box.style.setProperty("--share", place / (grid.length - 1));
  }

  hold() {
    clearTimeout(this.timer);
    this.desk.held.add(this.name);
  }

  moved() {
    if (!this.grid) return;
    this.desk.held.add(this.name);
    this.desk.move(this.name, this.grid[Number(this.input.value)]);
  }

  // Once no pointer is down.
  later(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.pointers.size || this.commit(), milliseconds);
  }

  commit() {
    const { desk, name } = this;
    clearTimeout(this.timer);
    this.keyed = false;
    if (desk.held.delete(name) && desk[name] !== desk.known[name]) this.tell("moved", desk.letGo(name));
  }

  end() {
    for (const type of OVER) window.removeEventListener(type, this.over, true);
    window.removeEventListener("blur", this.away);
    this.commit();
    this.box.remove();
  }
}
