// Where an axis has its numbers, and what they say: the rules of plotly.js, so that a figure reads the same.

import { NotDrawn, numbers, unpacked } from "./values.js";

const MINUS = "−";
const PREFIXES = ["f", "p", "n", "μ", "m", "", "k", "M", "G", "T"];
const D3 = /^(,)?(?:\.(\d+))?(~)?([fg%])$/;
const [SMALL, RAISED] = [0.75, 1.25]; // of the type: digits between powers of ten, and powers of ten
const NEARLY = 1e-9; // of the range, by which a number at its end may lie beyond it
const FINER = 4; // more decimals where a number is written by its own size
const MOST = 1000;
const A_NAME = 14.4; // pixels, at least, of a category whose name is shown

const inThousands = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");
const bySI = (kind) => kind === "B" || kind === "SI" || kind === "";
const beyond = (exponent) => exponent > 14 || exponent < -15; // no prefix stands for it

// How an axis writes numbers: `rounding` decimals, all over the same power of ten where `exponent` is not 0.
function formatOf(step, largest, axis) {
  const kind = axis.exponentformat || "B";
  const rounding = 2 - Math.floor(Math.log10(step) + 0.01);
  const power = largest > 0 ? Math.floor(Math.log10(largest) + 0.01) : 0;
  const exponent = Math.abs(power) > 3 ? (bySI(kind) && !beyond(power) ? 3 * Math.round((power - 1) / 3) : power) : 0;
  return { rounding, exponent, kind, thousands: Boolean(axis.separatethousands) };
}

// `bare`: without its power of ten, as of 0.
function worded({ rounding, exponent, kind, thousands }, value, bare = false) {
  const over = kind === "none" ? 0 : exponent;
  const size = Math.abs(value);
  const power = bare || !over ? "" : powerOf(over, kind);
  if (size < 10 ** -rounding / 2) return `0${power}`;
  let [whole, rest] = fixed(size / 10 ** over, rounding + over).split(".");
  if (thousands || rest || whole.length > 4) whole = inThousands(whole);
  return (value < 0 ? MINUS : "") + whole + (rest ? `.${rest}` : "") + power;
}

function powerOf(exponent, kind) {
  if (kind === "power" || (bySI(kind) && beyond(exponent))) return `×10<sup>${String(exponent).replace("-", MINUS)}</sup>`;
  if (kind === "e" || kind === "E") return `${kind}${exponent < 0 ? MINUS : "+"}${Math.abs(exponent)}`;
  return kind === "B" && exponent === 9 ? "B" : PREFIXES[exponent / 3 + 5];
}

// At most so many decimals; none of them 0 at the end.
function fixed(value, places) {
  if (places <= 0) return String(Math.round(value / 10 ** -places) * 10 ** -places);
  return value.toFixed(Math.min(places, 20)).replace(/\.?0+$/, "");
}

// By a format of d3, of those that figures use: [,][.precision][~] and f, g or %.
export function byD3(value, wanted) {
  const found = D3.exec(wanted);
  if (!found) throw new NotDrawn("tickformat", wanted);
  const [, comma, precision, trimmed, kind] = found;
  const places = precision === undefined ? 6 : Number(precision);
  const size = Math.abs(kind === "%" ? 100 * value : value);
  let [mantissa, power] = (kind === "g" ? size.toPrecision(Math.max(1, places)) : size.toFixed(places)).split("e");
  if (trimmed && mantissa.includes(".")) mantissa = mantissa.replace(/\.?0+$/, "");
  if (comma) {
    const [whole, rest] = mantissa.split(".");
    mantissa = inThousands(whole) + (rest === undefined ? "" : `.${rest}`);
  }
  const text = (power === undefined ? mantissa : `${mantissa}e${power}`).replaceAll("-", MINUS);
  return (value < 0 && /[1-9]/.test(mantissa) ? MINUS : "") + text + (kind === "%" ? "%" : "");
}

// A number that is written by its own size, whatever stands beside it.
function alone(value, axis) {
  const own = formatOf(Math.abs(value) || 1, Math.abs(value) || 1, axis);
  return worded({ ...own, rounding: own.rounding + FINER }, value);
}

