/** Returns the value that a share of the values, `at` from 0 to 1, does not exceed. Interpolates between two values. */
export function quantile(values, at) {
  if (values.length === 0) throw new Error('no value was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const place = at * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values) {
  return quantile(values, 0.5);
}

export function p95(values) {
  return quantile(values, 0.95);
}
