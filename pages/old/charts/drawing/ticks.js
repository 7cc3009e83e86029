// Where an axis has its numbers, and what they say: the rules of plotly.js, so that a figure reads the same.

import { NotDrawn, clip, numbers } from "./values.js";

const MINUS = "−";
const PREFIXES = ["f", "p", "n", "μ", "m", "", "k", "M", "G", "T"];
const D3 = /^(,)?(?:\.(\d+))?(~)?([fg%])$/;
const [SMALL, RAISED] = [0.75, 1.25]; // of the type: digits between powers of ten, and powers of ten
const NEARLY = 1e-4; // of the range, by which a number at its end may lie beyond it, as plotly has it
const FINER = 4; // more decimals where a number is written by its own size
const MOST = 1000;
const A_NAME = 1.2; // heights of the type, at least, of a category whose name is shown
const TYPE = 12;
const DIGITS = { D1: [1, 2, 3, 4, 5, 6, 7, 8, 9], D2: [1, 2, 5] };

const inThousands = (text) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
const withoutZeros = (text) => text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "");
const sorted = ([one, other]) => (one <= other ? [one, other] : [other, one]);

// A number as an axis writes it whose steps are so large, over the same power of ten as its largest.
function worded(axis, value, step, largest, finer = 0) {
  const kind = axis.exponentformat ?? "B";
  const size = Math.abs(value);
  const rounding = 2 - Math.floor(Math.log10(step) + 0.01) + finer;
  if (size < 10 ** -rounding / 2) return "0";
  const power = largest > 0 ? Math.floor(Math.log10(largest) + 0.01) : 0;
  const prefixed = kind !== "power" && -15 <= power && power <= 14; // no prefix stands for others
  const over = kind === "none" || Math.abs(power) <= 3 ? 0 : prefixed ? 3 * Math.round((power - 1) / 3) : power;
  const text = withoutZeros((size / 10 ** over).toFixed(clip(rounding + over, 0, 20)));
  const apart = axis.separatethousands || text.includes(".") || text.length > 4;
  return (value < 0 ? MINUS : "") + (apart ? inThousands(text) : text) + (over ? powerOf(over, kind, prefixed) : "");
}

function powerOf(exponent, kind, prefixed) {
  if (!prefixed) return `×10<sup>${String(exponent).replace("-", MINUS)}</sup>`;
  return kind === "B" && exponent === 9 ? "B" : PREFIXES[exponent / 3 + 5];
}

// A number that is written by its own size, whatever stands beside it.
const alone = (axis, value) => worded(axis, value, Math.abs(value) || 1, Math.abs(value) || 1, FINER);

// By a format of d3, of those that figures use: [,][.precision][~] and f, g or %.
export function byD3(value, wanted) {
  const [, comma, precision = 6, trimmed, kind] = D3.exec(wanted);
  const size = Math.abs(kind === "%" ? 100 * value : value);
  let text = kind === "g" ? size.toPrecision(Math.max(1, precision)) : size.toFixed(precision);
  if (trimmed) text = withoutZeros(text);
  if (comma) text = inThousands(text);
  return (value < 0 && /[1-9]/.test(text) ? MINUS : "") + text.replaceAll("-", MINUS) + (kind === "%" ? "%" : "");
}

// Ticks {at, text, size} of an axis of this kind that shows this range on so many pixels: `at` is on a logarithmic axis the
// exponent of ten, `size` is in times of the axis's type. `categories` are the names at 0, 1, 2…
export function ticks(axis, kind, shown, length, categories) {
  const [low, high] = sorted(shown);
  const room = NEARLY * (high - low);
  const inside = ({ at }) => low - room <= at && at <= high + room;
  if (axis.tickvals !== undefined) return chosen(axis, kind).filter(inside);
  if (kind === "category") {
    const each = Math.round(A_NAME * (axis.tickfont?.size ?? TYPE)); // pixels
    const every = Math.max(1, Math.ceil((high - low) / (length / each)));
    return categories.map((text, at) => ({ at, text, size: 1 })).filter((one) => one.at % every === 0 && inside(one));
  }
  const many = axis.nticks || clip(length / (axis.letter === "y" ? 40 : 80), 4, 9) + 1;
  const step = axis.dtick === undefined ? automatic(shown, kind, (high - low) / many) : { size: Number(axis.dtick) };
  return between(low - room, high + room, step).map((at) => tick(at, axis, kind, shown, step));
}

// At the places that the figure chose, with its texts, or with numbers.
function chosen(axis, kind) {
  const said = (value) => (axis.tickformat ? byD3(value, axis.tickformat) : alone(axis, value));
  return numbers(axis.tickvals, "tickvals").map((value, i) => {
    return { at: kind === "log" ? Math.log10(value) : value, text: axis.ticktext ? axis.ticktext[i] : said(value), size: 1 };
  });
}

// The round step that is at least so large: linear in what the axis shows, linear in the values of a logarithmic one (L), or all
// or some digits of each power of ten (D1, D2).
export function automatic(shown, kind, rough) {
  if (kind !== "log") return { size: round(rough) };
  if (rough > 0.7) return { size: Math.ceil(rough) };
  const [low, high] = sorted(shown);
  if (high - low < 1) return { size: round((10 ** high - 10 ** low) / ((1.5 * (high - low)) / rough)), kind: "L" };
  return { size: 1, kind: rough > 0.3 ? "D2" : "D1" };
}

function round(rough) {
  const base = rough > 0 ? 10 ** Math.floor(Math.log10(rough)) : 1;
  return base * ([2, 5, 10].find((one) => one > rough / base) ?? 10);
}

// The places from one end to the other where steps of this kind lead.
export function between(low, high, { size, kind }) {
  if (kind === "L") return multiples(10 ** low, 10 ** high, size).filter((value) => value > 0).map(Math.log10);
  if (!kind) return multiples(low, high, size);
  const places = multiples(Math.floor(low), Math.ceil(high), 1).flatMap((power) => DIGITS[kind].map((digit) => power + Math.log10(digit)));
  return places.filter((place) => low <= place && place <= high);
}

function multiples(low, high, step) {
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  if (last - first > MOST) throw new NotDrawn("dtick", step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

function tick(at, axis, kind, shown, step) {
  const valueOf = (place) => (kind === "log" ? 10 ** place : place);
  const value = valueOf(at);
  if (axis.tickformat) return { at, text: byD3(value, axis.tickformat), size: 1 };
  if (kind !== "log" || step.kind === "L") {
    const largest = Math.max(...shown.map((end) => Math.abs(valueOf(end))));
    return { at, text: worded(axis, value, step.size, largest), size: 1 };
  }
  if (step.kind && (at - Math.floor(at) + 0.01) % 1 >= 0.1) return { at, text: String(Math.round(10 ** (at - Math.floor(at)))), size: SMALL };
  const power = Math.round(at);
  if (axis.exponentformat !== "power" && Math.abs(power) <= 14) return { at, text: alone(axis, value), size: 1 };
  const raised = { 0: "1", 1: "10" }[power] ?? `10<sup>${power > 0 ? "" : MINUS}${Math.abs(power)}</sup>`;
  return { at, text: raised, size: RAISED };
}
