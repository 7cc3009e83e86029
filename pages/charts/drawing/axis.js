// An axis: what it shows, as plotly counts it (exponents of ten, or places of categories), and where that is in pixels.

import { automatic, ticks } from "./ticks.js";
import { NotDrawn, clip, finite, least, most, numbers, unpacked } from "./values.js";

const AROUND = 0.05; // of the axis, beside what is padded
const NOTHING = { x: [-1, 6], y: [-1, 4] };
const KINDS = ["linear", "log", "category"];

// Values as an axis of this kind counts them: a logarithm of what is not above 0 is NaN.
export function counted(values, kind, categories) {
  if (kind === "category") {
    const places = new Map(categories.map((name, i) => [name, i]));
    return unpacked(values).map((one) => (one === null ? NaN : typeof one === "string" ? places.get(one) : Number(one)));
  }
  const plain = numbers(values, `values of a ${kind} axis`);
  return kind === "linear" ? plain : plain.map((one) => (one > 0 ? Math.log10(one) : NaN));
}

// The names among values.
export const namesIn = (values) => (Array.isArray(unpacked(values)) ? unpacked(values).filter((one) => typeof one === "string") : []);

// linear, log or category: what the axis says, or what its values are, whose names are given.
export function kindOf(given, names) {
  const kind = given.type;
  if (kind === undefined || kind === "-") return names.length ? "category" : "linear";
  if (!KINDS.includes(kind)) throw new NotDrawn("the type of an axis", kind);
  return kind;
}

// What one trace needs of an axis: from `low` to `high`, with so many pixels beyond, and with room where `padded`. `fromZero`: it
// stands on 0, where it needs no room. null where no value is finite.
export function reachOf(values, { pixels = 0, padded = false, fromZero = false } = {}) {
  const known = finite(values);
  if (!known.length) return null;
  const [low, high] = [least(known), most(known)];
  return { low: fromZero ? Math.min(0, low) : low, high: fromZero ? Math.max(0, high) : high, pixels, padded, fromZero };
}

// From the first to the last that an axis of so many pixels shows that has no range of its own.
export function reached(reaches, length, letter, rangemode, kind) {
  if (rangemode !== "normal" && rangemode !== "tozero") throw new NotDrawn("rangemode", rangemode);
  if (!reaches.length) return kind === "category" ? [-0.5, 0.5] : NOTHING[letter];
  const pad = (one, end) => (one.fromZero && end === 0 ? 0 : one.pixels + AROUND * length * one.padded);
  let lows = reaches.map((one) => [one.low, pad(one, one.low)]);
  let highs = reaches.map((one) => [one.high, pad(one, one.high)]);
  const toZero = rangemode === "tozero" && kind === "linear";
  const [from, to] = [least(lows.map(([low]) => low)), most(highs.map(([high]) => high))];
  if (from === to) return around(from, most(highs.map(([, room]) => room)), length, toZero);
  if (toZero && from >= 0) lows = [[0, 0]];
  if (toZero && to <= 0) highs = [[0, 0]];
  return stretched(lows, highs, length) ?? [from, to];
}

// The least range in which all have their pixels: units of a pixel are as many as any two of them need.
function stretched(lows, highs, length) {
  let found = null;
  let widest = -Infinity;
  for (const [low, before] of lows) {
    for (const [high, after] of highs) {
      const unit = (high - low) / (length - before - after);
      if (high > low && length > before + after && unit > widest) [widest, found] = [unit, [low - unit * before, high + unit * after]];
    }
  }
  return found;
}

// Of a single value.
function around(only, pad, length, toZero) {
  if (!toZero) return [only - 1, only + 1];
  if (only === 0) return [0, 1];
  const end = only / (1 - Math.min(0.5, pad / length));
  return only > 0 ? [0, end] : [end, 0];
}

export class Axis {
  // `name` as a trace has it, x2 say; `pixels` are where what is shown begins and ends: of a y axis from below.
  constructor(name, given, kind, categories, shown, pixels) {
    Object.assign(this, { name, given, kind, categories, shown, pixels, letter: name[0], visible: given.visible !== false });
    this.key = [kind, ...shown, ...pixels].join();
    this.slope = (pixels[1] - pixels[0]) / (shown[1] - shown[0]);
    this.found = null;
  }

  counted(values) {
    return counted(values, this.kind, this.categories);
  }

  // Pixels of what the axis counts; NaN where it is no finite number.
  at(values) {
    const [from, begin] = [this.shown[0], this.pixels[0]];
    return values.map((one) => (Number.isFinite(one) ? begin + (one - from) * this.slope : NaN));
  }

  place(values) {
    return this.at(this.counted(values));
  }

  inside(at, room = 0) {
    const [low, high] = this.ends(this.pixels);
    return at >= low - room && at <= high + room;
  }

  ends([one, other]) {
    return one <= other ? [one, other] : [other, one];
  }

  // Where it has numbers or names: {at, text, size, pixel}.
  ticks() {
    if (!this.found) {
      const length = Math.abs(this.pixels[1] - this.pixels[0]);
      const made = ticks({ ...this.given, letter: this.letter }, this.kind, this.shown, length, this.categories);
      this.found = made.map((tick) => ({ ...tick, pixel: this.at([tick.at])[0] }));
    }
    return this.found;
  }
}

// Round heights between both, about so many.
export function levels(low, high, many) {
  if (!(high > low)) return [];
  const { size } = automatic([low, high], "linear", (high - low) / many);
  const found = [];
  for (let place = Math.ceil(low / size); place <= Math.floor(high / size); place++) found.push(place * size);
  return found.filter((one) => low < one && one < high);
}

export const clipped = (value, [one, other]) => clip(value, Math.min(one, other), Math.max(one, other));
