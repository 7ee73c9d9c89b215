import { FeatureCache, type Features } from './features.js';
import { mix } from './hash.js';

/** A pair of neighbouring terms weighs this much of what its terms do. */
const PAIR_WEIGHT = 0.5;

/** Adds `weight` to the place a hash names, or takes it away: collisions cancel out on average. */
function add(vector: Float32Array, hash: number, weight: number): void {
  const at = hash % vector.length;
  const signed = hash >= 0x80000000 ? weight : -weight;
  vector[at] = (vector[at] ?? 0) + signed;
}

/** Scales to unit length; should all features have cancelled out, any fixed direction does. */
function normalize(vector: Float32Array): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) {
    vector[0] = 1;
    return;
  }
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale;
}

/** Turns terms into unit vectors by signed feature hashing. */
export class Vectorizer {
  readonly #dimension: number;
  readonly #cache = new FeatureCache();

  constructor(dimension: number) {
    this.#dimension = dimension;
  }

  /** Unit vector of at least one term; how often a term occurs counts less than proportionally. */
  vector(terms: readonly string[]): Float32Array {
    const vector = new Float32Array(this.#dimension);
    const counts = new Map<Features, number>();
    let previous: Features | undefined;
    for (const term of terms) {
      const features = this.#cache.get(term);
      counts.set(features, (counts.get(features) ?? 0) + 1);
      if (previous !== undefined) {
        const weight = PAIR_WEIGHT * Math.sqrt(previous.weight * features.weight);
        add(vector, mix(Math.imul(previous.hash, 31) + features.hash), weight);
      }
      previous = features;
    }
    for (const [features, count] of counts) {
      const frequency = 1 + Math.log(count);
      add(vector, features.hash, frequency * features.weight);
      const gramWeight = frequency * features.gramWeight;
      for (const gram of features.grams) add(vector, gram, gramWeight);
    }
    normalize(vector);
    return vector;
  }
}
