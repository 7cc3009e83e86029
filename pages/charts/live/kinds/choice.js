// One of several candidates: how likely each is, above its score.

import { kindOfAnswer } from "../module/answers.js";
import { BLUE, GREEN, GREY, VERMILION } from "../module/colours.js";
import { Chart } from "../module/chart.js";
import { errors } from "../module/errors.js";
import { general, percent } from "../module/numbers.js";
import { roundUp } from "../module/spans.js";

// P of a candidate at each of the scores, `gaps` below the best. As dpcore/mechanisms/exponential.py and permute_and_flip.py have it.
export function chances({ gaps, times, nodes, weights }, scale) {
  const takes = gaps.map((gap) => Math.exp(gap / scale));
  const all = (of) => of.reduce((sum, one, i) => sum + one * times[i], 0);
  let likely = takes;
  if (nodes) {
    const integrals = takes.map(() => 0);
    let low = 0;
    for (let high = 0.5 ** (Math.ceil(Math.log2(all(takes))) + 3); high <= 1; high *= 2) {
      for (let n = 0; n < nodes.length; n++) {
        const x = low + ((high - low) / 2) * (nodes[n] + 1);
        let product = (high - low) * weights[n];
        for (let i = 0; i < takes.length; i++) product *= times[i] === 1 ? 1 - x * takes[i] : (1 - x * takes[i]) ** times[i];
        for (let i = 0; i < takes.length; i++) integrals[i] += product / (1 - x * takes[i]);
      }
      low = high;
    }
    likely = takes.map((take, i) => take * integrals[i]);
  }
  const total = all(likely);
  return likely.map((one) => one / total);
}

const best = ({ times }, found) => percent(found.at(-1) * times.at(-1));
const shortfall = (data, scale) => chances(data, scale).reduce((sum, chance, i) => sum - chance * data.times[i] * data.gaps[i], 0);

function answers(root, data) {
  const { names, level, values } = data;
  const above = new Chart(root, { x: { ticks: [] }, y: { title: data.chance }, room: -34 });
  const below = new Chart(root, data);
  const { range } = data.x;
  const places = names.map((_, i) => i);
  const bars = (chart, name, colour, wide) => chart.mark({ name, wide, colour: "none", width: 0, fill: colour });
  const sampled = bars(above, data.sampled, BLUE);
  const worst = above.mark({
    name: data.worst, colour: data.worstKnown ? VERMILION : GREY, symbol: data.worstKnown ? "flat" : "", dash: data.worstKnown ? "solid" : "longdash",
  });
  const most = Math.max(...values);
  for (const first of [true, false]) {
    const kept = places.filter((i) => (values[i] === most) === first);
    const mark = bars(below, first ? data.named : "", first ? GREEN : GREY, true);
    mark.bars(kept, kept.map((i) => values[i]), 0.8);
    mark.tell = (i) => `${names[kept[i]]}: ${general(values[kept[i]])}`;
  }
  sampled.tell = (i) => `${names[i]}: ${percent(sampled.ys[i] / 100)}`;
  worst.tell = (i) => `${names[i]}: ${percent(worst.ys[i] / 100)}`;
  const low = Math.min(0, ...values);
  below.view(range, [1.05 * low, most > 0 ? 1.05 * most : low ? 0 : 1]);
  below.words(data.below);
  const high = (found) => Array.from(level, (i) => 100 * found[i]);
  return {
    follow(look) {
      const found = look.answered ? chances(data, look.sampledScale) : [];
      const shown = look.answered ? high(found) : [];
      const proved = look.answered && data.worstKnown ? high(chances(data, look.worstScale)) : [];
      sampled.bars(places, shown, 0.8);
      worst.at(places, proved);
      above.view(range, [0, Math.min(100, roundUp(1.02 * Math.max(...shown, ...proved, 0.1)))]);
      if (look.answered) above.words(`${data.alt} At ε = ${general(look.epsilon)} its chance is ${best(data, found)}.`);
      above.paint();
      below.paint();
    },
    end() {
      above.end();
      below.end();
    },
  };
}

kindOfAnswer("choice", { answers, error: errors(shortfall) }, (look, data) => ({
  reach: data.before + best(data, chances(data, look.scale)), weaker: data.before + best(data, chances(data, look.sampledScale)),
}));
