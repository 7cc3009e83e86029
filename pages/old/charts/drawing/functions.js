// Functions of rules that are more than arithmetic. Each is beside one in Python of the same meaning, and tests compare both.

import { general } from "./numbers.js";

const COLUMNS = 27; // of dots
const APART = 0.09; // of an axis, between two ticks
const ROOM = 1.5; // beside the outermost errors

// Where each dot stands, from noise that rises: no column straddles `off`. As pages/old/charts/responses.py has it.
export function stacked(noise, off) {
  const reach = Math.max(Math.abs(noise[0]), Math.abs(noise.at(-1)));
  const width = (2 * reach) / COLUMNS || 1;
  const inside = Math.min(off, reach);
  const many = Math.max(1, Math.floor((2 * inside) / width + 1e-9));
  const narrow = (2 * inside) / many;
  const xs = noise.map((at) => {
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

let last = [];

// Of the same dots several things are asked.
function stack(noise, off) {
  if (last[0] !== noise || last[1] !== off) last = [noise, off, ...stacked(Array.from(noise), off)];
  return last.slice(2);
}

const onSide = (values, noise, off, side) => values.map((value, i) => (Math.abs(noise[i]) > off === side > 0 ? value : NaN));

// P of a candidate at each of the scores, `gaps` below the best. As dpcore/mechanisms/exponential.py and permute_and_flip.py have it.
export function chances(gaps, times, nodes, weights, scale) {
  const takes = Array.from(gaps, (gap) => Math.exp(gap / scale));
  const all = (of) => of.reduce((sum, one, i) => sum + one * times[i], 0);
  let likely = takes;
  if (nodes.length) {
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

// Of a scale, or of each of several; NaN where there is no noise.
const ofScales = (act) => (...given) => {
  const scales = given.at(-1);
  const one = (scale) => (Number.isFinite(scale) && scale > 0 ? act(...given.slice(0, -1), scale) : NaN);
  return typeof scales === "number" ? one(scales) : Array.from(scales, one);
};

const shortfall = (gaps, times, nodes, weights, scale) =>
  chances(gaps, times, nodes, weights, scale).reduce((sum, chance, i) => sum - chance * times[i] * gaps[i], 0);

// An error that is the mean of √(a + b·scale + c·scale²) over draws of noise.
const rooted = (a, b, c, scale) => b.reduce((sum, each, i) => sum + Math.sqrt(Math.max(a + scale * (each + c[i] * scale), 0)), 0) / b.length;

// Both ends of an axis of errors, as exponents of ten, which holds the curve of each γ, so that no axis moves under the hand.
function errorEnds(decades, ...some) {
  const known = some.flatMap((part) => (typeof part === "number" ? [part] : Array.from(part))).filter((one) => one > 0 && Number.isFinite(one));
  if (!known.length) return [-Math.log10(ROOM), Math.log10(ROOM)];
  const top = Math.log10(ROOM * Math.max(...known));
  return [Math.max(Math.log10(Math.min(...known) / ROOM), top - decades), top];
}

// Where a guesser is right so often, and what stands there; the first are kept where there is no room for all.
function accuracies(shares, ratios, right, scale, leading, edge) {
  const kept = [];
  if (Number.isFinite(scale)) {
    shares.forEach((share, i) => {
      const at = ratios[i] * scale;
      if (at <= right && kept.every(([other]) => Math.abs(at - other) >= APART * right)) kept.push([at, general(100 * share, 3)]);
    });
    if (kept.length < 2 && leading >= APART * right && leading <= right) kept.push([leading, general(100 * edge, 3)]);
  }
  return kept.sort((one, other) => one[0] - other[0]);
}

// Two-sided geometric noise. As dpcore/mechanisms/whole_noise.py has it.
const ofEach = (numbers, act) => (typeof numbers === "number" ? act(numbers) : Array.from(numbers, act));
const wholeNoise = (levels, scale) =>
  ofEach(levels, (level) => {
    const beyond = Math.min(level, 1 - level) * (1 + Math.exp(-1 / scale));
    const least = Math.ceil(-scale * Math.log(beyond) * (1 - 2 ** -50)) - 1;
    return level < 0.5 ? -Math.max(least, 0) : Math.max(least, 0);
  });
const wholeError = (scale) => (scale > 0.002 ? 1 / Math.sinh(1 / scale) : 0);
const wholeDensity = (at, scale) =>
  ofEach(at, (one) => Math.tanh(0.5 / scale) * Math.exp(-Math.floor(Math.abs(one * scale) + 0.5) / scale));

const ROW = 10; // icons
const places = (many) => Array.from({ length: many }, (_, place) => place);

const twice = (list) => Array.from(list).flatMap((one) => [one, one]);

export const OF_FIGURES = {
  twice,
  stackX: (noise, off, side) => onSide(stack(noise, off)[0], noise, off, side),
  stackY: (noise, off, side) => onSide(stack(noise, off)[1], noise, off, side),
  columns: (noise, off) => Math.max(...stack(noise, off)[1]),
  beyond: (noise, off) => noise.filter((at) => Math.abs(at) > off).length,
  chances: (gaps, times, nodes, weights, scale) => (Number.isFinite(scale) ? chances(gaps, times, nodes, weights, scale) : Array.from(gaps, () => NaN)),
  iconX: (many) => places(many).map((place) => place % ROW),
  iconY: (many) => places(many).map((place) => ROW - 1 - Math.floor(place / ROW)),
  passed: (list, steps, value) => list[steps.filter((step) => value > step).length], // what stands behind so many steps
  best: (found, times) => found.at(-1) * times,
  at: (list, places) => Array.from(places, (place) => list[place]),
  shortfall: ofScales(shortfall),
  rooted: ofScales(rooted),
  wholeNoise,
  wholeError: ofScales(wholeError),
  wholeDensity,
  errorLow: (...given) => errorEnds(...given)[0],
  errorHigh: (...given) => errorEnds(...given)[1],
  power: (exponent) => 10 ** exponent,
  accuracyPlaces: (...given) => accuracies(...given).map(([at]) => at),
  accuracyTexts: (...given) => accuracies(...given).map(([, said]) => said),
};
