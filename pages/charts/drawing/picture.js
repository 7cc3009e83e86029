// A figure with everything at its place: margins, axes, plots and legends; and its nodes, from behind to before.

import { beyondPlot, grid, labels, needed, side, zeroLine } from "./axes.js";
import { Axis, counted, kindOf, namesIn, reachOf, reached } from "./axis.js";
import { bars, lengths, room, slots } from "./bars.js";
import { above, drawLegend, isDrawn, legends } from "./legend.js";
import { cells, colourBar, contours, ends } from "./maps.js";
import { note, shape } from "./notes.js";
import { modeOf, points } from "./scatter.js";
import { ANCHORS, fontSize, write } from "./text.js";
import { NotDrawn, count, drawnWith, group, node, number, numbers, oneOf, several } from "./values.js";

const TYPE = 12;
const MOST_NAMES = 0.5; // of the height: a picture whose names need more gets higher
const PLOTLY = { l: 80, r: 80, t: 100, b: 80 };
const LEAST = 10; // pixels of a plot
const [LEAST_MARK, OF_MARK] = [3, 1.6]; // pixels, and how many times the room a mark is wide
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F"];
const BOLD = 600;
const RISE = 0.78; // of the type, to its top

const kept = new WeakMap(); // of a trace what was made of it last

// What is made of a trace; the same as last time where nothing changed that it hangs on: itself, and what is in `on`.
function once(trace, what, on, make) {
  if (!kept.has(trace)) kept.set(trace, {});
  const known = kept.get(trace);
  const key = [trace.changed ?? 0, ...on].join();
  if (known[what]?.key !== key) known[what] = { key, made: make() };
  return known[what].made;
}

// A trace with its kind, a colour where it has none, and a name.
function complete(trace, i, typeSize) {
  const own = COLOURS[i % COLOURS.length];
  const made = { ...trace, type: trace.type ?? "scatter", typeSize, name: trace.name ?? `trace ${i}` };
  made.given = trace;
  const { line = {}, marker = {} } = trace;
  if (made.type === "scatter") {
    for (const [letter, other] of [["x", "y"], ["y", "x"]]) made[letter] ??= Array.from({ length: count(trace[other]) }, (_, at) => at);
  }
  if (!marker.color) made.marker = { ...marker, color: line.color || own };
  if (!line.color) made.line = { ...line, color: typeof marker.color === "string" ? marker.color : own };
  return made;
}

const axisGiven = (layout, name) => layout[`${name[0]}axis${name.slice(1)}`] ?? {};

// The plots: the traces of each pair of axes; what lies over another comes after it.
function pairsOf(data, layout) {
  const found = new Map();
  for (const trace of data) {
    const pair = `${trace.xaxis || "x"} ${trace.yaxis || "y"}`;
    if (!found.has(pair)) found.set(pair, []);
    found.get(pair).push(trace);
  }
  if (!found.size) found.set("x y", []);
  const over = (pair) => pair.split(" ").some((name) => "overlaying" in axisGiven(layout, name));
  return [...found].map(([pair, traces]) => ({ names: pair.split(" "), traces, over: over(pair) })).sort((a, b) => a.over - b.over);
}

// [size, those of its values] of the marks of a trace: each needs its own room.
function ofSizes(trace, many) {
  const size = trace.marker?.size ?? 6;
  if (!several(size)) return [[size, (values) => values]];
  const sizes = numbers(size).slice(0, many);
  return [...new Set(sizes)].map((one) => [one, (values) => values.filter((_, i) => sizes[i] === one)]);
}

// What the traces of one plot need of its axes, by x and y.
function reaches(traces, x, y, layout) {
  const found = { x: [], y: [] };
  const put = (letter, values, more) => {
    const reach = reachOf(values, more);
    if (reach) found[letter].push(reach);
  };
  const standing = traces.filter(({ type }) => type === "bar");
  const places = standing.map((trace) => counted(trace.x, ...x));
  const taken = slots(standing, places, layout);
  const ofWhiskers = (trace, values) => {
    const reach = lengths(trace);
    if (reach) put("y", [...values.map((one, i) => one - reach[i]), ...values.map((one, i) => one + reach[i])], { padded: true });
  };
  standing.forEach((trace, i) => {
    const values = counted(trace.y, ...y);
    put("x", room(trace, places[i], taken, i));
    put("y", values, { padded: true, fromZero: true });
    ofWhiskers(trace, values);
  });
  for (const trace of traces) {
    if (trace.type === "heatmap") for (const [letter, axis] of [["x", x], ["y", y]]) put(letter, ends(counted(trace[letter], ...axis)));
    if (trace.type === "contour") for (const [letter, axis] of [["x", x], ["y", y]]) put(letter, counted(trace[letter], ...axis));
    if (trace.type !== "scatter") continue;
    const mode = modeOf(trace);
    const padded = Boolean(trace.error_y) || (trace.fill !== "tonexty" && (mode.includes("markers") || mode.includes("text")));
    const [at, values] = [counted(trace.x, ...x), counted(trace.y, ...y)];
    for (const [size, some] of ofSizes(trace, at.length)) {
      const pixels = mode.includes("markers") ? Math.max(size / OF_MARK, LEAST_MARK) : 0;
      const kept = some(at);
      if (layout.scattermode === "group") put("x", [...kept.map((one) => one - 0.5), ...kept.map((one) => one + 0.5)]);
      else put("x", kept, { pixels: padded ? pixels : 0, padded });
      put("y", some(values), { pixels, padded: true });
    }
    ofWhiskers(trace, values);
  }
  return found;
}

