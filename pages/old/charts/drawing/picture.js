// A figure with everything at its place: margins, axes, plots and legends; and its nodes, from behind to before.

import { beyondPlot, grid, labels, needed, onTop, zeroLine } from "./axes.js";
import { Axis, asCounted, namesIn, reachOf, reached } from "./axis.js";
import { bars, lengths, room, slots } from "./bars.js";
import { above, drawLegend, isDrawn, legends } from "./legend.js";
import { cells, colourBar, contours, ends } from "./maps.js";
import { note, shape } from "./notes.js";
import { points } from "./scatter.js";
import { ANCHORS, fontSize, write } from "./text.js";
import { asOpaque, drawnWith, each, group, node, number } from "./values.js";

const TYPE = 12;
const MOST_NAMES = 0.5; // of the height: a picture whose names need more gets higher
const PLOTLY = { l: 80, r: 80, t: 100, b: 80 };
const LEAST = 10; // pixels of a plot
const [LEAST_MARK, OF_MARK] = [3, 1.6]; // pixels, and how many times the room a mark is wide
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#C2689B", "#B87D00", "#2F8FC4", "#7F7F7F"];
const BOLD = 600;
const RISE = 0.78; // of the type, to its top
const DRAWN = { heatmap: cells, contour: contours, bar: bars, scatter: points }; // from behind to before

const kept = new WeakMap(); // of a part of a figure what was made of it last

// What is made of a part; the same as last time where nothing changed that it hangs `on`.
function once(part, what, on, make) {
  if (!kept.has(part)) kept.set(part, {});
  const known = kept.get(part);
  const key = on.join();
  if (known[what]?.key !== key) known[what] = { key, made: make() };
  return known[what].made;
}

