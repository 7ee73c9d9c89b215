import { classify } from '../classification.js';
import type { ChunkFunction } from './chunk-function.js';
import { embeddingText } from './embedding-text.js';
import type { SampleRequest } from './messages.js';

/** Samples texts of an object, as they will be embedded, at even intervals. */
export async function sample(
  { object, title, chunkChars, chunkMax, maxSamples: atMost }: SampleRequest,
  cut: ChunkFunction,
): Promise<string[]> {
  const { source } = classify(object);
  if (source === null) return [];
  const cutUp = await cut({ ...source, maxChars: chunkChars, maxChunks: chunkMax });
  const { chunks } = cutUp;
  const shownTitle = title ?? object.conversion?.title ?? cutUp.title;
  const step = Math.max(1, chunks.length / atMost);
  const length = Math.min(chunks.length, atMost);
  return Array.from({ length }, (_, at) => chunks[Math.floor(at * step)]).flatMap((chunk) =>
    chunk === undefined
      ? []
      : [embeddingText(source.path, shownTitle, chunk.context, chunk.content)],
  );
}
