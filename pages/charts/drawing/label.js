// A label, as on food: parts under one another between lines, in a frame, on just so many pixels.

import { wrapped } from "./notes.js";
import { width, write } from "./text.js";
import { NotDrawn, box, node, number, paint } from "./values.js";

const SIZES = [18, 17, 16, 15, 14]; // pixels of the type, the largest that fits; nothing is smaller
const [TITLE, LEAD, LOUD] = [2.4, 1.25, 1.6]; // times as large
const [EDGE, FRAME, MARGIN] = [6, 3, 20]; // pixels from a side to the frame, of its line, and to the words
const LINE = 1.19; // heights of the type from a line to the next
const [THIN, THICK, ROOM, GAP] = [1, 8, 4, 4]; // pixels of the lines, around them, and between paragraphs
const [BAR, COIN, CERTAIN] = [14, 50, 100]; // pixels of the ruler's height; its ends, times in 100
const UNKNOWN = /[\u0400-\u1fff\u{10000}-\u{1efff}]/u; // letters whose widths no list knows, some of them wide
const NARROWER = 0.6; // the share of a line that these are given
const SPARE = 9; // pixels that a part may be given beside its own
const SLANT = -52; // degrees of what is said across
const ACROSS = "#f7e3da"; // its colour: a ground for words
const LOUDLY = "#8f2f00"; // of a band with white letters, and of what warns

const sum = (parts) => parts.reduce((all, { high }) => all + high, 0);

// Lines of one look. `few`: lines that words from outside may take at most, where they have more. `title`: bold, before them.
function lines({ said, look, most }, size, wide, few, title = "") {
  const type = size * ({ lead: LEAD, loud: LOUD, care: 1 }[look] ?? 1);
  const bold = Boolean(look);
  const bolder = width(`<b>${title}</b>`, type) - width(title, type);
  const room = most && UNKNOWN.test(said) ? NARROWER * wide : wide - bolder;
  const found = wrapped(`${title} ${said}`, type, room, bold, most ? Math.min(most, few) : Infinity);
  if (title) found[0] = `<b>${title}</b>${found[0].slice(title.length)}`;
  const colour = look === "care" || look === "loud" ? LOUDLY : "";
  return { high: LINE * type * found.length, draw: (top) => stacked(found, MARGIN, top, type, { bold, colour }) };
}

// Lines under one another.
const stacked = (found, x, top, type, look) => found.flatMap((line, i) => write(line, x, top + (1 + LINE * i) * type, type, look));

// From a coin to certainty: filled as far as a guesser is right.
function ruler({ right, ends }, size, wide) {
  const high = BAR + LINE * size + 4;
  const draw = (top) => [
    node("path", { d: box(MARGIN, top + 2, wide, BAR), ...paint("fill", "#ffffff"), ...paint("stroke", "#31333f"), "stroke-width": "1" }),
    node("path", { d: box(MARGIN, top + 2, (wide * (right - COIN)) / (CERTAIN - COIN), BAR), ...paint("fill", "#0072B2") }),
    ...write(ends[0], MARGIN, top + BAR + 2 + size, size),
    ...write(ends[1], MARGIN + wide, top + BAR + 2 + size, size, { anchor: "end" }),
  ];
  return { high, draw };
}

// Our own paragraphs of one look, one behind the other: where room is scarce, no line ends early.
function joined(words) {
  const found = [];
  for (const one of words) {
    const before = found.at(-1);
    if (before && before.look === one.look && !before.most && !one.most) found[found.length - 1] = { ...before, said: `${before.said} ${one.said}` };
    else found.push(one);
  }
  return found;
}

