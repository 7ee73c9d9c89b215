/** A row of a sparse matrix with the weights of features in a text. */
export interface SparseRow {
  readonly features: Int32Array;
  readonly weights: Float32Array;
}

/** Rounds of subspace iteration. More rounds do not improve retrieval. */
const iterationRounds = 4;
/** A shorter column is only a rounding error, because the texts span fewer dimensions. */
const minRelativeLength = 1e-6;

/**
 * Returns an orthonormal basis of the space in which the rows vary most: their first `rank` right singular vectors, up
 * to a rotation. The result is `features` × `rank`, row by row. Equal rows give equal bits.
 */
export function dominantSubspace(
  rows: readonly SparseRow[],
  features: number,
  rank: number,
): Float32Array {
  let texts = startingPoint(rows.length * rank);
  for (let round = 0; round < iterationRounds; round++) {
    texts = toTexts(rows, toFeatures(rows, texts, features, rank), rank);
    orthonormalize(texts, rank);
  }
  const basis = toFeatures(rows, texts, features, rank);
  orthonormalize(basis, rank);
  return basis;
}

/** Creates arbitrary but fixed directions with a linear congruential generator. */
function startingPoint(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}

function toFeatures(
  rows: readonly SparseRow[],
  texts: Float32Array,
  features: number,
  rank: number,
): Float32Array {
  const product = new Float32Array(features * rank);
  for (const [at, row] of rows.entries()) {
    for (let i = 0; i < row.features.length; i++) {
      addScaled(
        product,
        (row.features[i] ?? 0) * rank,
        texts,
        at * rank,
        row.weights[i] ?? 0,
        rank,
      );
    }
  }
  return product;
}

function toTexts(rows: readonly SparseRow[], basis: Float32Array, rank: number): Float32Array {
  const product = new Float32Array(rows.length * rank);
  for (const [at, row] of rows.entries()) {
    for (let i = 0; i < row.features.length; i++) {
      addScaled(
        product,
        at * rank,
        basis,
        (row.features[i] ?? 0) * rank,
        row.weights[i] ?? 0,
        rank,
      );
    }
  }
  return product;
}

function addScaled(
  sum: Float32Array,
  to: number,
  values: Float32Array,
  from: number,
  factor: number,
  length: number,
): void {
  for (let i = 0; i < length; i++) {
    sum[to + i] = (sum[to + i] ?? 0) + factor * (values[from + i] ?? 0);
  }
}

/**
 * Makes the columns of a matrix perpendicular and of length 1 or 0. Runs modified Gram–Schmidt twice because of
 * rounding.
 */
function orthonormalize(matrix: Float32Array, columns: number): void {
  const done: Float32Array[] = [];
  for (let column = 0; column < columns; column++) {
    const vector = columnOf(matrix, column, columns);
    const before = Math.sqrt(dot(vector, vector));
    for (let pass = 0; pass < 2; pass++) {
      for (const other of done) addScaled(vector, 0, other, 0, -dot(vector, other), vector.length);
    }
    const length = Math.sqrt(dot(vector, vector));
    const scale = length > minRelativeLength * before ? 1 / length : 0;
    for (let i = 0; i < vector.length; i++) {
      vector[i] = matrix[i * columns + column] = (vector[i] ?? 0) * scale;
    }
    done.push(vector);
  }
}

function columnOf(matrix: Float32Array, column: number, columns: number): Float32Array {
  const length = matrix.length / columns;
  return Float32Array.from({ length }, (_, i) => matrix[i * columns + column] ?? 0);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
