import { TroveError } from '@trove/core';
import type { ProviderApi } from '@trove/core/provider';

const floatBytes = 4;

/** The part of the API that creates the error for an unusable answer. */
type AnswerErrors = Pick<ProviderApi, 'invalidAnswerError'>;

/** Returns the unmodified vectors of a response body, in the order of the texts. Throws unless there are `count`. */
export function readVectors(body: string, count: number, api: AnswerErrors): Float32Array[] {
  const items = readItems(body, api);
  if (items.length !== count) {
    throw api.invalidAnswerError(`it has ${items.length} vectors for ${count} texts`);
  }
  const vectors: (Float32Array | undefined)[] = items.map(() => undefined);
  items.forEach((item, position) => {
    const index = item.index ?? position;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined) {
      throw api.invalidAnswerError('its indices do not match the texts');
    }
    vectors[index] = readVector(item.embedding, api);
  });
  return vectors.filter((vector) => vector !== undefined);
}

/** Scales a vector to unit length. Throws `validation_error` for a zero vector, whose text cannot be embedded. */
export function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0) {
    throw new TroveError('validation_error', 'The embedding API returned a zero vector for a text');
  }
  return vector.map((value) => value / length);
}

interface EmbeddingItem {
  readonly index?: unknown;
  readonly embedding: unknown;
}

function readItems(body: string, api: AnswerErrors): EmbeddingItem[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw api.invalidAnswerError('it is not JSON', error);
  }
  const data: unknown =
    typeof value === 'object' && value !== null && 'data' in value ? value.data : null;
  if (!Array.isArray(data) || !data.every(isItem)) {
    throw api.invalidAnswerError('it has no list of embeddings');
  }
  return data;
}

function isItem(value: unknown): value is EmbeddingItem {
  return typeof value === 'object' && value !== null && 'embedding' in value;
}

/** Decodes base64 of little-endian floats, or an array of numbers from older servers. */
function readVector(embedding: unknown, api: AnswerErrors): Float32Array {
  if (Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')) {
    return Float32Array.from(embedding);
  }
  if (typeof embedding !== 'string') {
    throw api.invalidAnswerError('an embedding is neither an array of numbers nor base64');
  }
  const bytes = Buffer.from(embedding, 'base64');
  if (bytes.length % floatBytes !== 0) throw api.invalidAnswerError('an embedding is incomplete');
  const vector = new Float32Array(bytes.length / floatBytes);
  for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatLE(at * floatBytes);
  return vector;
}
