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

// What a name stands for.
export function oneOf(known, got, what) {
  if (typeof got !== "string" || !Object.hasOwn(known, got)) throw new NotDrawn(what, got);
  return known[got];
}

const ARRAYS = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array };
const unpackedOnce = new WeakMap();

// An array that plotly has written as the text of its bytes; all else as it is.
export function unpacked(values) {
  if (!values || values.bdata === undefined) return values;
  if (!unpackedOnce.has(values)) {
    const bytes = Uint8Array.from(atob(values.bdata), (letter) => letter.charCodeAt(0));
    const flat = Array.from(new ARRAYS[values.dtype](bytes.buffer));
    const wide = values.shape ? Number(String(values.shape).split(",")[1]) : 0;
    unpackedOnce.set(values, wide ? Array.from({ length: flat.length / wide }, (_, row) => flat.slice(row * wide, (row + 1) * wide)) : flat);
  }
  return unpackedOnce.get(values);
}

export const several = (value) => Array.isArray(value) || ArrayBuffer.isView(value) || value?.bdata !== undefined;

// Finite numbers, and NaN for all else.
export function numbers(values, what = "values") {
  return unpacked(values).map((one) => {
    if (one === null || one === undefined || one === "") return NaN;
    if (Array.isArray(one)) return numbers(one, what);
    const number = Number(one);
    if (Number.isNaN(number) && typeof one === "string") throw new NotDrawn(what, values);
    return number;
  });
}

// How many values there are; 0 where none were given.
export const count = (values) => unpacked(values)?.length ?? 0;

// One value a point, of one that is the same for all too.
export const each = (value, size) => (several(value) ? unpacked(value) : Array(size).fill(value));

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

const COLOUR = /^(?:#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?|[a-z]+)$/;
const RGB = /^rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)$/;

export const hex = (rgb) => `#${Array.from(rgb, (part) => Math.min(255, Math.round(part)).toString(16).padStart(2, "0")).join("")}`;

// A colour and how opaque it is. Only what is a colour: it stands in an attribute.
export function colour(value) {
  const text = String(value);
  if (COLOUR.test(text)) return text === "transparent" ? ["none", 0] : [text, 1];
  const found = RGB.exec(text);
  if (!found) throw new NotDrawn("a colour", value);
  return [hex(found.slice(1, 4).map(Number)), Number(found[4] ?? 1)];
}

// The colours of the palette as they are on the ground of this picture, and how many of its pixels one pixel of a figure is.
let inks = {};
let times = 1;

export function drawWith(colours, pixels) {
  inks = colours ?? {};
  times = pixels;
}

export const drawnWith = () => `${times} ${Object.values(inks).join()}`;

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
  if (given.some(Number.isNaN)) throw new NotDrawn("line.dash", name);
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

// A run as lines where no point is too far away: segments are cut off there, so that their slopes stay.
function near(points) {
  if (points.length < 2 || points.every(([x, y]) => Math.abs(x) <= FAR && Math.abs(y) <= FAR)) return [points];
  const found = [];
  for (let i = 1; i < points.length; i++) {
    const ends = cut(points[i - 1], points[i]);
    if (!ends) continue;
    const last = found.at(-1)?.at(-1);
    if (last && last[0] === ends[0][0] && last[1] === ends[0][1]) found.at(-1).push(ends[1]);
    else found.push(ends);
  }
  return found;
}

// The part of a segment whose coordinates are at most FAR (Liang and Barsky, 1984).
function cut(one, other) {
  let [low, high] = [0, 1];
  for (const i of [0, 1]) {
    const [a, b] = [one[i], other[i]];
    if (!Number.isFinite(b - a)) return null;
    if (a === b) {
      if (Math.abs(a) > FAR) return null;
      continue;
    }
    const [first, last] = [(-FAR - a) / (b - a), (FAR - a) / (b - a)].sort((p, q) => p - q);
    [low, high] = [Math.max(low, first), Math.min(high, last)];
  }
  return low > high ? null : [low, high].map((t) => [0, 1].map((i) => one[i] + t * (other[i] - one[i])));
}
