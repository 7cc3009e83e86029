// Lines, marks, areas and texts at points.

import { slotsOf, whiskers } from "./bars.js";
import { LINE, MIDDLE, fontSize, height, write } from "./text.js";
import { FAR, NotDrawn, asOpaque, clip, each, fill, group, most, node, number, numbers, oneOf, opacityOf, paint, path, runs, several, share, strokeOf, traced } from "./values.js";

const MODES = ["none", "lines", "markers", "text", "lines+markers", "lines+text", "markers+text", "lines+markers+text"];
const BESIDE = { left: ["end", -1], center: ["middle", 0], right: ["start", 1] };
const LEVELS = { top: -1, middle: 0, bottom: 1 };
const [OPEN, EDGE] = ["-open", "#444444"];
const [THIRD, ROOT] = [Math.sqrt(3), Math.SQRT2];
const CORNERS = { // around the middle, in radii of the mark
  diamond: [[1.3, 0], [0, 1.3], [-1.3, 0], [0, -1.3]],
  "triangle-up": [[-2 / THIRD, 0.5], [2 / THIRD, 0.5], [0, -1]],
  x: [[1, 0], [2, 1], [1, 2], [0, 1], [-1, 2], [-2, 1], [-1, 0], [-2, -1], [-1, -2], [0, -1], [1, -2], [2, -1]].map(([a, b]) => [(0.8 / ROOT) * a, (0.8 / ROOT) * b]),
};
const polygon = (corners) => (r) =>
  `${corners.map(([a, b], i) => `${i ? "l" : "m"}${number((a - (i ? corners[i - 1][0] : 0)) * r)} ${number((b - (i ? corners[i - 1][1] : 0)) * r)}`).join("")}z`;
const SHAPES = { // around the point that the path has moved to, which is the middle
  circle: (r) => `m${number(-r)} 0a${number(r)} ${number(r)} 0 1 0 ${number(2 * r)} 0a${number(r)} ${number(r)} 0 1 0${number(-2 * r)} 0z`,
  square: (r) => `m${number(-r)} ${number(-r)}h${number(2 * r)}v${number(2 * r)}h${number(-2 * r)}z`,
  ...Object.fromEntries(Object.entries(CORNERS).map(([name, corners]) => [name, polygon(corners)])),
  "x-thin": (r) => `m${number(-r)} ${number(-r)}l${number(2 * r)} ${number(2 * r)}m0 ${number(-2 * r)}l${number(-2 * r)} ${number(2 * r)}`,
  "line-ew": (r) => `m${number(-1.4 * r)} 0h${number(2.8 * r)}`,
  "line-ns": (r) => `m0 ${number(-1.4 * r)}v${number(2.8 * r)}`,
};
const LINES = ["x-thin", "line-ew", "line-ns"]; // which have no inside

// What is drawn of a trace.
export function modeOf(trace) {
  const mode = trace.mode || "lines";
  if (!MODES.includes(mode)) throw new NotDrawn("scatter.mode", mode);
  return mode;
}

// How the mark of one point looks, by a marker of single values.
export function markOf(marker) {
  const symbol = marker.symbol || "circle";
  const open = symbol.endsWith(OPEN);
  const shape = open ? symbol.slice(0, -OPEN.length) : symbol;
  oneOf(SHAPES, shape, "marker.symbol");
  const own = marker.color || EDGE;
  const edge = marker.line ?? {};
  const wide = Number(edge.width || 0);
  const made = { shape, size: Number(marker.size ?? 6), opacity: opacityOf(marker) };
  if (open || LINES.includes(shape)) {
    const [around, width] = open ? [own, wide || 1] : [edge.color || own, wide];
    return { ...made, look: { fill: "none", ...paint("stroke", around), "stroke-width": number(width) } };
  }
  return { ...made, look: { ...paint("fill", own), ...(wide && { ...paint("stroke", edge.color || EDGE), "stroke-width": number(wide) }) } };
}

// Each look that points have, with the points' places among `size`. Points of several sizes are transparent, as plotly has them.
function looks(marker, size) {
  const own = { ...marker };
  if (several(own.size)) own.opacity ??= 0.7;
  const names = ["size", "symbol", "color", "opacity"].filter((name) => several(own[name]));
  if (!names.length) return [[markOf(own), Array.from({ length: size }, (_, i) => i)]];
  const columns = names.map((name) => each(own[name], size));
  const found = new Map();
  for (let i = 0; i < Math.min(size, ...columns.map((column) => column.length)); i++) {
    const values = columns.map((column) => column[i]);
    const key = JSON.stringify(values);
    if (!found.has(key)) found.set(key, [markOf({ ...own, ...Object.fromEntries(names.map((name, j) => [name, values[j]])) }), []]);
    found.get(key)[1].push(i);
  }
  return [...found.values()];
}

// A mark at each point in pixels: one path, and several where they are transparent, as overlaps are darker then.
export function marks(points, { shape, size, look, opacity }) {
  if (!points.length || !(size > 0)) return [];
  const drawn = SHAPES[shape](size / 2);
  const all = points.map(([x, y]) => `M${number(x)} ${number(y)}${drawn}`);
  if (opacity >= 1 || all.length === 1) return [node("path", { d: all.join(""), ...look, ...(opacity < 1 && { opacity: share(opacity) }) })];
  return [group(all.map((d) => node("path", { d, opacity: share(opacity) })), look)];
}

