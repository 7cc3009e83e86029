// One number: fifty dots or a density; several, side by side: all of noise in units of its scale.

import { kindOfAnswer } from "../module/answers.js";
import { BLUE, GREEN, GREY, VERMILION } from "../module/colours.js";
import { Chart } from "../module/chart.js";
import { inProportion } from "../module/errors.js";
import { figure, general } from "../module/numbers.js";
import { sideBySide, within } from "../module/side_by_side.js";
import { roundUp } from "../module/spans.js";

const COLUMNS = 27; // of dots
const FURTHEST = 2; // times the furthest dot, up to which a line is drawn

// Where each dot stands, from noise in rising order: no column straddles `off`. As pages/charts/responses.py has it.
export function stacked(noise, reach, off) {
  const width = (2 * reach) / COLUMNS || 1;
  const inside = Math.min(off, reach);
  const many = Math.max(1, Math.floor((2 * inside) / width + 1e-9));
  const narrow = (2 * inside) / many;
  const xs = Array.from(noise, (at) => {
    if (Math.abs(at) <= off) {
      const column = Math.min(Math.max(Math.floor((at + inside) / (narrow || 1)), 0), many - 1);
      return (column + 0.5) * narrow - inside;
    }
    const outside = Math.floor(Math.max(Math.abs(at) - inside, 0) / width);
    return Math.sign(at) * (inside + (outside + 0.5) * width);
  });
  const seen = new Map();
  const ys = xs.map((x) => {
    seen.set(x, (seen.get(x) ?? -0.5) + 1);
    return seen.get(x);
  });
  return [xs, ys];
}

function dots(root, data) {
  const chart = new Chart(root, { x: { title: data.title }, y: { quiet: true } });
  const right = chart.mark({ name: data.dots, wide: true, colour: BLUE, symbol: "circle", size: 4.5 });
  const wrong = chart.mark({ name: "wrong", wide: true, colour: VERMILION, symbol: "diamond", size: 4 });
  const own = chart.mark({ name: data.own, colour: GREEN, dash: "dot" });
  const edges = chart.mark({ colour: GREY, dash: "dash", width: 1.5 });
  const { off, raw } = data;
  return {
    follow(look) {
      const noise = Float64Array.from(data.quantiles, (at) => at * look.scale);
      const reach = Math.max(Math.abs(noise[0]), Math.abs(noise[noise.length - 1]));
      const [xs, ys] = stacked(noise, reach, off);
      const places = [[], []];
      noise.forEach((at, i) => places[Math.abs(at) > off ? 1 : 0].push(i));
      const top = Math.max(10, ...ys.map((y) => y + 1));
      for (const [mark, kept] of [[right, places[0]], [wrong, places[1]]]) mark.at(kept.map((i) => raw + xs[i]), kept.map((i) => ys[i]));
      wrong.name(`wrong beyond ± ${figure(off)}: ${places[1].length} of ${noise.length}`);
      own.at([raw, raw], [0, top]);
      const seen = off <= FURTHEST * reach;
      if (seen) edges.at([raw - off, raw - off, NaN, raw + off, raw + off], [0, top, NaN, 0, top]);
      else edges.hide();
      const half = 1.06 * Math.max(reach, seen ? off : 0) || 1;
      chart.view([raw - half, raw + half], [0, top]);
      chart.words(`${data.alt} At ε = ${general(look.epsilon)}, ${places[1].length} of ${noise.length} are further off than ${data.offSaid}.`);
      chart.paint();
    },
    end: () => chart.end(),
  };
}

function density(root, data) {
  const chart = new Chart(root, { x: { title: data.title }, y: { title: "how likely", quiet: true } });
  const sampled = chart.mark({ name: "noise sized to Δ̂", colour: BLUE });
  const worst = chart.mark({ name: data.worst, colour: data.worstKnown ? VERMILION : GREY, dash: data.worstKnown ? "dash" : "longdash" });
  const own = chart.mark({ name: data.own, colour: GREEN, dash: "dot" });
  const { raw, at, height } = data;
  const shaped = (mark, scale) => {
    if (Number.isFinite(scale)) mark.at(Array.from(at, (t) => raw + t * scale), Array.from(height, (y) => y / scale));
    else mark.hide();
  };
  return {
    follow(look) {
      const { sampledScale, worstScale } = look;
      shaped(sampled, sampledScale);
      shaped(worst, worstScale);
      const top = 1.06 * data.peak * (1 / sampledScale);
      const wide = Number.isFinite(worstScale) ? Math.max(5 * sampledScale, Math.min(5 * worstScale, 30 * sampledScale)) : 5 * sampledScale;
      const half = roundUp(wide);
      own.at([raw, raw], [0, top / 1.06]);
      chart.view([raw - half, raw + half], [0, top]);
      chart.words(`${data.alt} At ε = ${general(look.epsilon)}.`);
      chart.paint();
    },
    end: () => chart.end(),
  };
}

kindOfAnswer("numbers", { dots, density, answers: sideBySide, error: inProportion }, within);
