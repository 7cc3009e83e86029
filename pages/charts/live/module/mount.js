// Where the module is put: as a part of a page of the app, or of a file that was opened from a disk.

import { deskOf } from "./desk.js";
import { Figure } from "./figure.js";
import { read } from "../../drawing/numbers.js";
import { Odds } from "./odds.js";
import { Slider } from "./slider.js";
import { style } from "./style.js";
import { Words } from "./words.js";

// What has no picture of its own.
class Unseen {
  receive() {}

  follow() {}

  end() {}
}

const PARTS = { tables: Unseen, hand: Unseen, slider: Slider, sensitivity: Figure, trials: Figure, answers: Figure, words: Words, odds: Odds };
const mounted = new WeakMap();

// One part in one element. Called again with other data for the same element.
export function put(element, { part, desk, text, mark, at, height, type }, tell) {
  let there = mounted.get(element);
  if (there && there.part !== part) {
    remove(element);
    there = null;
  }
  const on = deskOf(desk);
  if (!there) {
    const sheet = document.createElement("style");
    sheet.textContent = style;
    const root = document.createElement("div");
    root.className = `live ${part}`;
    element.append(sheet, root);
    there = { part, on, nodes: [sheet, root], made: new PARTS[part](root, on, (name, value) => there.tell(name, value)) };
    there.made.failed = (error) => fail(there.tell, error);
    root.addEventListener("failed", ({ detail }) => there.made.failed(detail));
    mounted.set(element, there);
  }
  Object.assign(there.nodes[1].style, { height: height ? `${height}rem` : "", fontSize: `${type}rem` });
  clearTimeout(there.leaving);
  there.tell = tell;
  if (there.text !== text) {
    there.text = text;
    const data = read(text);
    if (part === "tables") on.lay(there, mark ? { ...data, mark } : data);
    if (data.tables) on.lay(there, data.tables);
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
