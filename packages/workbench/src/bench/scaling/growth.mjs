/**
 * Returns how fast a value grows: the exponent of a power of the number of rows, by the two largest sizes. 1 is
 * proportional growth. `points` is `[[rows, value]]` in ascending order.
 */
export function exponentOf(points) {
  const [[rowsBefore, before], [rows, value]] = points.slice(-2);
  return Math.log(value / before) / Math.log(rows / rowsBefore);
}

/** Returns the expected value at a number of rows, if growth continues. A value never shrinks with the size. */
export function valueAt(points, rows) {
  const [lastRows, last] = points.at(-1);
  return last * (rows / lastRows) ** Math.max(0, exponentOf(points));
}

/**
 * Returns the number of rows at which a growing value reaches a limit: measured between two sizes, else extrapolated.
 * Infinity if the value does not grow.
 */
export function rowsAt(points, limit) {
  const over = points.findIndex(([, value]) => value > limit);
  if (over === 0) return points[0][0];
  const pair = over < 0 ? points.slice(-2) : points.slice(over - 1, over + 1);
  const exponent = exponentOf(pair);
  if (exponent <= 0) return Infinity;
  const [rows, value] = pair[0];
  return rows * (limit / value) ** (1 / exponent);
}
