// Bars, beside one another where several stand at a place, and whiskers.

import { FAR, NotDrawn, asOpaque, box, clip, each, fill, finite, node, number, numbers, opacityOf, paint, several } from "./values.js";

const CAP = 4; // pixels of an end of a whisker, to each side
const GAP = 0.2; // of the distance of two places, unless a figure has its own
const [HATCH, STROKE] = [8, 1.7]; // pixels between hatches, and across one

// Of one whisker down and up from each number; null of a trace without.
export function lengths(trace) {
  const error = trace.error_y;
  if (!error || error.visible === false) return null;
  if ((error.type ?? "data") !== "data" || !several(error.array)) throw new NotDrawn("error_y", error.type);
  return numbers(error.array, "error_y.array");
}

// From each number down and up, with ends; `xs` in pixels.
export function whiskers(trace, xs, y) {
  const reach = lengths(trace);
  if (!reach) return [];
  const values = y.counted(trace.y);
  const ends = [-1, 1].map((sign) => y.at(values.map((one, i) => one + sign * reach[i])).map((at) => clip(at, -FAR, FAR)));
  const wide = number(2 * CAP);
  let d = "";
  for (let i = 0; i < Math.min(xs.length, reach.length); i++) {
    const [at, low, high] = [xs[i], ends[0][i], ends[1][i]];
    if ([at, low, high].every(Number.isFinite)) d += `M${number(at - CAP)} ${number(high)}h${wide}m-${number(CAP)} 0V${number(low)}m-${number(CAP)} 0h${wide}`;
  }
  const { color, thickness = 2 } = trace.error_y;
  return d ? [node("path", { d, fill: "none", ...paint("stroke", color || "#444444"), "stroke-width": number(thickness) })] : [];
}

// Where things that share places stand: `middles` beside each place, how `wide` a slot is, and how far places are `apart`.
export function slotsOf(places, gap, many) {
  const every = [...new Set(finite(places.flat()))].sort((a, b) => a - b);
  const apart = every.length > 1 ? Math.min(...every.slice(1).map((one, i) => one - every[i])) : 1;
  const wide = (apart * (1 - gap)) / Math.max(1, many);
  return { middles: Array.from({ length: many }, (_, i) => (i - (many - 1) / 2) * wide), wide, apart };
}

// Of the bars of one plot.
export function slots(traces, places, layout) {
  if ((layout.barmode ?? "group") !== "group") throw new NotDrawn("layout.barmode", layout.barmode);
  return slotsOf(places, layout.bargap ?? GAP, traces.length);
}

// Where the bars of a trace begin and end, as the axis counts.
export function edges(trace, places, taken, i) {
  const wide = trace.width === undefined ? places.map(() => taken.wide) : several(trace.width) ? numbers(trace.width, "width") : places.map(() => trace.width);
  const middle = taken.middles[i];
  return [places.map((at, j) => at + middle - wide[j] / 2), places.map((at, j) => at + middle + wide[j] / 2)];
}

// The ends of what the bars of a trace need of their axis: their share of the gaps too.
export const room = (trace, places, taken, i) => [...edges(trace, places, taken, i).flat(), ...places.map((at) => at - taken.apart / 2), ...places.map((at) => at + taken.apart / 2)];

// All bars of a trace.
export function bars(trace, x, y, taken, i) {
  const tops = y.place(trace.y).map((at) => clip(at, -FAR, FAR));
  const [left, right] = edges(trace, x.counted(trace.x), taken, i).map((edge) => x.at(edge));
  const zero = y.at([y.kind === "log" ? Math.min(...y.shown) : 0])[0];
  const marker = trace.marker ?? {};
  const colours = each(marker.color, tops.length);
  const ofColour = new Map();
  for (let j = 0; j < tops.length; j++) {
    const [a, b, top] = [left[j], right[j], tops[j]];
    if (![a, b, top].every(Number.isFinite)) continue;
    if (!ofColour.has(colours[j])) ofColour.set(colours[j], []);
    ofColour.get(colours[j]).push([Math.min(a, b), Math.min(zero, top), Math.abs(b - a), Math.abs(top - zero)]);
  }
  const drawn = [...ofColour].map(([color, boxes]) => ofOneColour(boxes, { ...marker, color }));
  return asOpaque(trace, [...drawn, ...whiskers(trace, left.map((at, j) => (at + right[j]) / 2), y)]);
}

function ofOneColour(boxes, marker) {
  if (several(marker.opacity)) throw new NotDrawn("bar.marker.opacity", marker.opacity);
  if (marker.pattern?.shape) return hatching(boxes, marker);
  const edge = marker.line ?? {};
  const around = edge.width ? { ...paint("stroke", edge.color || "#444444"), "stroke-width": number(edge.width) } : {};
  return node("path", { d: boxes.map((one) => box(...one)).join(""), ...fill(marker), ...around });
}

// Lines across boxes and around them, so that these are told from others without colour.
export function hatching(boxes, marker) {
  if (marker.pattern.shape !== "/") throw new NotDrawn("marker.pattern.shape", marker.pattern.shape);
  const d = boxes.map((one) => box(...one)).join("") + boxes.map(hatches).join("");
  return node("path", { d, fill: "none", ...paint("stroke", marker.color, opacityOf(marker)), "stroke-width": number(STROKE) });
}

// Lines that rise to the right: x + y is the same along each, and a multiple of how far they are apart.
function hatches([left, top, wide, high]) {
  let d = "";
  for (let sum = Math.ceil((left + top) / HATCH) * HATCH; sum < left + top + wide + high; sum += HATCH) {
    const [begin, end] = [Math.max(left, sum - top - high), Math.min(left + wide, sum - top)];
    if (end > begin) d += `M${number(begin)} ${number(sum - begin)}l${number(end - begin)} ${number(begin - end)}`;
  }
  return d;
}
