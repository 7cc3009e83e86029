// An axis: what it shows, as plotly counts it (exponents of ten, or places of categories), and where that is in pixels.

import { automatic, between, ticks } from "./ticks.js";
import { clip, finite, least, most, numbers } from "./values.js";

const AROUND = 0.05; // of the axis, beside what is padded
const NOTHING = { x: 6, y: 4 }; // up to where an axis of nothing reaches

// Values as an axis of this kind counts them: a logarithm of what is not above 0 is NaN.
export function asCounted(values, { kind, categories }) {
  if (kind === "category") {
    const places = new Map(categories.map((name, i) => [name, i]));
    return Array.from(values, (one) => (one === null ? NaN : typeof one === "string" ? places.get(one) : Number(one)));
  }
  const plain = numbers(values, `values of a ${kind} axis`);
  return kind === "linear" ? plain : plain.map((one) => (one > 0 ? Math.log10(one) : NaN));
}

// The names among values: none where the first is a number.
export function namesIn(values) {
  const first = values.find((one) => one !== null);
  return typeof first === "string" ? values.filter((one) => typeof one === "string") : [];
}

// What one trace needs of an axis: from `low` to `high`, with so many pixels beyond, and with room where `padded`. `fromZero`: it
// stands on 0, where it needs no room. [] where no value is finite.
export function reachOf(values, { pixels = 0, padded = false, fromZero = false } = {}) {
  const known = finite(values);
  const all = fromZero ? [0, ...known] : known;
  return known.length ? [{ low: least(all), high: most(all), pixels, padded, fromZero }] : [];
}

// From the first to the last that an axis of so many pixels shows that has no range of its own; `toZero`: with 0.
export function reached(reaches, length, letter, toZero, kind) {
  if (!reaches.length) return kind === "category" ? [-0.5, 0.5] : [toZero ? 0 : -1, NOTHING[letter]];
  const ends = (name) => reaches.map((one) => [one[name], one.fromZero && one[name] === 0 ? 0 : one.pixels + AROUND * length * one.padded]);
  let [lows, highs] = [ends("low"), ends("high")];
  const [from, to] = [least(lows.map(([low]) => low)), most(highs.map(([high]) => high))];
  if (from === to) return around(from, most(highs.map(([, room]) => room)), length, toZero);
  if (toZero && from >= 0) lows = [[0, 0]];
  if (toZero && to <= 0) highs = [[0, 0]];
  return stretched(lows, highs, length) ?? [from, to];
}

// The least range in which all have their pixels: units of a pixel are as many as any two of them need.
function stretched(lows, highs, length) {
  let [found, widest] = [null, -Infinity];
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
  const end = only ? only / (1 - Math.min(0.5, pad / length)) : 1;
  return end > 0 ? [0, end] : [end, 0];
}

export class Axis {
  // `name` as a trace has it, x2 say; `pixels` are where what is shown begins and ends: of a y axis from below.
  constructor(name, given, kind, categories, shown, pixels) {
    Object.assign(this, { name, given, kind, categories, shown, pixels, letter: name[0], visible: given.visible !== false });
    this.key = [kind, ...shown, ...pixels].join();
    this.slope = (pixels[1] - pixels[0]) / (shown[1] - shown[0]);
  }

  counted(values) {
    return asCounted(values, this);
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
    const { given, letter, kind, shown, categories } = this;
    const length = Math.abs(this.pixels[1] - this.pixels[0]);
    const made = () => ticks({ ...given, letter }, kind, shown, length, categories);
    return (this.found ??= made().map((tick) => ({ ...tick, pixel: this.at([tick.at])[0] })));
  }
}

// Round heights between both, about so many.
export function levels(low, high, many) {
  return high > low ? between(low, high, automatic([low, high], "linear", (high - low) / many)).filter((one) => low < one && one < high) : [];
}

export const clipped = (value, [one, other]) => clip(value, Math.min(one, other), Math.max(one, other));
