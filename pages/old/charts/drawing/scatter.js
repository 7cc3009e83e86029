// Lines, marks, areas and texts at points.

import { whiskers } from "./bars.js";
import { LINE, MIDDLE, fontSize, height, write } from "./text.js";
import { FAR, clip, each, fill, group, most, node, number, opacityOf, paint, path, runs, several, share, strokeOf, traced } from "./values.js";

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

// How the mark of one point looks, by a marker of single values.
export function markOf(marker) {
  const symbol = marker.symbol || "circle";
  const open = symbol.endsWith(OPEN);
  const shape = open ? symbol.slice(0, -OPEN.length) : symbol;
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
  const twice = (list) => list.flatMap((one) => [one, one]);
  if (shape === "linear") return [xs, ys];
  if (shape === "hv") return [twice(xs).slice(1), twice(ys).slice(0, -1)];
  const middles = xs.slice(1).map((x, i) => (x + xs[i]) / 2);
  return [[xs[0], ...twice(middles), xs.at(-1)], twice(ys)];
}

// Its points in pixels, and the line along them.
function lineOf(trace, middle, x, y) {
  const places = x.counted(trace.x);
  const xs = x.at(middle ? places.map((at) => at + middle) : places);
  const ys = y.place(trace.y);
  const size = Math.min(xs.length, ys.length);
  return { xs, ys, size, line: stepped(xs.slice(0, size), ys.slice(0, size), trace.line.shape ?? "linear") };
}

// Area, whiskers, line, marks and texts, in this order. `before`: the trace that an area reaches to.
export function points(trace, x, y, { middle }, before) {
  const { mode = "lines" } = trace;
  const { xs, ys, size, line } = lineOf(trace, middle, x, y);
  const drawn = [...area(trace, line, before && lineOf(before, 0, x, y).line), ...whiskers(trace, xs, y)];
  const look = mode.includes("lines") ? strokeOf(trace.line) : null;
  const d = look && path(...line);
  if (d) drawn.push(node("path", { d, ...look }));
  if (mode === "lines") return drawn;
  const room = trace.cliponaxis === false ? 1e-6 : 30;
  const seen = (i) => x.inside(xs[i], room) && y.inside(ys[i], room);
  const placed = ([mark, at]) => marks(at.filter(seen).map((i) => [xs[i], ys[i]]), mark);
  if (mode.includes("markers")) drawn.push(...looks(trace.marker, size).flatMap(placed));
  return mode.includes("text") ? [...drawn, ...texts(trace, xs, ys, size, seen)] : drawn;
}

function texts(trace, xs, ys, size, seen) {
  const said = each(trace.text || "", size);
  const type = fontSize(trace.textfont, trace.typeSize);
  const colour = trace.textfont?.color ? paint("fill", trace.textfont.color).fill : "";
  const [above, beside] = (trace.textposition ?? "middle center").split(" ");
  const [[anchor, side], level] = [BESIDE[beside], LEVELS[above]];
  const largest = trace.mode.includes("markers") ? most(each(trace.marker.size ?? 6, 1)) : 0;
  const away = largest ? largest / 2 / 0.8 + 1 : 0;
  return xs.slice(0, size).flatMap((x, i) => {
    if (!seen(i)) return [];
    const high = height(said[i], type) - LINE * type;
    const y = ys[i] + level * (away + type * 0.5) + MIDDLE * type - ((1 - level) / 2) * high;
    return write(said[i], x + side * away, y, type, { anchor, colour });
  });
}

function area(trace, line, before) {
  if ((trace.fill ?? "none") === "none") return [];
  const near = (one) => one.map((at) => clip(at, -FAR, FAR));
  const parts = runs(...line).map((run) => run.map(near));
  const outlines = trace.fill === "toself" ? parts : [[...parts.flat(), ...(before ? runs(...before) : []).flat().map(near).reverse()]];
  const d = outlines.filter((one) => one.length).map((one) => traced(one, true)).join("");
  return d ? [node("path", { d, ...areaLook(trace) })] : [];
}

export const areaLook = (trace) => (trace.fillcolor ? paint("fill", trace.fillcolor) : fill(trace.line ?? {}, 0.5));
