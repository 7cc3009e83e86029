// Texts: the few tags that figures use, set as text and nothing else, and how wide they are.

import { node, number, share } from "./values.js";

export const LINE = 1.3; // heights of the type from a line to the next
export const MIDDLE = 0.35; // of the type: from the middle of a letter down to where it stands
export const ANCHORS = { left: "start", center: "middle", right: "end" }; // which of its sides a text begins at, by plotly's names
const TAG = /<(\/?)(br|b|sup)\s*\/?>/gi;
const SMALL = 0.8; // of the type: what is raised
const RISE = -0.42;
const MOST = 1024; // texts that are known
const AROUND = 3; // pixels of the ground around a text that stands among lines
const BOLD = 1.09; // times as wide
const OTHER = 0.66; // of the type: how wide a letter is that stands in no list
const WIDE = "\u2e80"; // from there on letters are as wide as they are high
const WIDTHS = { // thousandths of the type, of common sans-serif fonts; of the widest common one
  "ijl|'.,:;!Iı· ": 320, 'ftr()[]/\\-"*{}': 410, Jcekszxyv: 595, "abdghnopquLFTEZ_?$0123456789–εγδτ": 640,
  "ABCDGHKNOPQRSUVXY&Δ": 740, "#≤≥±×÷=+<>~^": 840, "mwMW%@—…": 980,
};
const OF_LETTER = new Map(Object.entries(WIDTHS).flatMap(([letters, width]) => [...letters].map((letter) => [letter, width / 1000])));
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const unescaped = (text) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot|apos));/gi, (_, ten, sixteen, name) =>
    name ? NAMED[name.toLowerCase()] : String.fromCodePoint(ten ? Number(ten) : parseInt(sixteen, 16)),
  );

// The lines of a text, each of runs of one look. What is no known tag is text.
function parsed(text) {
  const lines = [[]];
  const opened = [];
  let style = { bold: false, raised: false };
  let begin = 0;
  const said = (end) => end > begin && lines.at(-1).push({ ...style, letters: unescaped(text.slice(begin, end)) });
  for (const { 0: tag, 1: closes, 2: given, index } of text.matchAll(TAG)) {
    const name = given.toLowerCase();
    said(index);
    begin = index + tag.length;
    if (name === "br") lines.push([]);
    else if (closes) style = opened.pop() ?? style;
    else {
      opened.push(style);
      style = { bold: style.bold || name === "b", raised: style.raised || name === "sup" };
    }
  }
  said(text.length);
  return lines;
}

function widthOf({ letters, bold, raised }) {
  let sum = 0;
  for (const letter of letters) sum += OF_LETTER.get(letter) ?? (/\p{M}/u.test(letter) ? 0 : letter >= WIDE ? 1 : OTHER);
  return sum * (bold ? BOLD : 1) * (raised ? SMALL : 1);
}

const known = new Map(); // of a text its lines, and how wide the widest is, about, in heights of the type

function read(text) {
  const said = String(text ?? "");
  if (!known.has(said)) {
    if (known.size > MOST) known.clear();
    const lines = parsed(said);
    known.set(said, { lines, wide: Math.max(...lines.map((line) => line.reduce((sum, run) => sum + widthOf(run), 0))) });
  }
  return known.get(said);
}

export const linesOf = (text) => read(text).lines;
export const width = (text, size) => size * read(text).wide;

// How high all its lines are together.
export const height = (text, size) => LINE * size * linesOf(text).length;

export const fontSize = (font, otherwise) => Number(font?.size || otherwise);

const weight = (bold) => bold && { "font-weight": "700" };

// A text whose first line stands on (x, y), `turned` in degrees around there; [] of one without letters.
export function write(text, x, y, size, { anchor = "start", turned = 0, bold = false, colour = "", ground = "" } = {}) {
  const lines = linesOf(text);
  if (!lines.some((line) => line.length)) return [];
  const attributes = {
    x: number(x), y: number(y), "font-size": number(size),
    ...(anchor !== "start" && { "text-anchor": anchor }),
    ...(turned && { transform: `rotate(${share(turned)} ${number(x)} ${number(y)})` }),
    ...weight(bold), ...(colour && { fill: colour }),
    ...(ground && { "paint-order": "stroke", stroke: ground, "stroke-width": number(AROUND), "stroke-linejoin": "round" }),
  };
  const inside = lines.flatMap((line, i) => {
    const made = line.map((run, j) => runNode(run, size, Boolean(line[j - 1]?.raised)));
    return i ? [node("tspan", { x: number(x), dy: number(LINE * size) }, made.length ? made : [" "])] : made;
  });
  return [node("text", attributes, inside)];
}

// A raised run lifts what follows it, which is lowered again.
function runNode(run, size, before) {
  const dy = (run.raised - before) * RISE * size;
  const attributes = { ...(dy && { dy: number(dy) }), ...(run.raised && { "font-size": number(SMALL * size) }), ...weight(run.bold) };
  return Object.keys(attributes).length ? node("tspan", attributes, [run.letters]) : run.letters;
}
