// A figure as the text of an SVG.

import { bandOf } from "./notes.js";
import { layers, pictureOf } from "./picture.js";
import { NotDrawn, group, node, number, useInks } from "./values.js";

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

// `request` as JSON: figure, alt, width, height, theme, title and note, as pages/charts/svg.py has them. JSON of what is not drawn
// where something is not.
export function svg(request) {
  try {
    return whole(JSON.parse(request));
  } catch (error) {
    if (!(error instanceof NotDrawn)) throw error;
    return JSON.stringify({ what: error.what, got: error.got });
  }
}

function whole({ figure, alt, width, height, theme, title, note }) {
  useInks(theme.inks);
  const [above, below] = [bandOf(title, HEADING, width), bandOf(note, NOTE, width)];
  const picture = pictureOf(figure, width, Math.max(1, (height || figure.layout.height || HEIGHT) - above.high - below.high));
  const high = picture.margins.high + above.high + below.high;
  const inside = layers(picture, theme);
  const attributes = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${number(high)}`, width, height: number(high), role: "img", "font-family": FONTS, fill: theme.ink, color: theme.ink };
  return [written(node("svg", attributes, [
    node("title", {}, [title || alt]),
    ...(title ? [node("desc", {}, [alt])] : []),
    node("rect", { width: "100%", height: "100%", fill: theme.ground }),
    ...above.draw(0),
    ...(above.high ? [group(inside, { transform: `translate(0 ${number(above.high)})` })] : inside),
    ...below.draw(high - below.high),
  ]))].join(""); // flat: one text, and not a chain of pieces
}
