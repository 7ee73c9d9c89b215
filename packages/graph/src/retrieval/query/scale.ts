/** Divides all values by the largest. */
export function scaleToOne(values: Map<number, number>): Map<number, number> {
  let best = 0;
  for (const value of values.values()) if (value > best) best = value;
  if (best > 0) for (const [key, value] of values) values.set(key, value / best);
  return values;
}
