import type { Embedder } from '@trove/core/model';

import { expect, expectEqual } from '../expect.js';
import { options } from './subject.js';

/** The maximum rounding difference between calls of a provider. */
const tolerance = 1e-3;

/** Returns the vector of one text as a copy. */
export async function vectorOf(
  embedder: Embedder,
  text: string,
  purpose: 'document' | 'query' = 'document',
): Promise<Float32Array> {
  const vectors = await embedder.embed([text], options(purpose));
  expectEqual(vectors.length, 1, 'number of vectors for one text');
  return Float32Array.from(vectors[0] ?? []);
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

export function expectUnit(vector: Float32Array | undefined, what: string): void {
  const length = vector === undefined ? NaN : Math.hypot(...vector);
  expect(Math.abs(length - 1) <= tolerance, `${what}: its length is ${length}, not 1`);
}

/** Expects two vectors to be equal within the tolerance. */
export function expectSame(
  a: Float32Array | undefined,
  b: Float32Array | undefined,
  what: string,
): void {
  expect(a !== undefined && b !== undefined, `${what}: the vector is missing`);
  const distance = Math.hypot(...a.map((value, at) => value - (b[at] ?? NaN)));
  expect(distance <= 0.05, `${what}: the vectors are ${distance} apart`);
}
