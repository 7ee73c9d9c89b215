import { types } from 'node:util';
import { TroveError } from '@trove/core';

/** Tolerated deviation of a squared length from 1, caused by rounding of 32-bit floats. */
const tolerance = 1e-3;

/**
 * Copies the vectors that an embedder returned for `count` texts and scales them to length 1. Returns null for
 * a vector with non-finite numbers or only zeros, because it cannot be compared. Throws `plugin_invalid`.
 */
export function normalizeVectors(
  vectors: unknown,
  count: number,
  dimension: number,
): (Float32Array | null)[] {
  if (!Array.isArray(vectors)) throw invalid('must resolve to an array of vectors');
  if (vectors.length !== count)
    throw invalid(`returned ${vectors.length} vectors for ${count} texts`);
  // `map` would skip missing elements.
  return Array.from(vectors, (vector: unknown) => {
    if (!types.isFloat32Array(vector))
      throw invalid('returned a vector that is not a Float32Array');
    if (vector.length !== dimension) {
      throw invalid(`returned a vector of ${vector.length} dimensions instead of ${dimension}`);
    }
    return normalizeVector(new Float32Array(vector));
  });
}

function normalizeVector(vector: Float32Array): Float32Array | null {
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