// Ticks {at, text, size} of an axis of this kind that shows this range on so many pixels: `at` is on a logarithmic axis the
// exponent of ten, `size` is in times of the axis's type. `categories` are the names at 0, 1, 2…
export function ticks(axis, kind, shown, length, categories) {
  const [low, high] = shown[0] <= shown[1] ? shown : [shown[1], shown[0]];
  const room = NEARLY * (high - low);
  const inside = (at) => low - room <= at && at <= high + room;
  const chosen = axis.tickvals;
  if (kind === "category" && chosen === undefined) {
    const every = Math.max(1, Math.ceil((high - low) / (length / A_NAME)));
    return categories.map((text, at) => ({ at, text, size: 1 })).filter(({ at }) => at % every === 0 && inside(at));
  }
  if (chosen !== undefined && (axis.tickmode ?? "array") === "array") return chosenTicks(axis, kind).filter(({ at }) => inside(at));
  const fixedStep = axis.dtick;
  const step = fixedStep === undefined ? automatic(shown, kind, roughly(axis, shown, length)) : { size: Number(fixedStep), kind: "" };
  return between(low - room, high + room, step).map((at) => tick(at, axis, kind, shown, step));
}

// How far two numbers are apart, about.
function roughly(axis, shown, length) {
  const pixels = axis.letter === "y" ? 40 : 80;
  return Math.abs(shown[1] - shown[0]) / (axis.nticks || Math.min(Math.max(length / pixels, 4), 9) + 1);
}

// The round step that is at least so large: linear in what the axis shows, linear in the values of a logarithmic one (L), or all
// or some digits of each power of ten (D1, D2).
export function automatic(shown, kind, rough) {
  if (kind !== "log") return { size: round(rough), kind: "" };
  if (rough > 0.7) return { size: Math.ceil(rough), kind: "" };
  const [low, high] = shown[0] <= shown[1] ? shown : [shown[1], shown[0]];
  if (high - low < 1) return { size: round((10 ** high - 10 ** low) / ((1.5 * (high - low)) / rough)), kind: "L" };
  return { size: 1, kind: rough > 0.3 ? "D2" : "D1" };
}

function round(rough) {
  const base = rough > 0 ? 10 ** Math.floor(Math.log10(rough)) : 1;
  return base * ([2, 5, 10].find((one) => one >= rough / base) ?? 10);
}

function between(low, high, { size, kind }) {
  if (kind === "D1" || kind === "D2") {
    const found = [];
    for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
      for (const digit of kind === "D1" ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 5]) found.push(power + Math.log10(digit));
    }
    return found.filter((place) => low <= place && place <= high);
  }
  if (kind === "L") return multiples(10 ** low, 10 ** high, size).filter((value) => value > 0).map(Math.log10);
  return multiples(low, high, size);
}

function multiples(low, high, step) {
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  if (last - first > MOST) throw new NotDrawn("dtick", step);
  const found = [];
  for (let place = first; place <= last; place++) found.push(place * step);
  return found;
}

function tick(at, axis, kind, shown, step) {
  if (kind === "log") return logarithmic(at, axis, shown, step);
  if (axis.tickformat) return { at, text: byD3(at, axis.tickformat), size: 1 };
  const largest = Math.max(Math.abs(shown[0]), Math.abs(shown[1]));
  return { at, text: worded(formatOf(step.size, largest, axis), at, Math.abs(at / step.size) < 1e-6), size: 1 };
}

function logarithmic(at, axis, shown, step) {
  const value = 10 ** at;
  if (axis.tickformat) return { at, text: byD3(value, axis.tickformat), size: 1 };
  if (step.kind === "L") return { at, text: worded(formatOf(step.size, Math.max(10 ** shown[0], 10 ** shown[1]), axis), value), size: 1 };
  const past = at - Math.floor(at);
  if (step.kind && (past + 0.01) % 1 >= 0.1) return { at, text: String(Math.round(10 ** past)), size: SMALL };
  const power = Math.round(at);
  if (axis.exponentformat !== "power" && Math.abs(power) <= 14) return { at, text: alone(value, axis), size: 1 };
  const raised = { 0: "1", 1: "10" }[power] ?? `10<sup>${power > 0 ? "" : MINUS}${Math.abs(power)}</sup>`;
  return { at, text: raised, size: RAISED };
}

// At the places that the figure chose, with its texts, or with numbers.
function chosenTicks(axis, kind) {
  const texts = unpacked(axis.ticktext);
  return numbers(axis.tickvals, "tickvals")
    .map((value, i) => {
      const text = texts ? texts[i] : axis.tickformat ? byD3(value, axis.tickformat) : alone(value, axis);
      return { at: kind === "log" ? Math.log10(value) : value, text: text === undefined ? undefined : String(text), size: 1 };
    })
    .filter(({ at, text }) => Number.isFinite(at) && text !== undefined);
}
