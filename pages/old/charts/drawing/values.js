// Values of a figure, however they were given, and how SVG writes them: numbers, lines and colours.
// Numbers have two decimals of a pixel, and each point of a line is counted from the one before.

export const FAR = 1e5; // pixels, beyond which a renderer's numbers are too coarse

// A property of a figure, or a value of one, that is not drawn, as it would be drawn wrongly.
export class NotDrawn extends Error {
  constructor(what, got) {
    super(`${what} = ${JSON.stringify(got)}`);
    Object.assign(this, { what, got: got ?? null });
  }
}

export const several = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

// Finite numbers, in lists within lists too, and NaN for all else; a text that is none is an error about `what`.
export function numbers(values, what = "values") {
  if (ArrayBuffer.isView(values)) return Array.from(values);
  return values.map((one) => {
    if (Array.isArray(one)) return numbers(one, what);
    const number = (one ?? "") === "" ? NaN : Number(one);
    if (Number.isNaN(number) && one) throw new NotDrawn(what, values);
    return number;
  });
}

// How many values there are; 0 where none were given.
export const count = (values) => values?.length ?? 0;

// One value a point, of one that is the same for all too.
export const each = (value, size) => (several(value) ? value : Array(size).fill(value));

export const finite = (values) => values.filter(Number.isFinite);

export function least(values) {
  let found = Infinity;
  for (const one of values) if (one < found) found = one;
  return found;
}

export const most = (values) => -least(values.map((one) => -one));

// Nodes of a picture: a tag, attributes and what is inside: nodes, or text.
export const node = (tag, attributes = {}, inside = []) => ({ tag, attributes, inside });

export const group = (inside, attributes = {}) => node("g", attributes, inside);

const RGB = /^rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)$/;

export const hex = (rgb) => `#${Array.from(rgb, (part) => Math.min(255, Math.round(part)).toString(16).padStart(2, "0")).join("")}`;

// A colour, and how opaque it is.
export function colour(value) {
  const found = RGB.exec(value);
  if (found) return [hex(found.slice(1, 4).map(Number)), Number(found[4] ?? 1)];
  return value === "transparent" ? ["none", 0] : [value, 1];
}

// The colours of the palette as they are on the ground of this picture, and how many of its pixels one pixel of a figure is.
let [inks, times, mark] = [{}, 1, ""];

export function drawWith(colours, pixels) {
  [inks, times] = [colours ?? {}, pixels];
  mark = `${times} ${Object.values(inks).join()}`;
}

export const drawnWith = () => mark;

// A fill or a stroke, with how opaque it is.
export function paint(kind, value, shareOf = 1) {
  const [name, own] = colour(value);
  const opacity = own * shareOf;
  const made = { [kind]: inks[name.toUpperCase()] ?? name };
  if (opacity < 1 && name !== "none") made[`${kind}-opacity`] = share(opacity);
  return made;
}

export const opacityOf = (look) => look.opacity ?? 1;

// Of an area, by its color and opacity.
export const fill = (look, shareOf = 1) => paint("fill", look.color || "#444444", shareOf * opacityOf(look));

const DASHES = { // in widths of the line, of a line of at least 3 pixels
  solid: [], dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1], longdashdot: [5, 2, 1, 2],
};

// Lengths of dashes and gaps in pixels: of a style that has a name, or as they are given.
export function dash(name, width) {
  const given = DASHES[name]?.map((part) => part * Math.max(width, 3)) ?? name.split(",").map((part) => parseFloat(part));
  return given.map(number).join(" ");
}

// Of a line, by its color, width and dash; null for a line of no width.
export function strokeOf(line) {
  const width = line.width ?? 2;
  if (width <= 0) return null;
  const dashes = dash(line.dash || "solid", width);
  return { fill: "none", ...paint("stroke", line.color || "#444444"), "stroke-width": number(width), ...(dashes && { "stroke-dasharray": dashes }) };
}

// What was drawn of a trace, as opaque as the trace as a whole says.
export const asOpaque = (trace, drawn) => (trace.opacity === undefined || !drawn.length ? drawn : [group(drawn, { opacity: share(trace.opacity) })]);

const WRITTEN = new Map();

function hundredths(value) {
  let text = WRITTEN.get(value);
  if (text === undefined) {
    text = String(value / 100).replace(/^(-?)0\./, "$1.");
    if (text === "-0") text = "0";
    if (WRITTEN.size < 65536) WRITTEN.set(value, text);
  }
  return text;
}

export const clip = (value, low, high) => Math.min(Math.max(value, low), high);

const inHundredths = (value) => Math.round(100 * times * clip(Number(value), -FAR, FAR)) || 0;

// Of pixels, with two decimals at most.
export const number = (value) => hundredths(inHundredths(value));

// Of what is no length: a share, an angle.
export const share = (value) => hundredths(Math.round(100 * value) || 0);

// The d of a rectangle.
export const box = (left, top, wide, high) => `M${number(left)} ${number(top)}h${number(wide)}v${number(high)}h${number(-wide)}z`;

// The parts of a line between gaps, which are where a coordinate is not finite: [[x, y], …] each.
export function runs(xs, ys) {
  const found = [];
  let run = null;
  for (let i = 0; i < xs.length; i++) {
    if (Number.isFinite(xs[i]) && Number.isFinite(ys[i])) (run ??= found[found.push([]) - 1]).push([xs[i], ys[i]]);
    else run = null;
  }
  return found;
}

// The d of a line through points in pixels, with gaps where one is not finite.
export function path(xs, ys, closed = false) {
  return runs(xs, ys).flatMap(near).map((points) => traced(points, closed)).join("");
}

export function traced(points, closed = false) {
  let [a, b] = points[0].map(inHundredths);
  const begin = `M${hundredths(a)} ${hundredths(b)}`;
  const steps = [];
  for (let i = 1; i < points.length; i++) {
    const [c, d] = [inHundredths(points[i][0]), inHundredths(points[i][1])];
    if (c === a && d === b) continue;
    const down = hundredths(d - b);
    steps.push(hundredths(c - a) + (down[0] === "-" ? "" : " ") + down);
    [a, b] = [c, d];
  }
  if (!steps.length) return `${begin}h0`;
  let all = "";
  for (const step of steps) all += all && step[0] !== "-" ? ` ${step}` : step;
  return `${begin}l${all}${closed ? "z" : ""}`;
}

// A run as lines where no point is too far away: segments are cut off there, so that their slopes stay (Liang and Barsky, 1984).
function near(points) {
  if (points.length < 2 || points.every((at) => Math.max(...at.map(Math.abs)) <= FAR)) return [points];
  const found = [];
  for (let i = 1; i < points.length; i++) {
    const [one, other] = [points[i - 1], points[i]];
    const spans = one.map((from, k) => [-FAR, FAR].map((end) => (end - from) / (other[k] - from)).sort((a, b) => a - b));
    const ends = [Math.max(0, ...spans.map(([low]) => low)), Math.min(1, ...spans.map(([, high]) => high))];
    if (!(ends[0] <= ends[1])) continue;
    const [begin, end] = ends.map((t) => one.map((from, k) => from + t * (other[k] - from)));
    if (String(found.at(-1)?.at(-1)) === String(begin)) found.at(-1).push(end);
    else found.push([begin, end]);
  }
  return found;
}
