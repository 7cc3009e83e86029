// A slide: rows under one another, each a picture with words at both sides, under a title and above notes, on so many pixels.

import { bandOf } from "./notes.js";
import { layers, pictureOf } from "./picture.js";
import { group, number } from "./values.js";

const [TITLE, SAYING, NOTE] = [46, 30, 24]; // pixels of the type of the title, of what is said first, and of all else

const moved = (nodes, x, y) => (nodes.length ? [group(nodes, { transform: `translate(${number(x)} ${number(y)})` })] : []);

// Words under one another, the first of them large.
function wordsOf(words, wide) {
  const bands = words.map((text, i) => bandOf(text, i ? NOTE : SAYING, wide, !i));
  const draw = (top) =>
    bands.flatMap((band) => {
      top += band.high;
      return band.draw(top - band.high);
    });
  return { high: sum(bands), draw };
}

const sum = (parts) => parts.reduce((all, { high }) => all + high, 0);

// Its parts from above to below. All plots are equally high: so high as `plot` says, or as fills `height`. `sides`: pixels of the
// words left and right of a picture; without them the words stand above it, as a narrow screen needs it.
export function slideOf({ rows, sides, width, height, plot, theme, title, says, notes }) {
  const above = [bandOf(title, TITLE, width, true), ...says.map((text) => bandOf(text, SAYING, width, false))];
  const below = notes.map((text, i) => bandOf(text, NOTE, width, i === notes.length - 1));
  const made = rows.map((row) => (sides ? beside(row, sides, width, theme) : stacked(row, width, theme)));
  const each = plot || (height - sum([...above, ...below]) - made.reduce((all, { around }) => all + around, 0)) / rows.length;
  return [...above, ...made.map(({ at }) => at(each)), ...below];
}

const edges = ({ figure }) => (figure ? [figure.layout.margin.t, figure.layout.margin.b] : [0, 0]);

// `around`: its pixels above and below the plot; `at`: the row with a plot so high.
function beside(row, [left, right], width, theme) {
  const [over, under] = edges(row);
  const [begin, wide] = row.figure ? [width - right, right] : [left, width - left]; // words alone have all the room
  const sides = [[0, wordsOf(row.left, left)], [begin, wordsOf(row.right, wide)]];
  const at = (plot) => ({
    high: over + plot + under,
    draw: (top) => [
      ...sides.flatMap(([x, words]) => moved(words.draw(Math.max(0, over + (plot - words.high) / 2)), x, top)),
      ...pictured(row, left, top, width - left - right, over + plot + under, theme),
    ],
  });
  return { around: over + under, at };
}

function stacked(row, width, theme) {
  const words = wordsOf([...row.left, ...row.right], width);
  const [over, under] = edges(row);
  const at = (plot) => {
    const high = row.figure ? over + plot + under : NOTE;
    return { high: words.high + high, draw: (top) => [...words.draw(top), ...pictured(row, 0, top + words.high, width, high, theme)] };
  };
  return { around: words.high + over + under, at };
}

const pictured = ({ figure }, x, y, wide, high, theme) => (figure ? moved(layers(pictureOf(figure, wide, high), theme), x, y) : []);
