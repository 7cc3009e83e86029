// Ranges that stay the same while what they hold changes a little.

// The least of 1, 2, 5, 10, 20 … that is at least the value.
export function roundUp(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 3, 5, 7, 10].find((times) => times * power >= value * (1 - 1e-9)) ?? 10);
}
