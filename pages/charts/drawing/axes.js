// What belongs to an axis: its lines behind the data, its numbers and its title.

import { LINE, MIDDLE, fontSize, height, width, write } from "./text.js";
import { NotDrawn, least, most, node, number } from "./values.js";

const [AWAY, STANDOFF] = [4, 7]; // pixels from the plot to its numbers, and from these to the title
const TICK = 5; // the length of a tick
const [RISE, DEPTH] = [0.78, 0.25]; // of the type: to its top, and below the line
const BESIDE = 1; // letters between two names
const TITLE = 1.17; // times the type of the numbers
const EDGE = 3; // pixels that stay free at the edge of the picture

const rules = (axis, places, across) =>
  places
    .flatMap((at) => across.map(([low, high]) => (axis.letter === "x" ? `M${number(at)} ${number(low)}V${number(high)}` : `M${number(low)} ${number(at)}H${number(high)}`)))
    .join("");

// Lines at its numbers, from one end to the other of each plot.
export function grid(axis, across) {
  if (!axis.visible || !(axis.given.showgrid ?? axis.letter === "y")) return "";
  return rules(axis, axis.ticks().map(({ pixel }) => pixel), across);
}

// The line at 0, but of an axis that asks for none.
export function zeroLine(axis, across) {
  const asked = axis.given.zeroline ?? axis.given.showgrid !== false;
  const [low, high] = axis.ends(axis.shown);
  return axis.visible && asked && axis.kind === "linear" && low <= 0 && 0 <= high ? rules(axis, axis.at([0]), across) : "";
}

const sizeOf = (axis, size) => fontSize(axis.given.tickfont, size);
const widths = (axis, size) => axis.ticks().map((tick) => width(tick.text, size * tick.size));
const hidden = (axis) => !axis.visible || axis.given.showticklabels === false;

// How far its names are turned: as it says, and else as far as they need to stand apart.
function angle(axis, size) {
  const { tickangle } = axis.given;
  if (tickangle !== undefined && tickangle !== "auto") return Number(tickangle);
  const found = axis.ticks();
  if (axis.letter === "y" || found.length < 2) return 0;
  const at = found.map(({ pixel }) => pixel).sort((a, b) => a - b);
  const apart = least(at.slice(1).map((one, i) => one - at[i]));
  const widest = most(widths(axis, size));
  if (widest + BESIDE * size <= apart) return 0;
  return apart > 2.2 * size && axis.kind === "category" && widest < 4 * apart ? 30 : 90;
}

// How far its numbers reach from the plot, in pixels.
function depth(axis, ofPicture) {
  if (hidden(axis)) return 0;
  const size = sizeOf(axis, ofPicture);
  const from = tickLength(axis) + AWAY;
  if (axis.letter === "y") return from + Math.max(0, ...widths(axis, size));
  const turned = (angle(axis, size) * Math.PI) / 180;
  const wide = widths(axis, size);
  const reach = axis.ticks().map((tick, i) => Math.abs(Math.sin(turned)) * wide[i] + Math.abs(Math.cos(turned)) * height(tick.text, size));
  return from + Math.max(0, ...reach);
}

// Of its title; 0 where it has none.
function titleSize(axis, size) {
  const title = axis.given.title ?? {};
  return axis.visible && title.text ? fontSize(title.font, Math.round(TITLE * size)) : 0;
}

const standoff = (axis) => Number(axis.given.title?.standoff ?? STANDOFF);

// Pixels for its numbers and its title.
export function needed(axis, size) {
  const title = titleSize(axis, size);
  return depth(axis, size) + (title ? standoff(axis) + LINE * title + EDGE : 0);
}

// Pixels right of the plot that a name needs which falls to the right.
export function beyondPlot(axis, ofPicture) {
  const size = sizeOf(axis, ofPicture);
  const turned = angle(axis, size);
  if (!(0 < turned && turned < 90)) return 0;
  const wide = widths(axis, size);
  return most(axis.ticks().map(({ pixel }, i) => pixel + Math.cos((turned * Math.PI) / 180) * wide[i])) - axis.pixels[1] + EDGE;
}

function tickLength(axis) {
  const kind = axis.given.ticks || "";
  if (kind !== "" && kind !== "outside") throw new NotDrawn("ticks", kind);
  return kind ? Number(axis.given.ticklen ?? TICK) : 0;
}

// Where its numbers stand: below, unless it says above; those of y at the left.
export function side(axis) {
  const found = axis.given.side ?? (axis.letter === "x" ? "bottom" : "left");
  if (!(axis.letter === "x" ? ["bottom", "top"] : ["left"]).includes(found)) throw new NotDrawn("side", found);
  return found;
}

// Ticks, numbers and title; `line` is where the plot ends there, and `picture` how wide and high everything is.
export function labels(axis, line, size, picture) {
  if (!axis.visible) return [];
  const written = axis.given.showticklabels === false ? [] : labelTexts(axis, line, sizeOf(axis, size));
  return [...marks(axis, line), ...written, ...title(axis, line, size, picture)];
}

function marks(axis, line) {
  const length = tickLength(axis);
  if (!length) return [];
  const down = side(axis) === "bottom" ? length : -length;
  const d = axis.ticks().map(({ pixel }) => (axis.letter === "y" ? `M${number(line)} ${number(pixel)}h${number(-length)}` : `M${number(pixel)} ${number(line)}v${number(down)}`));
  return [node("path", { d: d.join(""), fill: "none", stroke: "currentColor" })];
}

function labelTexts(axis, line, size) {
  const away = tickLength(axis) + AWAY;
  if (axis.letter === "y") return axis.ticks().flatMap((tick) => write(tick.text, line - away, tick.pixel + middle(tick, size), size * tick.size, { anchor: "end" }));
  const above = side(axis) === "top";
  const turned = angle(axis, size);
  if (turned && !above) return axis.ticks().flatMap((tick) => turnedText(tick, line + away, size, turned));
  const y = above ? line - away - DEPTH * size : line + away + RISE * size;
  return axis.ticks().flatMap((tick) => write(tick.text, tick.pixel, y, size * tick.size, { anchor: "middle" }));
}

// From its place down to where a name of one line or more stands.
function middle(tick, size) {
  const lines = height(tick.text, size * tick.size) - LINE * size * tick.size;
  return MIDDLE * size * tick.size - lines / 2;
}

// A name that begins at its place where it falls to the right, and ends there where it rises.
function turnedText(tick, y, size, turned) {
  const a = (turned * Math.PI) / 180;
  const [x, down] = [tick.pixel - Math.sin(a) * MIDDLE * size, y + Math.abs(Math.cos(a)) * MIDDLE * size];
  return write(tick.text, x, down, size, { anchor: turned > 0 ? "start" : "end", turned });
}

function title(axis, line, size, picture) {
  const own = titleSize(axis, size);
  if (!own) return [];
  const { text } = axis.given.title;
  const at = (axis.pixels[0] + axis.pixels[1]) / 2;
  const away = depth(axis, size) + standoff(axis);
  const more = height(text, own) - LINE * own;
  if (axis.letter === "y") {
    const x = Math.max(line - away - DEPTH * own - more, EDGE + RISE * own);
    return write(text, x, at, own, { anchor: "middle", turned: -90 });
  }
  if (side(axis) === "top") return write(text, at, line - away - DEPTH * own - more, own, { anchor: "middle" });
  return write(text, at, Math.min(line + away + RISE * own, picture[1] - EDGE - DEPTH * own - more), own, { anchor: "middle" });
}
