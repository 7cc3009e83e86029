// Numbers over their names.

import { Chart } from "./chart.js";

const MOST_TIMES = 6; // times the first reach, beyond which another leaves the picture

// A chart with a place for each of the names; `size`: of a mark there, smaller where many stand beside one another.
export function overNames(root, { names, ticks, upright, room, up }) {
  const range = [-0.6, names.length - 0.4];
  const chart = new Chart(root, { x: { range, ticks, upright }, y: { title: up }, room });
  chart.places = names.map((_, i) => i);
  chart.size = Math.max(1.5, Math.min(4.5, 75 / names.length));
  return chart;
}

// The furthest that noise reaches, of which none makes the others invisible; 0 where there is none.
export function reachOf(reaches) {
  const there = reaches.filter(Number.isFinite);
  return Math.max(0, ...there.map((reach) => Math.min(reach, MOST_TIMES * there[0])));
}
