// What belongs to an axis: its lines behind the data, its numbers and its title.

import { LINE, MIDDLE, fontSize, height, width, write } from "./text.js";
import { least, most, node, number } from "./values.js";

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
const tickLength = ({ given }) => (given.ticks ? Number(given.ticklen ?? TICK) : 0);
const radians = (degrees) => (degrees * Math.PI) / 180;
export const onTop = (axis) => axis.given.side === "top";

// How far its names are turned: as it says, and else as far as they need to stand apart.
function angle(axis, size) {
  if (axis.given.tickangle !== undefined) return Number(axis.given.tickangle);
  const at = axis.ticks().map(({ pixel }) => pixel).sort((a, b) => a - b);
  if (at.length < 2) return 0;
  const apart = least(at.slice(1).map((one, i) => one - at[i]));
  const widest = most(widths(axis, size));
  if (widest + BESIDE * size <= apart) return 0;
  return apart > 2.2 * size && axis.kind === "category" && widest < 4 * apart ? 30 : 90;
}

// How far its numbers reach from the plot, in pixels: those at the left by their widths, as if they were turned.
function depth(axis, ofPicture) {
  if (!axis.visible || axis.given.showticklabels === false) return 0;
  const size = sizeOf(axis, ofPicture);
  const turned = radians(axis.letter === "y" ? 90 : angle(axis, size));
  const wide = widths(axis, size);
  const reach = axis.ticks().map(({ text }, i) => Math.abs(Math.sin(turned)) * wide[i] + Math.abs(Math.cos(turned)) * height(text, size));
  return tickLength(axis) + AWAY + Math.max(0, ...reach);
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
  return most(axis.ticks().map(({ pixel }, i) => pixel + Math.cos(radians(turned)) * wide[i])) - axis.pixels[1] + EDGE;
}

// Ticks, numbers and title; `line` is where the plot ends there, and `high` everything is.
export function labels(axis, line, size, high) {
  if (!axis.visible) return [];
  const written = axis.given.showticklabels === false ? [] : labelTexts(axis, line, sizeOf(axis, size));
  return [...marks(axis, line), ...written, ...title(axis, line, size, high)];
}

function marks(axis, line) {
  const length = tickLength(axis);
  if (!length) return [];
  const down = onTop(axis) ? -length : length;
  const d = axis.ticks().map(({ pixel }) => (axis.letter === "y" ? `M${number(line)} ${number(pixel)}h${number(-length)}` : `M${number(pixel)} ${number(line)}v${number(down)}`));
  return [node("path", { d: d.join(""), fill: "none", stroke: "currentColor" })];
}

function labelTexts(axis, line, size) {
  const away = tickLength(axis) + AWAY;
  if (axis.letter === "y") return axis.ticks().flatMap((tick) => write(tick.text, line - away, tick.pixel + middle(tick, size), size * tick.size, { anchor: "end" }));
  const turned = angle(axis, size);
  if (turned && !onTop(axis)) return axis.ticks().flatMap((tick) => turnedText(tick, line + away, size, turned));
  const y = onTop(axis) ? line - away - DEPTH * size : line + away + RISE * size;
  return axis.ticks().flatMap((tick) => write(tick.text, tick.pixel, y, size * tick.size, { anchor: "middle" }));
}

// From its place down to where a name of one line or more stands.
const middle = (tick, size) => (MIDDLE + LINE / 2) * size * tick.size - height(tick.text, size * tick.size) / 2;

// A name that begins at its place where it falls to the right, and ends there where it rises.
function turnedText(tick, y, size, turned) {
  const [x, down] = [tick.pixel - Math.sin(radians(turned)) * MIDDLE * size, y + Math.abs(Math.cos(radians(turned))) * MIDDLE * size];
  return write(tick.text, x, down, size, { anchor: turned > 0 ? "start" : "end", turned });
}

function title(axis, line, size, high) {
  const own = titleSize(axis, size);
  if (!own) return [];
  const { text } = axis.given.title;
  const at = (axis.pixels[0] + axis.pixels[1]) / 2;
  const away = depth(axis, size) + standoff(axis);
  const below = DEPTH * own + height(text, own) - LINE * own; // from its first line to its end
  if (axis.letter === "y") return write(text, Math.max(line - away - below, EDGE + RISE * own), at, own, { anchor: "middle", turned: -90 });
  const y = onTop(axis) ? line - away - below : Math.min(line + away + RISE * own, high - EDGE - below);
  return write(text, at, y, own, { anchor: "middle" });
}
