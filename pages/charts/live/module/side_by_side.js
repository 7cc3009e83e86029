// Numbers over their names, each with what stands beside it: bars, marks, whiskers, of noise in units of a scale.

import { Chart } from "./chart.js";
import { counted, figure, general } from "./numbers.js";
import { roundUp } from "./spans.js";

const OTHERS = 6; // times the first reach, beyond which another leaves the picture

export function sideBySide(root, { values, names, x, y, room, series, more, end, zero, alt }) {
  const chart = new Chart(root, { x, y, room });
  const drawn = series.map((one) => ({
    ...one, at: names.map((_, i) => i + one.apart), mark: one.mark && chart.mark(one.mark), ends: one.ends && chart.mark(one.ends),
  }));
  for (const looks of more) chart.mark(looks);
  return {
    follow(look) {
      const reaches = [];
      for (const { at, by, noise, half, far, wide, mark, ends } of drawn) {
        const scale = by ? look[by] : 0;
        if (!Number.isFinite(scale)) {
          mark?.hide();
          ends?.hide();
          continue;
        }
        const ys = noise ? values.map((value, i) => value + scale * noise[i]) : values;
        const near = half * scale;
        if (wide) mark.bars(at, ys, wide);
        else mark?.at(at, ys);
        ends?.whiskers(at, ys.map((from) => from - near), ys.map((from) => from + near), end);
        const told = mark ?? ends;
        Object.assign(told, { xs: at, ys, tell: (i) => `${names[i]}: ${general(ys[i])}${half ? `, ± ${figure(near)}` : ""}` });
        if (by) reaches.push(far * scale);
      }
      const reach = Math.max(0, ...reaches.map((one) => Math.min(one, OTHERS * reaches[0])));
      if (reach) chart.view(x.range, around(values, roundUp(reach), zero));
      chart.words(`${alt} At ε = ${general(look.epsilon)}.`);
      chart.paint();
    },
    end: () => chart.end(),
  };
}

function around(values, reach, zero) {
  const [low, high] = [Math.min(...values) - reach, Math.max(...values) + reach];
  return zero ? [Math.min(0, low), Math.max(0, high)] : [low, high];
}

// The ± of a number, of the weaker guarantee, and of all numbers together.
export function within({ scale, sampledScale }, data) {
  const near = (size) => `± ${counted(size, data)}`;
  return { reach: near(data.half * scale), weaker: near(data.half * sampledScale), together: near(data.all * scale) };
}
