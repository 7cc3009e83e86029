// Maps: cells whose colours are numbers, the bar beside one, and lines of equal height over a grid (marching squares).

import { Axis, levels } from "./axis.js";
import { MIDDLE, fontSize, width, write } from "./text.js";
import { NotDrawn, box, clip, finite, group, hex, least, most, node, number, numbers, path, strokeOf } from "./values.js";

const [DARK, OF_DARK, OF_LIGHT] = [128, "#ffffff", "#444444"];
const LEVELS = 255; // of colours
const [THICK, PAD, AWAY] = [30, 10, 4]; // pixels of the bar beside a map
const [STRIPES, BESIDE] = [64, 0.02]; // of the plot's width between it and the bar
const TITLE_ROOM = 2.2; // heights of its type
const MANY = 15; // lines of equal height

// Red, green and blue at a share between both ends of a scale.
function scaleOf(given) {
  const stops = given.map(([at, colour]) => [Number(at), [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))]);
  return (share) => {
    const at = clip(share, 0, 1);
    const after = Math.max(1, stops.findIndex(([stop]) => stop >= at));
    const [[low, one], [high, other]] = [stops[after - 1], stops[after]];
    return one.map((part, i) => Math.round(part + ((at - low) / (high - low)) * (other[i] - part)));
  };
}

// The colour of a text on this ground, as plotly chooses it.
const readOn = ([red, green, blue]) => ((299 * red + 587 * green + 114 * blue) / 1000 < DARK ? OF_DARK : OF_LIGHT);

// Where cells end that have these middles.
export function ends(centres) {
  if (centres.length === 1) return [centres[0] - 0.5, centres[0] + 0.5];
  const between = centres.slice(1).map((one, i) => (one + centres[i]) / 2);
  return [2 * centres[0] - between[0], ...between, 2 * centres.at(-1) - between.at(-1)];
}

// The numbers of both ends of the colours.
function limits(trace) {
  const known = finite(numbers(trace.z, "z").flat());
  return [trace.zmin ?? (known.length ? least(known) : 0), trace.zmax ?? (known.length ? most(known) : 1)];
}

// Every cell, and what stands in it. Cells of one colour that touch in a row are one.
export function cells(trace, x, y) {
  const [across, up] = [x, y].map((axis) => axis.at(ends(axis.counted(trace[axis.letter]))));
  const heights = numbers(trace.z, "z");
  if (heights.length !== up.length - 1 || heights.some((row) => row.length !== across.length - 1)) throw new NotDrawn("heatmap.z", [heights.length, heights[0]?.length ?? 0]);
  const [low, high] = limits(trace);
  const level = (one) => (!Number.isFinite(one) ? -1 : high > low ? Math.round(clip((one - low) / (high - low), 0, 1) * LEVELS) : Math.round(LEVELS / 2));
  const found = heights.map((row) => row.map(level));
  const scale = scaleOf(trace.colorscale);
  const [xgap, ygap] = [Number(trace.xgap || 0) / 2, Number(trace.ygap || 0) / 2];
  const ofLevel = new Map();
  found.forEach((row, j) => {
    for (let first = 0, last; first < row.length; first = last + 1) {
      last = first;
      while (!xgap && last + 1 < row.length && row[last + 1] === row[first]) last++;
      const [left, right, bottom, top] = [across[first], across[last + 1], up[j], up[j + 1]];
      const cell = box(Math.min(left, right) + xgap, Math.min(bottom, top) + ygap, Math.max(0, Math.abs(right - left) - 2 * xgap), Math.max(0, Math.abs(bottom - top) - 2 * ygap));
      ofLevel.set(row[first], (ofLevel.get(row[first]) ?? "") + cell);
    }
  });
  const drawn = [...ofLevel].filter(([at]) => at >= 0).map(([at, d]) => node("path", { d, fill: hex(scale(at / LEVELS)) }));
  return [group(drawn, { "shape-rendering": "crispEdges" }), ...cellTexts(trace, across, up, found.map((row) => row.map((at) => readOn(scale(at / LEVELS)))))];
}

function cellTexts(trace, across, up, colours) {
  if (!trace.texttemplate) return [];
  const size = fontSize(trace.textfont, trace.typeSize);
  return trace.text.flatMap((row, j) =>
    row.flatMap((one, i) => write(one, (across[i] + across[i + 1]) / 2, (up[j] + up[j + 1]) / 2 + MIDDLE * size, size, { anchor: "middle", colour: colours[j][i] })),
  );
}