// All axes by their names, x2 say, in a picture with these margins.
function axesOf(pairs, layout, margins) {
  const names = [...new Set(pairs.flatMap((pair) => pair.names))];
  const on = (name) => pairs.filter((pair) => pair.names.includes(name)).flatMap(({ traces }) => traces);
  const given = {};
  const kinds = {};
  const needs = {};
  for (const name of names) {
    const own = (trace) => once(trace.given, `names ${name[0]}`, [], () => namesIn(trace[name[0]]));
    const categories = [...new Set(on(name).flatMap(own))]; // in the order in which the traces have them
    const mapped = on(name).some(({ type }) => type === "heatmap" || type === "contour"); // where plotly has ticks
    given[name] = { ...(mapped && { ticks: "outside" }), ...axisGiven(layout, name) };
    kinds[name] = [kindOf(given[name], categories), categories];
    needs[name] = [];
  }
  for (const { names: [x, y], traces } of pairs) {
    if ([x, y].every((name) => given[name].range)) continue;
    const found = reaches(traces, kinds[x], kinds[y], layout);
    needs[x].push(...found.x);
    needs[y].push(...found.y);
  }
  for (const name of names) {
    const other = given[name].matches;
    if (other !== undefined) needs[name] = needs[other] = [...new Set([...needs[name], ...needs[other]])];
  }
  return Object.fromEntries(
    names.map((name) => {
      const domain = (given[given[name].overlaying] ?? given[name]).domain ?? [0, 1];
      const [begin, end] = name[0] === "x" ? acrossOf(margins) : upOf(margins);
      const pixels = domain.map((share) => begin + share * (end - begin));
      const shown = given[name].range?.map(Number) ?? reached(needs[name], Math.abs(pixels[1] - pixels[0]), name[0], given[name].rangemode ?? "normal", kinds[name][0]);
      return [name, new Axis(name, given[name], ...kinds[name], shown, pixels)];
    }),
  );
}

const acrossOf = ({ left, right, wide }) => [left, Math.max(left + LEAST, wide - right)];

function upOf({ top, bottom, high }) {
  const low = Math.max(LEAST, high - bottom);
  return [low, Math.min(top, low - LEAST)];
}

// Of a figure's data and layout, on so many pixels, or on more below one another.
export function pictureOf({ data, layout }, wide, high) {
  const size = fontSize(layout.font, TYPE);
  const all = data.map((trace, i) => once(trace, "whole", [i, size], () => complete(trace, i, size)));
  const there = all.filter(isDrawn);
  const { l, r, t, b } = { ...PLOTLY, ...layout.margin };
  const margins = { wide, high, left: l, right: r, top: t, bottom: b };
  const bar = colourBar(there, size);
  if (bar) margins.right = Math.max(r, bar.room(wide - l - r));
  const found = legends(all, layout, acrossOf(margins)[1] - l, size);
  const names = () => Math.max(0, ...found.map((one) => above(one, margins.bottom, margins.high)));
  margins.high += Math.max(0, names() - MOST_NAMES * high);
  margins.top = Math.max(t, names());
  const pairs = pairsOf(there, layout);
  let axes = axesOf(pairs, layout, margins);
  const asking = Object.values(axes).filter((axis) => axis.given.automargin);
  const need = (letter, needs) => asking.filter((axis) => axis.letter === letter).map((axis) => needs(axis, size));
  const wider = { bottom: Math.max(b, ...need("x", needed)), left: Math.max(l, ...need("y", needed)), right: Math.max(margins.right, ...need("x", beyondPlot)) };
  if (Object.entries(wider).some(([name, pixels]) => pixels !== margins[name])) axes = axesOf(pairs, layout, Object.assign(margins, wider));
  const plots = pairs.map(({ names: [x, y], traces }) => ({ x: axes[x], y: axes[y], traces }));
  return { layout, margins, axes, plots, legends: found, bar, size, across: acrossOf(margins), up: upOf(margins) };
}

