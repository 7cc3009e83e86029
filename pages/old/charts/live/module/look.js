// What is shown at one γ and one ε: all of it is looked up. No bound, no calibration and no guarantee is computed here.

import { nearest } from "../../drawing/numbers.js";

const LEADS = { 0: "sampled", 1: "proved", 2: "same" };

// The tables: gamma, k (0 where γ is out of reach), needs (the trials that such a γ takes, up to the last of them), most (those that
// a page draws), delta (Δ̂), resolution (up to which no Δ̂ is taken), covered (the trials within it, where they are not k), proved (1
// where the worst case leads, 2 where it is no larger than Δ̂ too), furthest (of all trials), share (γ in words); epsilon, unit (the
// noise's scale at a sensitivity of 1; NaN where there is no noise), edge and guess (how often somebody is right). What else is laid
// is given on as it is.
export function looked(tables, gamma, epsilon) {
  const i = nearest(tables.gamma, gamma);
  const j = nearest(tables.epsilon, epsilon);
  const delta = tables.delta ? tables.delta[i] : NaN;
  const unit = tables.unit[j];
  const worst = tables.worst ?? NaN;
  const reached = tables.k[i] > 0;
  const needs = tables.needs[i] ?? 0;
  const lead = LEADS[(reached && tables.proved?.[i]) || 0];
  const proved = lead !== "sampled";
  const sampledScale = reached ? delta * unit : NaN;
  const scale = proved ? worst * unit : sampledScale;
  const [leastDelta, mostDelta] = endsOf(tables);
  const answered = reached && delta > tables.resolution && Number.isFinite(delta) && Number.isFinite(scale);
  return {
    ...tables, tables, gamma: tables.gamma[i], epsilon: tables.epsilon[j], reached, k: tables.k[i], needs,
    delta, worst, unit, proved, covered: (tables.covered ?? tables.k)[i],
    sampledScale, worstScale: worst * unit, scale,
    leastDelta, mostDelta, beyond: reached && !proved ? delta : NaN, edge: tables.edge?.[j] ?? NaN,
    leading: proved ? worst : delta,
    answered, answeredScale: answered ? scale : NaN,
    state: answered ? lead : whyNot(reached, needs, delta, tables), leavesOut: answered && !proved && tables.furthest > delta,
    guess: tables.guess?.[j], share: tables.share?.[i],
  };
}

function whyNot(reached, needs, delta, { most, resolution }) {
  if (!reached) return needs > most ? "beyond" : "raises";
  if (delta <= resolution) return "zero";
  return Number.isFinite(delta) ? "noiseless" : "infinite";
}

const ends = new WeakMap();

// The least and the largest Δ̂ that there is noise for.
function endsOf(tables) {
  if (!ends.has(tables)) {
    const some = Array.from(tables.delta ?? []).filter((delta) => delta > 0 && Number.isFinite(delta));
    ends.set(tables, some.length ? [Math.min(...some), Math.max(...some)] : [NaN, NaN]);
  }
  return ends.get(tables);
}
