// Texts and shapes at places of a figure, on its axes, and in shares of a plot or of the picture.

import { clipped } from "./axis.js";
import { STANDS } from "./legend.js";
import { ANCHORS, LINE, MIDDLE, fontSize, height, width, write } from "./text.js";
import { NotDrawn, node, number, opacityOf, paint, strokeOf } from "./values.js";

const AROUND = 8; // pixels beside a line of words above or below a figure
const BORDER = 2; // pixels around a note
const SHIFTS = { left: BORDER, center: 0, right: -BORDER };

// A place in pixels: on an axis as it counts, in shares of one, or of all plots.
function placeOf(picture, value, ref, letter) {
  if (ref === "paper") {
    const [begin, end] = letter === "x" ? picture.across : picture.up;
    return begin + value * (end - begin);
  }
  const [name, domain] = String(ref).split(" ");
  const axis = picture.axes[name];
  if (!axis || (domain ?? "domain") !== "domain") throw new NotDrawn(`${letter}ref`, ref);
  if (domain) return axis.pixels[0] + value * (axis.pixels[1] - axis.pixels[0]);
  return axis.at(axis.kind === "category" ? axis.counted([value]) : [Number(value)])[0];
}

const refOf = (given, letter) => String(given[`${letter}ref`] ?? letter);

// Whether it belongs to a place that its axis does not show.
function beyond(picture, given, letter) {
  const axis = picture.axes[refOf(given, letter)];
  if (!axis || axis.kind === "category") return false;
  const [low, high] = axis.ends(axis.shown);
  return !(low <= given[letter] && given[letter] <= high);
}

// The side that stands at its place, where it says nothing: the one that is nearer, as plotly has it.
function nearer(given, letter, sides) {
  const ref = refOf(given, letter);
  if (ref !== "paper" && !ref.endsWith("domain")) return sides[1];
  return given[letter] < 1 / 3 ? sides[0] : given[letter] > 2 / 3 ? sides[2] : sides[1];
}

// A text; what a text is about has it beside itself, so no arrow is drawn. `ground`: what is behind the picture, and keeps lines off its letters.
export function note(picture, given, ground) {
  if (given.showarrow !== false) throw new NotDrawn("annotation.showarrow", given.showarrow ?? true);
  if (beyond(picture, given, "x") || beyond(picture, given, "y")) return [];
  const size = fontSize(given.font, picture.size);
  const text = given.text || "";
  const x = placeOf(picture, given.x, refOf(given, "x"), "x") + Number(given.xshift || 0);
  const y = placeOf(picture, given.y, refOf(given, "y"), "y") - Number(given.yshift || 0);
  const anchor = given.xanchor ?? nearer(given, "x", ["left", "center", "right"]);
  const stands = STANDS[given.yanchor ?? nearer(given, "y", ["bottom", "middle", "top"])];
  const high = height(text, size);
  const first = y - high * stands + BORDER * (1 - 2 * stands) + (LINE / 2 + MIDDLE) * size;
  return write(text, x + SHIFTS[anchor], first, size, { anchor: ANCHORS[anchor], ground });
}

// A rectangle, as far as it lies within the plots.
export function shape(picture, given) {
  const sides = (letter, within) => ["0", "1"].map((end) => placeOf(picture, given[letter + end], refOf(given, letter), letter)).map((at) => clipped(at, within)).sort((a, b) => a - b);
  const [[left, right], [top, bottom]] = [sides("x", picture.across), sides("y", picture.up)];
  const around = strokeOf(given.line ?? {}) ?? {};
  return [node("path", { d: `M${number(left)} ${number(top)}H${number(right)}V${number(bottom)}H${number(left)}z`, ...around, ...paint("fill", given.fillcolor || "transparent", opacityOf(given)) })];
}

const asText = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const STAYS = /^[\p{M}\u200d]/u; // a sign that stands on the letter before it, or joins it to the next

// The parts of a word that is wider than a line: none is, but where one letter is by itself.
function parted(word, fits) {
  const parts = [""];
  for (const letter of word) {
    if (fits(parts.at(-1) + letter) || STAYS.test(letter) || !parts.at(-1)) parts[parts.length - 1] += letter;
    else parts.push(letter);
  }
  return parts;
}

// Words in as many lines of this width as they need, as text for `write`; they are text, and have no tags. Each line of theirs
// begins anew.
function wrapped(words, size, wide, bold) {
  const fits = (line) => width(bold ? `<b>${asText(line)}</b>` : asText(line), size) <= wide;
  const lines = [];
  for (const paragraph of words.split("\n")) {
    paragraph.split(/\s+/).filter(Boolean).flatMap((word) => (fits(word) ? word : parted(word, fits))).forEach((word, i) => {
      if (i && fits(`${lines.at(-1)} ${word}`)) lines[lines.length - 1] += ` ${word}`;
      else lines.push(word);
    });
  }
  return lines.map(asText);
}

// Words in a picture so wide.
export function bandOf(words, size, wide, bold) {
  const lines = wrapped(words, size, wide - 2 * AROUND, bold);
  return {
    high: lines.length ? LINE * size * lines.length + AROUND : 0,
    // From this height down.
    draw: (top) => write(lines.join("<br>"), AROUND, top + AROUND / 2 + size, size, { bold }),
  };
}
