// Ranges that stay the same while what they hold changes a little.

// From the least of some numbers to the largest, with room for what moves around them; and to 0, where bars stand there.
export function around(values, reach, zero) {
  const room = roundUp(reach);
  const [low, high] = [Math.min(...values) - room, Math.max(...values) + room];
  return zero ? [Math.min(0, low), Math.max(0, high)] : [low, high];
}

// The least of 1, 2, 5, 10, 20 … that is at least the value.
export function roundUp(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 3, 5, 7, 10].find((times) => times * power >= value * (1 - 1e-9)) ?? 10);
}
