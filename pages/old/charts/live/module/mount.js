// Where the module is put: as a part of a page of the app, or of a file that was opened from a disk.

import { deskOf } from "./desk.js";
import { Figure } from "./figure.js";
import { read } from "../../drawing/numbers.js";
import { Odds } from "./odds.js";
import { Slider } from "./slider.js";
import { style } from "./style.js";
import { Words } from "./words.js";

const UNSEEN = class { // what has no picture of its own
  receive() {}

  follow() {}

  end() {}
};
const FIGURES = { sensitivity: Figure, trials: Figure, answers: Figure };
const PARTS = { tables: UNSEEN, hand: UNSEEN, slider: Slider, ...FIGURES, words: Words, odds: Odds };
const mounted = new WeakMap();

// A part for the first time in an element.
function begin(element, part, on) {
  const nodes = [document.createElement("style"), document.createElement("div")];
  const there = { part, on, nodes };
  nodes[0].textContent = style;
  nodes[1].className = `live ${part}`;
  element.append(...nodes);
  there.made = new PARTS[part](nodes[1], on, (name, value) => there.tell(name, value));
  there.made.failed = (error) => fail(there.tell, error);
  nodes[1].addEventListener("failed", ({ detail }) => there.made.failed(detail));
  mounted.set(element, there);
  return there;
}

// One part in one element. Called again with other data for the same element.
export function put(element, { part, desk, text, mark, at, height, type }, tell) {
  if (mounted.has(element) && mounted.get(element).part !== part) remove(element);
  const on = deskOf(desk);
  const there = mounted.get(element) ?? begin(element, part, on);
  Object.assign(there.nodes[1].style, { height: height ? `${height}rem` : "", fontSize: `${type}rem` });
  clearTimeout(there.leaving);
  there.tell = tell;
  if (there.text !== text) {
    there.text = text;
    const data = read(text);
    const tables = data.tables ?? (part === "tables" && { ...data, ...(mark && { mark }) });
    if (tables) on.lay(there, tables);
    there.made.receive(data);
  }
  there.made.appear?.();
  if (at) on.adopt(at);
  on.parts.add(there.made);
  on.stir();
}

function fail(tell, error) {
  console.warn("live", error);
  tell("failed", `${error}, ${Date.now()}`); // the same words again would be no change, which nobody passes on
}

function remove(element) {
  const there = mounted.get(element);
  mounted.delete(element);
  there.on.parts.delete(there.made);
  there.on.lay(there, null);
  there.made.end();
  for (const node of there.nodes) node.remove();
}

// As Streamlit calls a component: for new data again, and after the function that it gives back. One alone tells only that it failed.
export function mount({ data, parentElement, setStateValue }) {
  const tell = (name, value) => (data.alone && name !== "failed") || setStateValue(name, value);
  try {
    put(parentElement, data, tell);
  } catch (error) {
    fail(tell, error);
  }
  return () => {
    const there = mounted.get(parentElement);
    if (there) there.leaving = setTimeout(() => mounted.get(parentElement) === there && remove(parentElement), 0);
  };
}