// The bar beside the first map that does not leave it out, which tells what number a colour is; null without one.
export function colourBar(data, size) {
  const trace = data.find((one) => one.type === "heatmap" && one.showscale !== false);
  if (!trace) return null;
  const { thickness = THICK, xpad = PAD, title, ...rest } = trace.colorbar ?? {};
  const said = String(title?.text ?? "");
  const axisOn = (pixels) => {
    const [low, high] = limits(trace);
    return new Axis("y", rest, "linear", [], high > low ? [low, high] : [low - 0.5, high + 0.5], pixels);
  };
  return {
    // Pixels right of a plot so wide.
    room(wide) {
      const longest = Math.max(0, ...axisOn([100, 0]).ticks().map(({ text }) => width(text, size)));
      return BESIDE * wide + xpad + Math.max(thickness + AWAY + longest, width(said, size)) + AWAY;
    },
    // Beside a plot of this width and height, whose upper right corner is given.
    draw(right, top, [wide, high]) {
      const x = right + BESIDE * wide + xpad;
      const [low, upper] = [top + high - xpad, top + xpad + (said ? TITLE_ROOM * size : 0)];
      const step = (low - upper) / STRIPES;
      const scale = scaleOf(trace.colorscale);
      const stripes = Array.from({ length: STRIPES }, (_, i) =>
        node("path", { d: `M${number(x)} ${number(low - i * step)}h${number(thickness)}v${number(-(step + (i < STRIPES - 1 ? 0.5 : 0)))}h${number(-thickness)}z`, fill: hex(scale((i + 0.5) / STRIPES)) }),
      );
      const outline = node("path", { d: box(x, upper, thickness, low - upper), fill: "none", stroke: "#444444" });
      const texts = axisOn([low, upper]).ticks().flatMap(({ text, pixel }) => write(text, x + thickness + AWAY, pixel + MIDDLE * size, size));
      return [group(stripes, { "shape-rendering": "crispEdges" }), outline, ...texts, ...write(said, x, upper - size, size)];
    },
  };
}

// Lines of equal height alone, in the colours of the scale.
export function contours(trace, x, y) {
  const [across, up, heights] = [x.place(trace.x), y.place(trace.y), numbers(trace.z, "z")];
  const known = finite(heights.flat());
  const [low, high] = known.length ? [least(known), most(known)] : [0, 0];
  const scale = scaleOf(trace.colorscale);
  return levels(low, high, trace.ncontours || MANY).flatMap((level) => {
    const d = chained(crossings(across, up, heights, level)).map((line) => path(line.map(([a]) => a), line.map(([, b]) => b))).join("");
    return d ? [node("path", { d, ...strokeOf({ width: 1.5, ...trace.line, color: hex(scale((level - low) / (high - low))) }) })] : [];
  });
}

// Where a height cuts through the cells of a grid: from one of a cell's sides to another.
export function crossings(across, up, heights, level) {
  const found = [];
  for (let j = 0; j + 1 < up.length; j++) {
    for (let i = 0; i + 1 < across.length; i++) {
      const corners = [[j, i], [j, i + 1], [j + 1, i + 1], [j + 1, i]];
      const high = corners.map(([b, a]) => heights[b][a]);
      const above = high.map((one) => one > level);
      if (above.every((one) => one === above[0]) || !high.every(Number.isFinite)) continue;
      let cut = corners.flatMap((one, k) => (above[k] === above[(k + 1) % 4] ? [] : [cutAt(one, corners[(k + 1) % 4], across, up, heights, level)]));
      const middle = high.reduce((sum, one) => sum + one, 0) / 4;
      if (cut.length === 4 && middle > level !== above[0]) cut = [...cut.slice(1), cut[0]]; // of a saddle the middle tells which corners belong together
      for (let k = 0; k < cut.length; k += 2) if (cut[k].key !== cut[k + 1].key) found.push([cut[k], cut[k + 1]]);
    }
  }
  return found;
}

// Along a side, as if the height rose evenly. The same from both cells that share it.
function cutAt(one, other, across, up, heights, level) {
  const [[b, a], [d, c]] = one[0] - other[0] || one[1] - other[1] > 0 ? (one[0] < other[0] ? [one, other] : [other, one]) : [one, other];
  const share = (level - heights[b][a]) / (heights[d][c] - heights[b][a]);
  const [x, y] = [across[a] + share * (across[c] - across[a]), up[b] + share * (up[d] - up[b])];
  return Object.assign([x, y], { key: `${x.toFixed(6)} ${y.toFixed(6)}` });
}

// Segments that share an end as lines, each as long as it goes on.
export function chained(segments) {
  const at = new Map();
  segments.forEach((ends, i) => ends.forEach(({ key }) => at.set(key, [...(at.get(key) ?? []), i])));
  const left = new Set(segments.keys());
  const loose = [...segments.keys()].filter((i) => segments[i].some(({ key }) => at.get(key).length === 1));
  const lines = [];
  for (const start of [...loose, ...segments.keys()]) {
    if (!left.delete(start)) continue;
    let [first, last] = segments[start];
    if (at.get(first.key).length > 1 && at.get(last.key).length === 1) [first, last] = [last, first];
    const line = [first, last];
    for (;;) {
      const onward = at.get(line.at(-1).key).find((i) => left.has(i));
      if (onward === undefined) break;
      left.delete(onward);
      const [one, other] = segments[onward];
      line.push(one.key === line.at(-1).key ? other : one);
    }
    lines.push(line);
  }
  return lines;
}
