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

// From the lower of two pixels how far it is to the other, without a gap at both.
const span = (one, other, gap) => [Math.min(one, other) + gap, Math.max(0, Math.abs(other - one) - 2 * gap)];

// Every cell, and what stands in it. Cells of one colour that touch in a row are one.
export function cells(trace, x, y) {
  const [across, up] = [x, y].map((axis) => axis.at(ends(axis.counted(trace[axis.letter]))));
  const heights = numbers(trace.z, "z");
  if (heights.length !== up.length - 1 || heights.some((row) => row.length !== across.length - 1)) throw new NotDrawn("heatmap.z", [heights.length, heights[0]?.length ?? 0]);
  const [low, high] = limits(trace);
  const level = (one) => (!Number.isFinite(one) ? -1 : Math.round(LEVELS * (high > low ? clip((one - low) / (high - low), 0, 1) : 0.5)));
  const found = heights.map((row) => row.map(level));
  const scale = scaleOf(trace.colorscale);
  const { xgap = 0, ygap = 0 } = trace;
  const ofLevel = new Map();
  found.forEach((row, j) => {
    for (let first = 0, last; first < row.length; first = last + 1) {
      last = first;
      while (!xgap && last + 1 < row.length && row[last + 1] === row[first]) last++;
      const [[left, wide], [top, tall]] = [span(across[first], across[last + 1], xgap / 2), span(up[j], up[j + 1], ygap / 2)];
      ofLevel.set(row[first], (ofLevel.get(row[first]) ?? "") + box(left, top, wide, tall));
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
  const [begin, end] = limits(trace);
  const shown = end > begin ? [begin, end] : [begin - 0.5, end + 0.5];
  const ticks = (pixels) => new Axis("y", rest, "linear", [], shown, pixels).ticks();
  return {
    // Pixels right of a plot so wide.
    room(wide) {
      const longest = Math.max(0, ...ticks([100, 0]).map(({ text }) => width(text, size)));
      return BESIDE * wide + xpad + Math.max(thickness + AWAY + longest, width(said, size)) + AWAY;
    },
    // Beside a plot of this width and height, whose upper right corner is given: cells one above the other.
    draw(right, top, [wide, high]) {
      const x = right + BESIDE * wide + xpad;
      const [low, upper] = [top + high - xpad, top + xpad + (said ? TITLE_ROOM * size : 0)];
      const steps = Array.from({ length: STRIPES }, (_, i) => i);
      const [across, up] = [new Axis("x", {}, "linear", [], [-0.5, 0.5], [x, x + thickness]), new Axis("y", {}, "linear", [], [-0.5, STRIPES - 0.5], [low, upper])];
      const stripes = cells({ x: [0], y: steps, z: steps.map((one) => [one]), colorscale: trace.colorscale }, across, up);
      const outline = node("path", { d: box(x, upper, thickness, low - upper), fill: "none", stroke: "#444444" });
      const texts = ticks([low, upper]).flatMap(({ text, pixel }) => write(text, x + thickness + AWAY, pixel + MIDDLE * size, size));
      return [...stripes, outline, ...texts, ...write(said, x, upper - size, size)];
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
      if (!high.every(Number.isFinite)) continue;
      const cut = corners.flatMap((one, k) => (above[k] === above[(k + 1) % 4] ? [] : [cutAt(one, corners[(k + 1) % 4], across, up, heights, level)]));
      const middle = high.reduce((sum, one) => sum + one, 0) / 4;
      if (cut.length === 4 && middle > level !== above[0]) cut.push(cut.shift()); // of a saddle the middle tells which corners belong together
      for (let k = 0; k < cut.length; k += 2) found.push([cut[k], cut[k + 1]]);
    }
  }
  return found;
}

// Along a side, as if the height rose evenly. The side is its `key`, and the same for both cells that share it.
function cutAt(one, other, across, up, heights, level) {
  const [[b, a], [d, c]] = one[0] + one[1] < other[0] + other[1] ? [one, other] : [other, one];
  const share = (level - heights[b][a]) / (heights[d][c] - heights[b][a]);
  return Object.assign([across[a] + share * (across[c] - across[a]), up[b] + share * (up[d] - up[b])], { key: [a, b, c, d].join() });
}

// Segments that share an end as lines, each as long as it goes on.
export function chained(segments) {
  const joined = new Map(segments.flat().map(({ key }) => [key, []]));
  for (const [one, other] of segments) {
    joined.get(one.key).push(other);
    joined.get(other.key).push(one);
  }
  const loose = segments.flat().filter(({ key }) => joined.get(key).length === 1);
  return [...loose, ...segments.flat()].flatMap((start) => {
    const line = [start];
    for (let next; (next = joined.get(line.at(-1).key).shift()); line.push(next)) {
      const back = joined.get(next.key);
      back.splice(back.findIndex(({ key }) => key === line.at(-1).key), 1);
    }
    return line.length > 1 ? [line] : [];
  });
}
