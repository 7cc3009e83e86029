// Bars, beside one another where several stand at a place, and whiskers.

import { FAR, box, clip, each, fill, finite, least, node, number, numbers, opacityOf, paint } from "./values.js";

const CAP = 4; // pixels of an end of a whisker, to each side
const GAP = 0.2; // of the distance of two places, unless a figure has its own
const [HATCH, STROKE] = [8, 1.7]; // pixels between hatches, and across one

// Of one whisker down and up from each number; null of a trace without.
export const lengths = ({ error_y: error }) => (error ? numbers(error.array, "error_y.array") : null);

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

// The slot of each trace beside others at its places, as the axis counts: its `middle` beside the place, how `wide` it is, and how
// far places are `apart`. Every bar has one of its own; so have groups of marks where they stand in groups.
export function slots(traces, placesOf, layout) {
  const groups = traces.map(({ type, offsetgroup }, i) => (type === "bar" ? i : layout.scattermode === "group" ? offsetgroup : undefined));
  const own = [...new Set(groups)].filter((one) => one !== undefined);
  const places = own.length ? [...new Set(finite(traces.flatMap(({ x }) => placesOf(x))))].sort((a, b) => a - b) : [];
  const apart = places.length > 1 ? least(places.slice(1).map((one, i) => one - places[i])) : 1;
  const wide = (apart * (1 - (layout.bargap ?? GAP))) / Math.max(1, own.length);
  return groups.map((one) => ({ middle: one === undefined ? 0 : (own.indexOf(one) - (own.length - 1) / 2) * wide, wide, apart }));
}

// Where the bars of a trace begin and end, as the axis counts.
export function edges(trace, places, { middle, wide }) {
  const widths = each(trace.width ?? wide, places.length);
  return [-1, 1].map((side) => places.map((at, i) => at + middle + (side * widths[i]) / 2));
}

// The ends of what the bars of a trace need of their axis: their share of the gaps too.
export const room = (trace, places, slot) => [...edges(trace, places, slot).flat(), ...places.flatMap((at) => [at - slot.apart / 2, at + slot.apart / 2])];

// All bars of a trace.
export function bars(trace, x, y, slot) {
  const tops = y.place(trace.y).map((at) => clip(at, -FAR, FAR));
  const [left, right] = edges(trace, x.counted(trace.x), slot).map((edge) => x.at(edge));
  const zero = y.at([y.kind === "log" ? Math.min(...y.shown) : 0])[0];
  const colours = each(trace.marker.color, tops.length);
  const ofColour = new Map();
  tops.forEach((top, i) => {
    const [a, b] = [left[i], right[i]];
    if (![a, b, top].every(Number.isFinite)) return;
    if (!ofColour.has(colours[i])) ofColour.set(colours[i], []);
    ofColour.get(colours[i]).push([Math.min(a, b), Math.min(zero, top), Math.abs(b - a), Math.abs(top - zero)]);
  });
  const drawn = [...ofColour].map(([color, boxes]) => ofOneColour(boxes, { ...trace.marker, color }));
  return [...drawn, ...whiskers(trace, left.map((at, i) => (at + right[i]) / 2), y)];
}

function ofOneColour(boxes, marker) {
  if (marker.pattern?.shape) return hatching(boxes, marker);
  const edge = marker.line ?? {};
  const around = edge.width ? { ...paint("stroke", edge.color || "#444444"), "stroke-width": number(edge.width) } : {};
  return node("path", { d: boxes.map((one) => box(...one)).join(""), ...fill(marker), ...around });
}

// Lines across boxes and around them, so that these are told from others without colour.
export function hatching(boxes, marker) {
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