// The corners of a line of this shape.
function stepped(xs, ys, shape) {
  if (shape === "linear") return [xs, ys];
  if (shape === "hv") return [xs.flatMap((x) => [x, x]).slice(1), ys.flatMap((y) => [y, y]).slice(0, -1)];
  if (shape !== "hvh") throw new NotDrawn("line.shape", shape);
  const middles = xs.slice(1).map((x, i) => (x + xs[i]) / 2);
  return [[xs[0], ...middles.flatMap((x) => [x, x]), xs.at(-1)], ys.flatMap((y) => [y, y])];
}

// Nodes of each trace of one plot, in order: [trace, nodes]. `once`: makes what does not change no second time.
export function points(traces, x, y, layout, once) {
  const beside = besideOf(traces, x, layout);
  return traces.map((trace, i) => {
    const before = traces[i - 1];
    const off = beside[trace.offsetgroup] ?? 0;
    const make = () => pointsOf(trace, lineOf(trace, off, x, y), trace.fill === "tonexty" && before ? lineOf(before, 0, x, y).line : null, x, y);
    return [trace, once(trace, [off, trace.fill ? before?.given.changed : 0], make)];
  });
}

// Its points in pixels, and the line along them.
function lineOf(trace, off, x, y) {
  const places = x.counted(trace.x);
  const xs = x.at(off ? places.map((at) => at + off) : places);
  const ys = y.place(trace.y);
  const size = Math.min(xs.length, ys.length);
  return { xs, ys, size, line: stepped(xs.slice(0, size), ys.slice(0, size), trace.line?.shape || "linear") };
}

// Area, whiskers, line, marks and texts, in this order.
function pointsOf(trace, { xs, ys, size, line }, before, x, y) {
  const mode = modeOf(trace);
  const drawn = [...area(trace, line, before), ...whiskers(trace, xs, y)];
  const look = mode.includes("lines") ? strokeOf(trace.line ?? {}) : null;
  const d = look && path(...line);
  if (d) drawn.push(node("path", { d, ...look }));
  if (mode.includes("markers") || mode.includes("text")) {
    const room = trace.cliponaxis === false ? 1e-6 : 30;
    const seen = (i) => x.inside(xs[i], room) && y.inside(ys[i], room);
    if (mode.includes("markers")) {
      for (const [mark, at] of looks(trace.marker ?? {}, size)) drawn.push(...marks(at.filter(seen).map((i) => [xs[i], ys[i]]), mark));
    }
    if (mode.includes("text")) drawn.push(...texts(trace, xs, ys, size, seen));
  }
  return asOpaque(trace, drawn);
}

function texts(trace, xs, ys, size, seen) {
  const said = each(trace.text || "", size);
  const type = fontSize(trace.textfont, trace.typeSize);
  const [above, beside] = String(trace.textposition || "middle center").split(" ");
  const [anchor, side] = oneOf(BESIDE, beside ?? "", "scatter.textposition");
  const level = oneOf(LEVELS, above, "scatter.textposition");
  const marked = modeOf(trace).includes("markers") ? trace.marker?.size ?? 6 : 0;
  const largest = several(marked) ? most(numbers(marked)) : marked;
  const away = largest ? largest / 2 / 0.8 + 1 : 0;
  const written = [];
  for (let i = 0; i < size; i++) {
    if (!seen(i)) continue;
    const high = height(said[i], type) - LINE * type;
    const y = ys[i] + level * (away + type * 0.5) + MIDDLE * type - (level < 0 ? high : level ? 0 : high / 2);
    written.push(...write(said[i], xs[i] + side * away, y, type, { anchor }));
  }
  return written;
}

function area(trace, line, before) {
  const kind = trace.fill || "none";
  if (kind === "none") return [];
  const look = trace.fillcolor ? paint("fill", trace.fillcolor) : fill(trace.line ?? {}, 0.5);
  const d = outlines(kind, line, before).filter((one) => one.length).map((one) => traced(one, true)).join("");
  return d ? [node("path", { d, ...look })] : [];
}

function outlines(kind, line, before) {
  const near = (one) => one.map((at) => clip(at, -FAR, FAR));
  const parts = runs(...line).map((run) => run.map(near));
  if (kind === "toself") return parts;
  if (kind !== "tonexty" || !before) throw new NotDrawn("scatter.fill", kind);
  return [[...parts.flat(), ...runs(...before).flat().map(near).reverse()]];
}

// How far the marks of each group stand from their places, where they stand side by side.
function besideOf(traces, x, layout) {
  const mode = layout.scattermode ?? "overlay";
  if (mode === "overlay") return {};
  if (mode !== "group") throw new NotDrawn("layout.scattermode", mode);
  const groups = [...new Set(traces.map((trace) => trace.offsetgroup).filter((one) => one !== undefined))];
  const { middles } = slotsOf(traces.map((trace) => x.counted(trace.x)), 0.2, groups.length);
  return Object.fromEntries(groups.map((name, i) => [name, middles[i]]));
}
