// Texts: the few tags that figures use, set as text and nothing else, and how wide they are.

import { node, number, share } from "./values.js";

export const LINE = 1.3; // heights of the type from a line to the next
export const MIDDLE = 0.35; // of the type: from the middle of a letter down to where it stands
export const ANCHORS = { left: "start", center: "middle", right: "end" }; // which of its sides a text begins at, by plotly's names
const TAG = /<(\/?)(br|b|i|sup|sub|span)(?:\s+style="color:([#\w]+)")?\s*\/?>/gi;
const SMALL = 0.8; // of the type: what is raised or lowered
const RISES = { sup: -0.42, sub: 0.2, "": 0 };
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

const known = new Map();

// The lines of a text, each of runs of one look. What is no known tag is text.
export function linesOf(text) {
  const found = known.get(text);
  if (found) return found;
  const lines = [[]];
  const opened = [];
  let style = { bold: false, italic: false, shift: "", colour: "" };
  let begin = 0;
  const said = (end) => end > begin && lines.at(-1).push({ ...style, letters: unescaped(text.slice(begin, end)) });
  for (const tag of text.matchAll(TAG)) {
    said(tag.index);
    begin = tag.index + tag[0].length;
    const name = tag[2].toLowerCase();
    if (name === "br") lines.push([]);
    else if (tag[1]) style = opened.pop() ?? style;
    else {
      opened.push(style);
      if (name === "sup" || name === "sub") style = { ...style, shift: name };
      else style = { ...style, bold: style.bold || name === "b", italic: style.italic || name === "i", colour: tag[3] || style.colour };
    }
  }
  said(text.length);
  if (known.size < 1024) known.set(text, lines);
  return lines;
}

const widthOf = ({ letters, bold, shift }) => {
  let sum = 0;
  for (const letter of letters) sum += OF_LETTER.get(letter) ?? (/\p{M}/u.test(letter) ? 0 : letter >= WIDE ? 1 : OTHER);
  return sum * (bold ? BOLD : 1) * (shift ? SMALL : 1);
};

const wide = new Map();

// How wide the widest of its lines is, about, in pixels.
export function width(text, size) {
  const said = String(text);
  if (!wide.has(said)) {
    if (wide.size > 1024) wide.clear();
    wide.set(said, Math.max(...linesOf(said).map((line) => line.reduce((sum, run) => sum + widthOf(run), 0))));
  }
  return size * wide.get(said);
}

// How high all its lines are together.
export const height = (text, size) => LINE * size * linesOf(String(text)).length;

export const fontSize = (font, otherwise) => Number(font?.size || otherwise);

// A text whose first line stands on (x, y), `turned` in degrees around there; [] of one without letters.
export function write(text, x, y, size, { anchor = "start", turned = 0, bold = false, colour = "", ground = "" } = {}) {
  const lines = linesOf(String(text ?? ""));
  if (!lines.some((line) => line.length)) return [];
  const attributes = { x: number(x), y: number(y), "font-size": number(size) };
  if (anchor !== "start") attributes["text-anchor"] = anchor;
  if (turned) attributes.transform = `rotate(${share(turned)} ${number(x)} ${number(y)})`;
  if (bold) attributes["font-weight"] = "700";
  if (colour) attributes.fill = colour;
  if (ground) Object.assign(attributes, { "paint-order": "stroke", stroke: ground, "stroke-width": number(AROUND), "stroke-linejoin": "round" });
  const inside = lines.flatMap((line, i) => {
    const made = line.map((run, j) => runNode(run, size, line[j - 1]?.shift ?? ""));
    return i ? [node("tspan", { x: number(x), dy: number(LINE * size) }, made.length ? made : [" "])] : made;
  });
  return [node("text", attributes, inside)];
}

// A raised run lifts what follows it, which is lowered again.
function runNode({ letters, bold, italic, shift, colour }, size, before) {
  const dy = (RISES[shift] - RISES[before]) * size;
  const attributes = {};
  if (dy) attributes.dy = number(dy);
  if (shift) attributes["font-size"] = number(SMALL * size);
  if (bold) attributes["font-weight"] = "700";
  if (italic) attributes["font-style"] = "italic";
  if (colour) attributes.fill = colour;
  return Object.keys(attributes).length ? node("tspan", attributes, [letters]) : letters;
}
