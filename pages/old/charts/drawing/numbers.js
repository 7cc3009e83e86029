// Numbers: as they arrive, and as people read them. The same words as dpcore/guarantees/words.py, to the letter.

const PARTS = 65535;
const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
const PACKED = { // how numbers are made of such an object
  f8: ({ f8 }) => new Float64Array(bytes(f8)),
  f4: ({ f4 }) => new Float32Array(bytes(f4)),
  u2: ({ u2, largest }) => Float64Array.from(new Uint16Array(bytes(u2)), (part) => largest * (part / PARTS)),
};

// An object {f8: …}, {f4: …} or {u2: …, largest} holds the bytes of many numbers, in base64; all else is as JSON has it.
export const read = (text) =>
  JSON.parse(text, (_, value) => {
    const kind = value && Object.keys(PACKED).find((name) => value[name] !== undefined);
    return kind ? PACKED[kind](value) : value;
  });

// The same with what stands in `parts` in its places, {part: i}.
export function linked(value, parts) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (value.part !== undefined) return parts[value.part];
  for (const name in value) value[name] = linked(value[name], parts);
  return value;
}

// Python's format(value, ".3g"): ties go to an even digit, where JavaScript rounds up.
export function general(value, digits = 6) {
  let [kept, exponent] = value.toExponential(digits - 1).split("e");
  const shortest = value.toExponential(); // a tie ends in a 5 one digit further
  const tie = shortest.indexOf("5e") === kept.length && /^50*e/.test(value.toExponential(60).slice(kept.length));
  if (tie && kept.at(-1) % 2) kept = kept.slice(0, -1) + (kept.at(-1) - 1);
  if (exponent >= -4 && exponent < digits) return String(Number(`${kept}e${exponent}`));
  return `${Number(kept)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

export function whole(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

// Three significant digits: 0.0123, 1,230, 1.23e-07.
export function figure(value) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "not a number";
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-4 && size < 1e6)) {
    const near = Number(general(value, 3));
    return Math.abs(near) >= 1000 ? (near < 0 ? "-" : "") + whole(Math.abs(near)) : general(near);
  }
  return general(value, 3);
}

// With the unit behind it; `one` where it is 1: 2 rows, 1 row.
export function counted(value, { after, one = after }) {
  const text = figure(value);
  return text + (text === "1" ? one : after);
}

// The same of a distance, and in the unit that people say one of its size in: dpcore/base/everyday.py has the rule.
export function distance(value, unit) {
  const small = value > 0 && value < 0.3;
  const said = small || (value > 300 && Number.isFinite(value)) ? unit.others ?? [] : [];
  const found = said.find(([size]) => size < 1 === small && value / size >= 2);
  return counted(value, unit) + (found ? ` (about ${whole(twoDigits(value / found[0]))} ${found[1]})` : "");
}

function twoDigits(many) {
  let power = 1;
  while (many >= 100 * power) power *= 10;
  return Math.floor(many / power + 0.5) * power;
}

// 5 %, 0.1 %; what is less than all never reads 100 %.
export function percent(value) {
  const text = general(value * 100, 3);
  return text === "100" && value < 1 ? "over 99.9 %" : `${text} %`;
}

// The place in a rising list that is nearest to a value.
export function nearest(list, value) {
  let low = 0;
  let high = list.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle;
    else high = middle;
  }
  return Math.abs(list[high] - value) < Math.abs(list[low] - value) ? high : low;
}
