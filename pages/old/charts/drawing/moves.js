// What a hand moves: the rules of pages/old/charts/moving.py, worked out at what is looked up.

import { OF_FIGURES } from "./functions.js";
import { counted, distance, figure, general, percent, whole } from "./numbers.js";
import { several } from "./values.js";

// One by one, of numbers and lists.
const each = (act) => (one, other) => {
  if (!several(one)) return several(other) ? Array.from(other, (value) => act(one, value)) : act(one, other);
  return several(other) ? Array.from(one, (value, i) => act(value, other[i])) : Array.from(one, (value) => act(value, other));
};

const flat = (parts) => parts.flatMap((part) => (several(part) ? Array.from(part) : [part]));
const known = (parts) => flat(parts).filter((value) => !Number.isNaN(value));

const FUNCTIONS = {
  ...OF_FIGURES,
  "+": each((one, other) => one + other),
  "-": each((one, other) => one - other),
  "*": each((one, other) => one * other),
  "/": each((one, other) => one / other),
  nothing: () => NaN,
  joined: (...parts) => flat(parts),
  where: (condition, one, other) => (condition ? one : other),
  at_most: (one, other) => one <= other,
  least: (...parts) => Math.min(...known(parts)),
  most: (...parts) => Math.max(...known(parts)),
  rows: ({ names }, ...columns) => names.map((name, i) => [name, ...columns.map((column) => column[i])]),
  words: (...parts) => parts.join(""),
  roundUp, figure, general: (value) => general(value), whole, counted, distance, percent,
};

// The least of 1, 1.5, 2, 3, 5, 7, 10, … that is at least the value.
function roundUp(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 3, 5, 7, 10].find((times) => times * power >= value * (1 - 1e-9)) ?? 10);
}

const made = new WeakMap();

// A rule at what is looked up. What it was made of last time is not made again.
export function workedOut(rule, look) {
  if (typeof rule === "string") return look[rule];
  if (!Array.isArray(rule)) return rule;
  const [name, ...of] = rule;
  const given = of.map((one) => (name === "words" && typeof one === "string" ? one : workedOut(one, look)));
  const last = made.get(rule);
  if (last && last.given.every((one, i) => Object.is(one, given[i]))) return last.value;
  if (!FUNCTIONS[name]) throw new Error(`no rule is named ${name}`);
  const value = FUNCTIONS[name](...given);
  made.set(rule, { given, value });
  return value;
}

// Put into a figure what its moves are now. Returns whether anything changed.
export function moved(figure, moves, look) {
  let changed = false;
  for (const [place, rule] of moves) {
    const value = workedOut(rule, look);
    const inside = place.slice(0, -1).reduce((part, name) => part[name], figure);
    const name = place.at(-1);
    if (inside[name] === value) continue;
    [inside[name], changed] = [value, true];
    const part = figure[place[0]][place[1]]; // a trace, an axis
    part.changed = (part.changed ?? 0) + 1; // by which what was drawn of it is known to be old
  }
  return changed;
}
