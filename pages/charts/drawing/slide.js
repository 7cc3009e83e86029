// A slide: rows under one another, each a picture with words at both sides, under a title and above notes, on so many pixels.

import { bandOf } from "./notes.js";
import { layers, pictureOf } from "./picture.js";
import { group, number } from "./values.js";

const [TITLE, SAYING, NOTE] = [46, 30, 24]; // pixels of the type of the title, of what is said first, and of all else

const moved = (nodes, x, y) => (nodes.length ? [group(nodes, { transform: `translate(${number(x)} ${number(y)})` })] : []);

// Words under one another, the first of them large, around the height `middle`, but never above the top.
function aside(words, wide, middle) {
  const bands = words.map((text, i) => bandOf(text, i ? NOTE : SAYING, wide, !i));
  let at = Math.max(0, middle - bands.reduce((sum, band) => sum + band.high, 0) / 2);
  return bands.flatMap((band) => {
    at += band.high;
    return band.draw(at - band.high);
  });
}

const edges = ({ figure }) => (figure ? [figure.layout.margin.t, figure.layout.margin.b] : [0, 0]);

// Its parts from above to below, which fill `height`; `sides`: pixels of the words left and right of a picture.
export function slideOf({ rows, sides, width, height, theme, title, says, notes }) {
  const above = [bandOf(title, TITLE, width, true), ...says.map((text) => bandOf(text, SAYING, width, false))];
  const below = notes.map((text, i) => bandOf(text, NOTE, width, i === notes.length - 1));
  const taken = [...above, ...below].reduce((sum, { high }) => sum + high, 0) + rows.flatMap(edges).reduce((sum, edge) => sum + edge, 0);
  const plot = (height - taken) / rows.length; // all plots are equally high
  const shown = rows.map((row) => rowOf(row, plot, sides, width, theme));
  return [...above, ...shown, ...below];
}

function rowOf(row, plot, [left, right], width, theme) {
  const [over, under] = edges(row);
  const picture = row.figure && pictureOf(row.figure, width - left - right, over + plot + under);
  const [begin, wide] = picture ? [width - right, right] : [left, width - left]; // words alone have all the room
  const words = [...aside(row.left, left, over + plot / 2), ...moved(aside(row.right, wide, over + plot / 2), begin, 0)];
  const draw = (top) => moved([...words, ...(picture ? moved(layers(picture, theme), left, 0) : [])], 0, top);
  return { high: over + plot + under, draw };
}