// A trace with its kind, a colour where it has none, and a name.
function complete(given, i, typeSize) {
  const { type = "scatter", name = `trace ${i}`, line, marker } = given;
  const ofLine = line?.color || (typeof marker?.color === "string" && marker.color) || COLOURS[i % COLOURS.length];
  const ofMarks = marker?.color || line?.color || COLOURS[i % COLOURS.length];
  return { ...given, given, type, name, typeSize, line: { ...line, color: ofLine }, marker: { ...marker, color: ofMarks } };
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

// What the traces of one plot need of its axes: [axis, values, and how much room beyond them].
function* needsOf(traces, x, y, layout) {
  const placesOf = (values) => asCounted(values, x);
  const standing = traces.filter(({ type }) => type === "bar");
  const taken = slots(standing, placesOf, layout);
  for (const trace of traces) {
    const { type, mode = "lines", marker, fill } = trace;
    const [at, values, reach] = [placesOf(trace.x), asCounted(trace.y, y), lengths(trace)];
    if (reach) yield [y, [-1, 1].flatMap((sign) => values.map((one, i) => one + sign * reach[i])), { padded: true }];
    if (type === "bar") {
      yield [x, room(trace, at, taken[standing.indexOf(trace)])];
      yield [y, values, { padded: true, fromZero: true }];
    } else if (type !== "scatter") {
      yield [x, type === "heatmap" ? ends(at) : at];
      yield [y, type === "heatmap" ? ends(values) : values];
    } else {
      const grouped = layout.scattermode === "group"; // where a mark needs no room of its own, as plotly has it
      const padded = Boolean(trace.error_y) || (fill !== "tonexty" && /markers|text/.test(mode));
      const sizes = each(marker.size ?? 6, at.length); // each needs its own room
      for (const size of new Set(sizes)) {
        const own = (list) => list.filter((_, i) => sizes[i] === size);
        const pixels = mode.includes("markers") && !grouped ? Math.max(size / OF_MARK, LEAST_MARK) : 0;
        if (grouped) yield [x, own(at).flatMap((one) => [one - 0.5, one + 0.5])];
        else yield [x, own(at), { pixels: padded ? pixels : 0, padded }];
        yield [y, own(values), { pixels, padded: true }];
      }
    }
  }
}

// All axes by their names, x2 say, in a picture with these margins.
function axesOf(pairs, layout, margins) {
  const found = {};
  for (const name of new Set(pairs.flatMap(({ names }) => names))) {
    const traces = pairs.filter(({ names }) => names.includes(name)).flatMap((pair) => pair.traces);
    const categories = [...new Set(traces.flatMap((trace) => namesIn(trace[name[0]])))]; // in the order in which the traces have them
    const mapped = traces.some(({ type }) => type === "heatmap" || type === "contour"); // where plotly has ticks
    const given = { ...(mapped && { ticks: "outside" }), ...axisGiven(layout, name) };
    found[name] = { given, kind: given.type ?? (categories.length ? "category" : "linear"), categories, needs: [] };
  }
  for (const { names, traces } of pairs) {
    const [x, y] = names.map((name) => found[name]);
    if (x.given.range && y.given.range) continue;
    for (const [axis, values, more] of needsOf(traces, x, y, layout)) axis.needs.push(...reachOf(values, more));
  }
  for (const one of Object.values(found)) {
    const other = found[one.given.matches];
    if (other) one.needs = other.needs = [...one.needs, ...other.needs];
  }
  const made = Object.entries(found).map(([name, { given, kind, categories, needs }]) => {
    const domain = (found[given.overlaying]?.given ?? given).domain ?? [0, 1];
    const [begin, end] = name[0] === "x" ? acrossOf(margins) : upOf(margins);
    const pixels = domain.map((share) => begin + share * (end - begin));
    const toZero = given.rangemode === "tozero" && kind === "linear";
    const shown = given.range?.map(Number) ?? reached(needs, Math.abs(pixels[1] - pixels[0]), name[0], toZero, kind);
    return [name, new Axis(name, given, kind, categories, shown, pixels)];
  });
  return Object.fromEntries(made);
}

const acrossOf = ({ left, right, wide }) => [left, Math.max(left + LEAST, wide - right)];

function upOf({ top, bottom, high }) {
  const low = Math.max(LEAST, high - bottom);
  return [low, Math.min(top, low - LEAST)];
}

// Of a figure's data and layout, on so many pixels, or on more below one another.
export function pictureOf({ data, layout }, wide, high) {
  const size = fontSize(layout.font, TYPE);
  const all = data.map((trace, i) => complete(trace, i, size));
  const there = all.filter(isDrawn);
  const { l, r, t, b } = { ...PLOTLY, ...layout.margin };
  const margins = { wide, high, left: l, right: r, top: t, bottom: b };
  const atLeast = (side, pixels) => (margins[side] = Math.max(margins[side], pixels));
  const bar = colourBar(there, size);
  if (bar) atLeast("right", bar.room(wide - l - r));
  const found = legends(all, layout, acrossOf(margins)[1] - l, size);
  const names = () => Math.max(0, ...found.map((one) => above(one, margins.bottom, margins.high)));
  margins.high += Math.max(0, names() - MOST_NAMES * high);
  atLeast("top", names());
  const pairs = pairsOf(there, layout);
  let axes = axesOf(pairs, layout, margins);
  const asking = Object.values(axes).filter(({ given }) => given.automargin);
  for (const axis of asking) {
    atLeast(axis.letter === "x" ? "bottom" : "left", needed(axis, size));
    if (axis.letter === "x") atLeast("right", beyondPlot(axis, size));
  }
  if (asking.length) axes = axesOf(pairs, layout, margins);
  const plots = pairs.map(({ names: [x, y], traces }) => ({ x: axes[x], y: axes[y], traces }));
  return { layout, margins, axes, plots, legends: found, bar, size, across: acrossOf(margins), up: upOf(margins) };
}

// Its nodes. `theme`: the colours of the lines behind the data, and of the ground.
export function layers(picture, theme) {
  const { layout, axes, plots, across, up } = picture;
  const shapes = layout.shapes ?? [];
  const size = [across[1] - across[0], up[0] - up[1]];
  const around = [drawnWith(), ...Object.values(picture.margins)];
  const drawn = Object.values(axes).map((axis) => once(layout, axis.name, [axis.key, axis.given.changed, ...around], () => ofAxis(axis, picture)));
  const behind = (name, width) => {
    const d = drawn.map((one) => one[name]).join("");
    return d ? [node("path", { d, fill: "none", stroke: theme.grid, ...width })] : [];
  };
  const legendOf = (one, i) =>
    once(layout, `legend ${i}`, [...one.entries.flatMap(({ trace, x, y }) => [trace.name, x, y]), ...around], () => drawLegend(one, across[0], up[1], size));
  return [
    ...behind("grid"),
    ...behind("zero", { "stroke-width": "2" }),
    ...shapes.filter((one) => one.layer === "below").flatMap((one) => shape(picture, one)),
    ...plots.flatMap((plot) => clippedTraces(plot, layout)),
    ...shapes.filter((one) => one.layer !== "below").flatMap((one) => shape(picture, one)),
    ...drawn.flatMap((one) => one.labels),
    ...(picture.bar?.draw(across[1], up[1], size) ?? []),
    ...picture.legends.flatMap(legendOf),
    ...(layout.annotations ?? []).flatMap((one) => note(picture, one, theme.ground)),
    ...title(picture),
  ];
}

// The lines at the numbers of an axis, on each of its plots, and at 0; and its numbers and title where the plot ends that it belongs to.
function ofAxis(axis, picture) {
  const upright = axis.letter === "y";
  const others = picture.plots.filter(({ x, y }) => x === axis || y === axis).map(({ x, y }) => (upright ? x : y));
  const lines = [...new Map(others.map(({ pixels }) => [pixels.join(), pixels])).values()];
  const ends = picture.axes[axis.given.anchor ?? (upright ? "x" : "y")]?.pixels ?? (upright ? picture.across : picture.up);
  return { grid: grid(axis, lines), zero: zeroLine(axis, lines), labels: labels(axis, ends[onTop(axis) ? 1 : 0], picture.size, picture.margins.high) };
}

// Each trace of a plot; what may not leave its plot stands in a picture of its own, so that nothing needs a name.
function clippedTraces({ x, y, traces }, layout) {
  const drawn = Object.entries(DRAWN).flatMap(([kind, draw]) => {
    const some = traces.filter(({ type }) => type === kind);
    const taken = slots(some, (values) => x.counted(values), layout);
    return some.map((trace, i) => {
      const before = trace.fill === "tonexty" ? some[i - 1] : null;
      const on = [trace.changed, before?.changed, x.key, y.key, drawnWith(), ...Object.values(taken[i])];
      return [trace.cliponaxis !== false, once(trace.given, "drawn", on, () => asOpaque(trace, draw(trace, x, y, taken[i], before)))];
    });
  });
  const [left, right, top, bottom] = [...x.pixels, y.pixels[1], y.pixels[0]].map(number);
  const [wide, high] = [number(x.pixels[1] - x.pixels[0]), number(y.pixels[0] - y.pixels[1])];
  const made = [];
  let last = null;
  for (const [cut, nodes] of drawn.filter(([, nodes]) => nodes.length)) {
    if (cut !== last) made.push(cut ? node("svg", { x: left, y: top, width: wide, height: high, viewBox: `${left} ${top} ${wide} ${high}` }, []) : group([]));
    last = cut;
    made.at(-1).inside.push(...nodes);
  }
  return made;
}

// The figure's own title, at the top of the picture.
function title({ layout, margins }) {
  const { text, font = {}, x = 0.05, xanchor = "left", pad } = layout.title ?? {};
  const size = fontSize(font, 17);
  return write(text, margins.wide * x, Number(pad?.t ?? 0) + RISE * size, size, { anchor: ANCHORS[xanchor], bold: Number(font.weight ?? 400) >= BOLD });
}
