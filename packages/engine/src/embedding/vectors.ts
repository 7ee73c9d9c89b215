import { TroveError } from '@trove/core';

/** How far the square of a length may be from 1: what 32 bits and a long sum leave. */
const tolerance = 1e-3;

/**
 * What an embedder returned for `count` texts, as vectors of unit length; null for one that holds something else than
 * finite numbers, or nothing but zeros: every comparison with it would be meaningless. Throws `plugin_invalid`.
 */
export function checkedVectors(
  vectors: unknown,
  count: number,
  dimension: number,
): (Float32Array | null)[] {
  if (!Array.isArray(vectors)) throw invalid('must resolve to an array of vectors');
  if (vectors.length !== count)
    throw invalid(`returned ${vectors.length} vectors for ${count} texts`);
  return vectors.map((vector: unknown) => {
    if (!(vector instanceof Float32Array))
      throw invalid('returned a vector that is no Float32Array');
    if (vector.length !== dimension) {
      throw invalid(`returned a vector of ${vector.length} dimensions; it states ${dimension}`);
    }
    return unit(vector);
  });
}

function unit(vector: Float32Array): Float32Array | null {
  let square = 0;
  for (const value of vector) square += value * value;
  if (!Number.isFinite(square) || square === 0) return null;
  if (Math.abs(square - 1) <= tolerance) return vector;
  const length = Math.sqrt(square);
  return vector.map((value) => value / length);
}

function invalid(problem: string): TroveError {
  return new TroveError('plugin_invalid', `The embedder: embed ${problem}`);
}
