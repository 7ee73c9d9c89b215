import { classify } from '../classification.js';
import type { ChunkFunction } from './chunk-function.js';
import { embeddingText } from './embedding-text.js';
import type { SampleRequest } from './messages.js';

/** Samples texts of an object, as they will be embedded, at even intervals. */
export async function sample(
  { object, title, chunkChars, chunkMax, maxSamples }: SampleRequest,
  cut: ChunkFunction,
): Promise<string[]> {
  const { source } = classify(object);
  if (source === null) return [];
  const result = await cut({ ...source, maxChars: chunkChars, maxChunks: chunkMax });
  const { chunks } = result;
  const shownTitle = title ?? object.conversion?.title ?? result.title;
  const step = Math.max(1, chunks.length / maxSamples);
  const length = Math.min(chunks.length, maxSamples);
  return Array.from({ length }, (_, at) => chunks[Math.floor(at * step)]).flatMap((chunk) =>
    chunk === undefined
      ? []
      : [embeddingText(source.path, shownTitle, chunk.context, chunk.content)],
  );
}