// Its nodes. `theme`: the colours of the lines behind the data, and of the ground.
export function layers(picture, theme) {
  const { layout, axes, plots, across, up } = picture;
  const shapes = layout.shapes ?? [];
  const size = [across[1] - across[0], up[0] - up[1]];
  const on = [drawnWith(), ...Object.values(axes).map(({ key }) => key), ...Object.values(picture.margins)];
  return [
    ...once(layout, "behind", on, () => behind(picture, theme)),
    ...shapes.filter((one) => one.layer === "below").flatMap((one) => shape(picture, one)),
    ...plots.flatMap((plot) => clippedTraces(plot, layout)),
    ...shapes.filter((one) => one.layer !== "below").flatMap((one) => shape(picture, one)),
    ...once(layout, "labels", on, () => Object.values(axes).flatMap((axis) => axisLabels(axis, picture))),
    ...(picture.bar?.draw(across[1], up[1], size) ?? []),
    ...picture.legends.flatMap((one) => drawLegend(one, across[0], up[1], size)),
    ...(layout.annotations ?? []).flatMap((one) => note(picture, one, theme.ground)),
    ...title(picture),
  ];
}

// The lines at the numbers of each axis, on each of its plots, and at 0.
function behind({ axes, plots }, theme) {
  let [grids, zeros] = ["", ""];
  for (const [name, axis] of Object.entries(axes)) {
    const others = plots.filter(({ x, y }) => x.name === name || y.name === name).map(({ x, y }) => (axis.letter === "x" ? y : x));
    const across = [...new Map(others.map(({ pixels }) => [pixels.join(), pixels])).values()];
    grids += grid(axis, across);
    zeros += zeroLine(axis, across);
  }
  const made = grids ? [node("path", { d: grids, fill: "none", stroke: theme.grid })] : [];
  return zeros ? [...made, node("path", { d: zeros, fill: "none", stroke: theme.grid, "stroke-width": "2" })] : made;
}

// Each trace of a plot; what may not leave its plot stands in a picture of its own, so that nothing needs a name.
function clippedTraces({ x, y, traces }, layout) {
  const on = [x.key, y.key, drawnWith()];
  const ofKind = (kind) => traces.filter(({ type }) => type === kind);
  const standing = ofKind("bar");
  const taken = slots(standing, standing.map((trace) => x.counted(trace.x)), layout);
  const drawn = [
    ...ofKind("heatmap").map((trace) => [true, once(trace.given, "drawn", on, () => cells(trace, x, y))]),
    ...ofKind("contour").map((trace) => [true, once(trace.given, "drawn", on, () => contours(trace, x, y))]),
    ...standing.map((trace, i) => [true, bars(trace, x, y, taken, i)]),
    ...points(ofKind("scatter"), x, y, layout, (trace, before, make) => once(trace.given, "drawn", [...on, before], make)).map(
      ([trace, nodes]) => [trace.cliponaxis !== false, nodes],
    ),
  ].filter(([, nodes]) => nodes.length);
  const [left, right, top, bottom] = [...x.pixels, y.pixels[1], y.pixels[0]].map(number);
  const [wide, high] = [number(x.pixels[1] - x.pixels[0]), number(y.pixels[0] - y.pixels[1])];
  const made = [];
  let last = null;
  for (const [cut, nodes] of drawn) {
    if (cut !== last) made.push(cut ? node("svg", { x: left, y: top, width: wide, height: high, viewBox: `${left} ${top} ${wide} ${high}` }, []) : group([]));
    last = cut;
    made.at(-1).inside.push(...nodes);
  }
  return made;
}

// Numbers and title where the plot ends that the axis belongs to.
function axisLabels(axis, picture) {
  const anchor = axis.given.anchor || (axis.letter === "x" ? "y" : "x");
  if (anchor === "free") throw new NotDrawn("anchor", anchor);
  const around = picture.axes[anchor]?.pixels ?? (axis.letter === "x" ? picture.up : picture.across);
  const line = ["bottom", "left"].includes(side(axis)) ? around[0] : around[1];
  return labels(axis, line, picture.size, [picture.margins.wide, picture.margins.high]);
}

// The figure's own title, at the top of the picture.
function title({ layout, margins }) {
  const said = layout.title ?? {};
  if (!said.text) return [];
  if ((said.yref ?? "container") !== "container" || (said.y ?? 1) !== 1 || (said.yanchor ?? "top") !== "top") throw new NotDrawn("layout.title.y", said.y);
  const font = said.font ?? {};
  const size = fontSize(font, 17);
  const look = { anchor: oneOf(ANCHORS, said.xanchor ?? "left", "layout.title.xanchor"), bold: Number(font.weight ?? 400) >= BOLD };
  return write(said.text, margins.wide * (said.x ?? 0.05), Number(said.pad?.t ?? 0) + RISE * size, size, look);
}
