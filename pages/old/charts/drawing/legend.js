// The legend: the names of what is drawn, each with its sign.

import { hatching } from "./bars.js";
import { markOf, marks } from "./scatter.js";
import { fontSize, height, width, write } from "./text.js";
import { asOpaque, box, colour, count, each, fill, node, number, numbers, paint, several, share, strokeOf } from "./values.js";

const [FROM, TO, CENTRE] = [5, 35, 20]; // pixels, along a sign
const [LEAST_MARK, MOST_MARK, BAR, AREA] = [2, 16, 12, 6];
const [KEY, GAP] = [40, 5]; // pixels of a sign with its space, and between entries
const [LEAST, ROOM] = [16, 3]; // the height of an entry at least, and around it
const IN_ORDER = 1000;
const BEGINS = { left: 0, center: 0.5, right: 1 };
export const STANDS = { bottom: 1, middle: 0.5, top: 0 };

// The sign of a trace, from x on, around y.
function sign(trace, x, y) {
  if (trace.type === "bar") {
    const marker = { ...trace.marker, color: each(trace.marker?.color, 1)[0] };
    const place = [x + CENTRE - BAR / 2, y - BAR / 2, BAR, BAR];
    return asOpaque(trace, [marker.pattern?.shape ? hatching([place], marker) : node("path", { d: box(...place), ...fill(marker) })]);
  }
  const made = [];
  const mode = trace.type === "contour" ? "lines" : trace.mode || "lines";
  if ((trace.fill ?? "none") !== "none") {
    const look = trace.fillcolor ? paint("fill", trace.fillcolor) : fill(trace.line ?? {}, 0.5);
    made.push(node("path", { d: box(x + FROM, y - AREA / 2, TO - FROM, AREA), ...look }));
  }
  const stroke = mode.includes("lines") ? strokeOf(trace.line ?? {}) : null;
  if (stroke) made.push(node("path", { d: `M${number(x + FROM)} ${number(y)}h${number(TO - FROM)}`, ...stroke }));
  if (mode.includes("markers")) {
    const marker = { ...trace.marker };
    const size = marker.size ?? 6;
    const sizes = several(size) ? numbers(size) : [size];
    for (const name of ["color", "symbol", "opacity"]) if (name in marker) marker[name] = each(marker[name], 1)[0];
    const mean = sizes.reduce((sum, one) => sum + one, 0) / sizes.length;
    made.push(...marks([[x + CENTRE, y]], markOf({ ...marker, size: Math.min(Math.max(mean, LEAST_MARK), MOST_MARK) })));
  }
  return asOpaque(trace, made);
}

// Whether a trace is there at all: one without any value is not.
export const isDrawn = (trace) => count(trace.x) > 0;

// Those that have an entry, for plots so many pixels wide.
export function legends(data, layout, room, typeSize) {
  const names = [...new Set(["legend", ...data.map((trace) => trace.legend || "legend")])];
  return names.map((name) => legendOf(name, data, layout, room, typeSize)).filter(Boolean);
}

function legendOf(name, data, layout, room, typeSize) {
  const given = layout[name] ?? {};
  const inside = data.filter((trace) => (trace.legend || "legend") === name && isDrawn(trace) && trace.type !== "heatmap");
  let named = inside.filter((trace) => trace.showlegend ?? trace.type !== "contour");
  const asked = named.some((trace) => trace.showlegend === true);
  const there = layout.showlegend ?? (named.length > 0 && (inside.length > (name === "legend" ? 1 : 0) || asked));
  if (!there || !named.length) return null;
  named = [...named].sort((one, other) => (one.legendrank || IN_ORDER) - (other.legendrank || IN_ORDER));
  if (inside.some((trace) => trace.fill === "tonexty") && !named.some((trace) => trace.legendgroup)) named.reverse(); // as plotly has them where an area lies on the line before it
  const size = fontSize(given.font, typeSize);
  const entries = rows(named, given, room, size);
  const wide = Math.max(...entries.map(({ trace, x }) => x + wideOf(trace, given, room, size)));
  return { given, entries, size, wide, high: Math.max(...entries.map(({ y, high }) => y + high)) + 2 * GAP };
}

const wideOf = (trace, given, room, size) => (given.entrywidthmode === "fraction" ? given.entrywidth * room : width(trace.name, size) + KEY);

// One after another where all have room, else in columns as wide as the widest; one after another in rows where some belong
// together. Below one another in a legend that is upright.
function rows(named, given, room, size) {
  const widths = named.map((trace) => wideOf(trace, given, room, size));
  const gap = given.entrywidthmode === "fraction" ? 0 : GAP;
  const sum = widths.reduce((all, one) => all + one, 0);
  const flows = sum + GAP * (named.length - 1) < room || named.some((trace) => trace.legendgroup);
  const across = given.orientation === "h" ? room : 0;
  const most = Math.max(...widths);
  let [x, y, row] = [0, GAP, 0];
  return named.map((trace, i) => {
    const taken = flows ? widths[i] : most;
    if (x && x + taken > across + 1e-6) [x, y, row] = [0, y + row, 0];
    const entry = { trace, x, y, high: Math.max(height(trace.name, size), LEAST) + ROOM };
    [x, row] = [x + taken + gap, Math.max(row, entry.high)];
    return entry;
  });
}

// How many pixels above the plot a legend needs, of a picture so high whose plot ends so far from its bottom: as it stands at a
// share of the plot's own height, above its top.
export function above({ given, high }, plotBottom, whole) {
  const y = Number(given.y ?? 1);
  return y < 1 || given.yanchor !== "bottom" ? 0 : (high + (y - 1) * (whole - plotBottom)) / y;
}

// `plot`: the width and height of what it stands over, whose upper left corner is given.
export function drawLegend({ given, entries, size, wide, high }, left, top, plot) {
  const x = left + (given.x ?? 1.02) * plot[0] - wide * BEGINS[given.xanchor ?? "left"];
  const y = top + (1 - (given.y ?? 1)) * plot[1] - high * STANDS[given.yanchor ?? "top"];
  const made = [];
  if (given.bgcolor !== undefined) {
    const [name, opacity] = colour(given.bgcolor);
    made.push(node("rect", { x: number(x), y: number(y), width: number(wide), height: number(high), fill: name, "fill-opacity": share(opacity) }));
  }
  for (const entry of entries) {
    const middle = y + entry.y + entry.high / 2;
    const first = middle - height(entry.trace.name, size) / 2 + 1.01 * size;
    made.push(...sign(entry.trace, x + entry.x, middle), ...write(entry.trace.name, x + entry.x + KEY, first, size));
  }
  return made;
}
