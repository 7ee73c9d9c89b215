import type { EmbeddingsApi } from './embeddings-api.js';

const knownDimensions: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
  'nomic-embed-text': 768,
  'text-embedding-nomic-embed-text-v1.5': 768,
};

/** Returns the dimension to request if the model can shorten its vectors to it, else null. */
export function shortenedDimension(model: string, dimension: number | undefined): number | null {
  const canShorten = model.startsWith('text-embedding-3-');
  return canShorten && dimension !== undefined && dimension !== knownDimensions[model]
    ? dimension
    : null;
}

/** Returns the configured dimension, else the known one of the model, else that of a vector from the API. */
export async function dimensionOf(
  model: string,
  configured: number | undefined,
  api: EmbeddingsApi,
  signal: AbortSignal,
): Promise<number> {
  const dimension =
    configured ?? (Object.hasOwn(knownDimensions, model) ? knownDimensions[model] : undefined);
  if (dimension !== undefined) return dimension;
  const [vector] = await api.embed(['dimension'], signal);
  return vector?.length ?? 0;
}
