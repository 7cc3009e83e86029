// Curves and lines over one dimension, with private ones: each is what it is without noise and so many times a curve of noise.

import { Chart } from "./chart.js";
import { counted, general } from "./numbers.js";
import { roundUp } from "./spans.js";

const ROOM = 0.06; // above and below

export function curves(root, { x, y, xs, base, band, lines, records, ends, still, alt }) {
  const chart = new Chart(root, { x, y });
  if (records) chart.mark(records.mark).at(records.xs, records.ys);
  const ground = chart.mark(band.mark);
  const drawn = lines.map((one) => ({ ...one, mark: chart.mark(one.mark) }));
  for (const { mark, ys } of drawn) if (ys) mark.at(xs, ys);
  const moved = (noise, scale) => base.map((value, i) => value + scale * noise[i]);
  return {
    follow(look) {
      const [low, high] = [band.low, band.high].map((noise) => moved(noise, look.sampledScale));
      const there = Number.isFinite(look.sampledScale);
      if (there) ground.between(xs, low, high);
      else ground.hide();
      for (const { mark, by, noise, near, named } of drawn) {
        if (!by) continue;
        const scale = look[by];
        if (Number.isFinite(scale)) mark.at(noise.flatMap(() => [...xs, NaN]), noise.flatMap((one) => [...moved(one, scale), NaN]));
        else mark.hide();
        if (near) mark.name(named + counted(near * scale, { after: "" }));
      }
      const over = still || !there ? 0 : Math.max(0, ends[0] - Math.min(...low), Math.max(...high) - ends[1]);
      const more = over && roundUp(over);
      const room = ROOM * (ends[1] - ends[0] + 2 * more || 1) + more;
      if (there || !y.range) chart.view(x.range, [ends[0] - room, ends[1] + room]);
      chart.words(`${alt} At ε = ${general(look.epsilon)}.`);
      chart.paint();
    },
    end: () => chart.end(),
  };
}

// An error that is the mean of √(a + b·scale + c·scale²) over draws of noise.
export function rooted({ error: { a, b, c } }, scale) {
  return b.reduce((sum, each, i) => sum + Math.sqrt(Math.max(a + scale * (each + c[i] * scale), 0)), 0) / b.length;
}

// The same in words, of the answer, of the weaker guarantee, and of records afresh.
export function typically({ scale, sampledScale }, data) {
  const said = (error, size) => (error ? counted(rooted({ error }, size), data) : "");
  return { reach: said(data.error, scale), weaker: said(data.error, sampledScale), afresh: said(data.fresh, scale) };
}
