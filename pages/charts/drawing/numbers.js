// Numbers: as they arrive, and as people read them. The same words as dpcore/guarantees/words.py, to the letter.

const PARTS = 65535;

// An object {f8: …}, {f4: …} or {u2: …, largest} holds the bytes of many numbers, in base64; all else is as JSON has it.
export function read(text) {
  return JSON.parse(text, (key, value) => {
    if (value === null || typeof value !== "object") return value;
    if (value.f8 !== undefined) return new Float64Array(bytes(value.f8));
    if (value.u2 !== undefined) return Float64Array.from(new Uint16Array(bytes(value.u2)), (part) => value.largest * (part / PARTS));
    return value.f4 === undefined ? value : new Float32Array(bytes(value.f4));
  });
}

// The same with what stands in `parts` in its places, {part: i}.
export function linked(value, parts) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (value.part !== undefined) return parts[value.part];
  for (const name in value) value[name] = linked(value[name], parts);
  return value;
}

function bytes(base64) {
  const text = atob(base64);
  const made = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) made[i] = text.charCodeAt(i);
  return made.buffer;
}

// Digits of |value| and its exponent, ties to even, as Python rounds.
function rounded(value, digits) {
  const [long, exponent] = Math.abs(value).toExponential(60).replace(".", "").split("e");
  const rest = long.slice(digits);
  let kept = BigInt(long.slice(0, digits));
  const tie = /^50*$/.test(rest);
  if (tie ? kept % 2n === 1n : rest[0] >= "5") kept += 1n;
  const text = String(kept);
  return text.length > digits ? [text.slice(0, digits), Number(exponent) + 1] : [text.padStart(digits, "0"), Number(exponent)];
}

// Python's format(value, ".3g").
export function general(value, digits = 6) {
  if (value === 0) return "0";
  const [kept, exponent] = rounded(value, digits);
  const sign = value < 0 ? "-" : "";
  if (exponent < -4 || exponent >= digits) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${trimmed(`${kept[0]}.${kept.slice(1)}`)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}${trimmed(`0.${"0".repeat(-exponent - 1)}${kept}`)}`;
  return `${sign}${trimmed(`${kept.slice(0, exponent + 1)}.${kept.slice(exponent + 1)}`)}`;
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0*$/, "") : text;
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

// With the unit behind it; `one` where it is 1: 2 records, 1 record.
export function counted(value, { after, one = after }) {
  const text = figure(value);
  return text + (text === "1" ? one : after);
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