// A line across, then a heading and what stands under it.
function part({ title, words, ruler: given, heavy }, size, wide, few, gap) {
  const rule = heavy ? THICK : THIN;
  const room = gap ? ROOM : ROOM / 2;
  const said = words.filter((one) => one.said);
  const [first, ...rest] = gap ? [{ said: title, look: "heading" }, ...said] : joined(said);
  const within = !gap && first && !first.look && !first.most; // the title stands on the line of the first words, where room is scarce
  const heads = gap || within ? [lines(first, size, wide, few, within ? title : "")] : [{ said: title, look: "heading" }, first].map((one) => lines(one, size, wide, few));
  const inside = [...heads, ...rest.map((one) => lines(one, size, wide, few))];
  for (const one of inside.slice(2)) one.above = gap;
  if (given) inside.splice(2, 0, ruler(given, size, wide));
  const draw = (top) => {
    const drawn = [node("path", { d: box(MARGIN, top, wide, rule), ...paint("fill", "#31333f") })];
    let at = top + rule + room;
    for (const { high, above = 0, draw: drawAt } of inside) {
      drawn.push(...drawAt(at + above));
      at += above + high;
    }
    return drawn;
  };
  return { high: rule + 2 * room + sum(inside) + inside.reduce((all, { above = 0 }) => all + above, 0), draw };
}

// What is said of all of it, in a band of its own; white on dark.
function band(said, size, wide) {
  const type = size * LEAD;
  const found = wrapped(said, type, wide - 2 * ROOM, true);
  const high = LINE * type * found.length + 2 * ROOM;
  const draw = (top) => [
    node("path", { d: box(MARGIN, top, wide, high), ...paint("fill", LOUDLY) }),
    ...stacked(found, MARGIN + wide / 2, top + ROOM, type, { anchor: "middle", bold: true, colour: "#ffffff" }),
  ];
  return { high: high + ROOM, draw };
}

function laid({ title, about, parts, across }, size, wide, few, gap) {
  const type = size * (gap ? TITLE : LOUD);
  const top = { high: 1.1 * type, draw: (at) => write(title, MARGIN, at + 0.9 * type, type, { bold: true }) };
  const said = lines({ said: about }, size, wide);
  return [top, { ...said, high: said.high + ROOM }, ...(across ? [band(across, size, wide)] : []), ...parts.map((one) => part(one, size, wide, few, gap))];
}

// What is said across, behind all words.
function written(said, high, wide) {
  const room = Math.hypot(high, wide) * 0.74;
  const type = Math.min(72, room / width(`<b>${said}</b>`, 1));
  return write(said, wide / 2, high / 2 + type / 3, type, { anchor: "middle", turned: SLANT, bold: true, colour: ACROSS });
}

// What is drawn, as far as it lies within the margins: letters that no list knows may be wider than was counted.
function within(drawn, wide, high) {
  const there = { x: MARGIN, y: MARGIN, width: wide, height: high };
  return node("svg", { ...there, viewBox: Object.values(there).join(" "), overflow: "hidden" }, drawn);
}

// In the largest type that fits; then with less room between, with fewer lines of what comes from outside, and run together.
export function labelOf(asked) {
  const wide = asked.width - 2 * MARGIN;
  const room = asked.height - 2 * MARGIN;
  const least = SIZES.at(-1);
  const ways = [...SIZES.map((size) => [size, Infinity, GAP]), [least, Infinity, 1], [least, 1, 1], [least, 2, 0], [least, 1, 0]];
  const found = ways.map(([size, few, gap]) => laid(asked, size, wide, few, gap)).find((bands) => sum(bands) <= room);
  if (!found) throw new NotDrawn("label", `${Math.ceil(sum(laid(asked, least, wide, 1, 0)) - room)} pixels more than there are`);
  const spare = Math.min(SPARE, (room - sum(found)) / found.length);
  const frame = { d: box(EDGE, EDGE, asked.width - 2 * EDGE, asked.height - 2 * EDGE), fill: "none", ...paint("stroke", "#31333f"), "stroke-width": number(FRAME) };
  const draw = () => {
    const drawn = asked.across ? written(asked.across, asked.height, asked.width) : [];
    let top = MARGIN;
    for (const one of found) {
      drawn.push(...one.draw(top));
      top += one.high + spare;
    }
    return [node("path", frame), within(drawn, wide, room)];
  };
  return { high: asked.height, draw };
}
