// Axes: where a number lies, and the ticks that say so.

import { general, whole } from "./numbers.js";

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function raised(exponent) {
  return (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((digit) => RAISED[digit]).join("");
}

// Of range low … high on length pixels; `flip`: upwards.
export function scaleOf({ log = false, range: [low, high] }, length, flip) {
  const from = log ? Math.log10(low) : low;
  const span = (log ? Math.log10(high) : high) - from || 1;
  return (value) => {
    const share = ((log ? Math.log10(value) : value) - from) / span;
    return length * (flip ? 1 - share : share);
  };
}

// [value, text] of each tick, about one each `apart` pixels.
export function ticksOf(axis, length, apart) {
  if (axis.ticks) return axis.ticks;
  return axis.log ? logarithmic(axis, length, apart) : linear(axis.range, length, apart);
}

function linear([low, high], length, apart) {
  const wanted = (high - low) / Math.max(2, length / apart);
  if (!(wanted > 0) || !Number.isFinite(wanted)) return [];
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = power * [1, 2, 5, 10].find((times) => times * power >= wanted * (1 - 1e-9));
  const made = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at++) made.push(at * step);
  const most = Math.max(Math.abs(low), Math.abs(high));
  return made.map((value) => [value, worded(value, step, most)]);
}

function worded(value, step, most) {
  if (Math.abs(value) < step / 1e6) return "0";
  if (most >= 1e6 || most < 1e-3) {
    const power = Math.floor(Math.log10(most));
    return `${general(value / 10 ** power, Math.max(1, power - Math.floor(Math.log10(step)) + 1))}×10${raised(power)}`;
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = Math.abs(value).toFixed(decimals);
  return (value < 0 ? "−" : "") + (Math.abs(value) >= 1000 && decimals === 0 ? whole(Math.abs(value)) : text);
}

function logarithmic({ range: [low, high], powers }, length, apart) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil(((last - first + 1) * apart) / Math.max(length, 1)));
  const made = [];
  for (let power = first; power <= last; power += every) {
    made.push([10 ** power, powers && power > 1 ? `10${raised(power)}` : powers && power < 0 ? `10${raised(power)}` : general(10 ** power)]);
  }
  return made;
}
