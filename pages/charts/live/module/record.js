// One record that a hand drags along its column: the places that the server tried, and what hangs on the one where it is.

import { nearest } from "../../drawing/numbers.js";
import { workedOut } from "../../drawing/moves.js";
import { Figure } from "./figure.js";
import { element } from "./nodes.js";
import { Odds } from "./odds.js";

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
const THUMB = 1.9; // heights of the strip's type, as style.js has it

export class Record {
  constructor(root, desk) {
    this.desk = desk;
    this.box = element("div", { class: "record" });
    this.box.desk = desk;
    const [strip, place, words] = [element("div", { class: "strip" }), element("div", { class: "place" }), element("div")];
    this.input = element("input", { type: "range", step: "any" });
    strip.append(place, this.input);
    this.box.append(strip, words);
    root.append(this.box);
    this.strip = strip;
    this.figure = new Figure(place, desk);
    this.words = new Odds(words);
    this.input.addEventListener("input", () => this.move(nearest(this.data.places, Number(this.input.value))));
    this.input.addEventListener("keydown", (event) => this.keyed(event));
    this.watch = new ResizeObserver(() => desk.stir());
    this.watch.observe(strip);
  }

  // The place of a record stays where other trials or a new oracle came; of another column it begins anew.
  receive({ figure, words, ...data }) {
    const same = this.data?.label === data.label;
    this.at = same ? nearest(data.places, this.data.places[this.at]) : data.home;
    Object.assign(this, { data, laid: null });
    this.figure.receive(figure);
    this.words.receive(words);
    const { label, places } = data;
    for (const [name, value] of Object.entries({ "aria-label": label, min: places[0], max: places.at(-1) })) this.input.setAttribute(name, value);
  }

  keyed(event) {
    if (!(event.key in STEPS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.move(Math.min(Math.max(this.at + STEPS[event.key], 0), this.data.places.length - 1));
  }

  move(at) {
    this.at = at;
    this.desk.stir();
  }

  follow(look) {
    const { data, at } = this;
    const here = { ...look, ...data.told, place: data.texts[at], apart: data.distances[at], home: at === data.home, said: data.said };
    this.figure.follow(look);
    this.words.follow(here);
    this.lay();
    const [verdict, value] = [workedOut(data.verdict, here), String(data.places[at])];
    if (this.input.value !== value) this.input.value = value;
    this.input.setAttribute("aria-valuetext", verdict ? `${here.place}: ${verdict}` : here.place);
    this.box.dataset.verdict = verdict;
    this.box.style.setProperty("--out", data.out[Number(Boolean(this.figure.dark))]);
  }

  // Over the figure's track, from its first place to its last.
  lay() {
    const { picture, width } = this.figure;
    if (!picture || picture === this.laid) return;
    this.laid = picture;
    const [{ x, y }] = picture.plots;
    const scale = width / picture.margins.wide;
    const [left, right] = x.place([this.data.places[0], this.data.places.at(-1)]).map((at) => at * scale);
    const thumb = THUMB * parseFloat(getComputedStyle(this.strip).fontSize);
    const box = { left: left - thumb / 2, top: y.place([this.data.track])[0] * scale - thumb / 2, width: right - left + thumb };
    for (const [name, pixels] of Object.entries(box)) this.input.style[name] = `${pixels}px`;
  }

  appear() {
    this.figure.appear();
    this.words.appear();
  }

  end() {
    this.watch.disconnect();
    this.figure.end();
    this.words.end();
    this.box.remove();
  }
}
