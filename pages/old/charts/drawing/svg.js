// A figure as the text of an SVG.

import { bandOf } from "./notes.js";
import { layers, pictureOf } from "./picture.js";
import { NotDrawn, drawWith, group, node, number } from "./values.js";

const FONTS = "system-ui, 'Source Sans 3', 'Source Sans', sans-serif";
const HEIGHT = 400;
const [HEADING, NOTE] = [15, 12]; // pixels of the type of a heading and of a note
const INVALID = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const LETTERS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

// Letters that stand between tags or in an attribute; those that XML does not have are marked as missing.
const escaped = (text) => String(text).replace(INVALID, "\ufffd").replace(/[&<>"]/g, (letter) => LETTERS[letter]);

// Nodes as text: every piece that is text is set as text.
function written(one) {
  if (typeof one === "string") return escaped(one);
  let all = `<${one.tag}`;
  for (const name in one.attributes) all += ` ${name}="${escaped(one.attributes[name])}"`;
  return one.inside.length ? `${all}>${one.inside.map(written).join("")}</${one.tag}>` : `${all}/>`;
}

// `request` as JSON, as pages/old/charts/svg.py has it. JSON of what is not drawn where something is not.
export function svg(request) {
  try {
    const asked = JSON.parse(request);
    return sheet(asked);
  } catch (error) {
    if (!(error instanceof NotDrawn)) throw error;
    return JSON.stringify({ what: error.what, got: error.got });
  }
}

// Figures in rows of so many columns, under a title and above what is said of them.
function sheet({ figures, columns, width, height, theme, title, says, note, alt }) {
  drawWith(theme.inks, 1);
  const across = width / columns;
  const cells = figures.map(({ figure, title: own }) => {
    const head = bandOf(own, NOTE, across, true);
    return { head, picture: pictureOf(figure, across, height || figure.layout.height || HEIGHT) };
  });
  const rows = Array.from({ length: Math.ceil(figures.length / columns) }, (_, i) => rowOf(cells.slice(i * columns, (i + 1) * columns), across, theme));
  const parts = [bandOf(title, HEADING, width, true), ...rows, bandOf(says, NOTE, width, false), bandOf(note, NOTE, width, true)];
  return whole(parts, width, theme, title || alt, title && (says ? `${alt} ${says}` : alt));
}

// Parts from above to below as one picture, so wide.
function whole(parts, width, theme, title, described) {
  const inside = [];
  let top = 0;
  for (const part of parts) {
    inside.push(...part.draw(top));
    top += part.high;
  }
  top = Math.ceil(top - 1e-6); // as a PNG has whole pixels
  const attributes = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${number(top)}`, width, height: number(top), role: "img", "font-family": FONTS, fill: theme.ink, color: theme.ink };
  return [written(node("svg", attributes, [
    node("title", {}, [title]),
    ...(described ? [node("desc", {}, [described])] : []),
    node("rect", { width: "100%", height: "100%", fill: theme.ground }),
    ...inside,
  ]))].join(""); // flat: one text, and not a chain of pieces
}

// Cells beside one another, each under its title.
function rowOf(cells, across, theme) {
  const draw = (top) =>
    cells.flatMap(({ head, picture }, i) => {
      const at = (down, nodes) => (i || down ? [group(nodes, { transform: `translate(${number(i * across)} ${number(down)})` })] : nodes);
      return [...at(top, head.draw(0)).filter(() => head.high), ...at(top + head.high, layers(picture, theme))];
    });
  return { high: Math.max(...cells.map(({ head, picture }) => head.high + picture.margins.high)), draw };
}
