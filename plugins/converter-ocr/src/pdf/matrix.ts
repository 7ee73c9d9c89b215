/** `x' = a x + c y + e`, `y' = b x + d y + f`. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Applies `inner` first, then `outer`. */
export function combined(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [p, q, r, s, t, u] = inner;
  return [
    a * p + c * q,
    b * p + d * q,
    a * r + c * s,
    b * r + d * s,
    a * t + c * u + e,
    b * t + d * u + f,
  ];
}

/** Returns null for a matrix without an inverse. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | null {
  const area = a * d - b * c;
  if (!Number.isFinite(area) || area === 0) return null;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** Returns null if the value is not a matrix. */
export function matrixOf(value: unknown): Matrix | null {
  const [a, b, c, d, e, f] = isList(value) ? [...value].map(Number) : [];
  if (a === undefined || b === undefined || c === undefined) return null;
  if (d === undefined || e === undefined || f === undefined) return null;
  return [a, b, c, d, e, f];
}

function isList(value: unknown): value is Iterable<unknown> {
  return Array.isArray(value) || value instanceof Float32Array;
}
