// What privacy costs: the expected error against ε. Each kind of answer says what it is at a scale of the noise.

import { Chart } from "./chart.js";
import { BLUE, GREEN, GREY, PURPLE, VERMILION } from "./colours.js";
import { figure, general } from "./numbers.js";

const EVERY = 8; // places of ε from one of the curves' points to the next
const ROOM = 1.5; // beside the outermost errors

// errorAt: (data, scale) -> the expected error.
export const errors = (errorAt) => (root, data) => {
  const chart = new Chart(root, { x: { title: data.across, log: true, apart: 56 }, y: { title: data.up, log: true, powers: true } });
  const sampled = chart.mark({ name: "sampled", colour: BLUE });
  const worst = chart.mark({ name: data.worst, colour: data.worstKnown ? VERMILION : GREY, dash: "longdash" });
  const none = chart.mark({ name: data.none, colour: GREEN, dash: "dot" });
  const chosen = chart.mark({ name: "ε", colour: PURPLE, symbol: "diamond", size: 5 });
  const at = (scale) => (Number.isFinite(scale) && scale > 0 ? errorAt(data, scale) : NaN);
  let laid, last, places, epsilons;
  const curve = (delta) => places.map((j) => at(delta * laid.unit[j]));

  // The range holds the curve of each γ, so that no axis moves under the hand.
  function begin(tables) {
    laid = tables;
    last = null;
    places = [...tables.epsilon.keys()].filter((j) => j % EVERY === 0 || j === tables.epsilon.length - 1);
    epsilons = places.map((j) => tables.epsilon[j]);
    const some = tables.delta.filter((delta) => delta > 0 && Number.isFinite(delta));
    const proved = curve(tables.worst ?? NaN);
    const all = [...curve(Math.min(...some)), ...curve(Math.max(...some)), ...proved, data.floor].filter((error) => error > 0);
    const top = ROOM * Math.max(...all);
    const bottom = Math.max(Math.min(...all) / ROOM, top / 10 ** data.decades);
    const ends = [epsilons[0], epsilons.at(-1)];
    chart.view(ends, all.length ? [bottom, top] : [0.5, 2]);
    worst.at(epsilons, proved);
    none.at(ends, [Math.max(data.floor, bottom), Math.max(data.floor, bottom)]);
  }

  return {
    follow(look) {
      if (look.tables !== laid) begin(look.tables);
      if (look.delta !== last) sampled.at(epsilons, curve((last = look.delta)));
      const error = look.answered ? at(look.scale) : NaN;
      chosen.at([look.epsilon], [error]);
      chosen.name(`ε = ${general(look.epsilon)}: ${figure(error)}`);
      chart.words(`${data.alt} At ε = ${general(look.epsilon)} it is ${figure(error)}.`);
      chart.paint();
    },
    end: () => chart.end(),
  };
};

// Of noise on each number alone: so many times its scale.
export const inProportion = errors((data, scale) => data.mean * scale);
