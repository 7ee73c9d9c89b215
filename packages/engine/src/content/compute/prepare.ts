import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Chunk } from '../chunking/index.js';
import { classify } from '../classification.js';
import { chunkId } from '../row-ids.js';
import { demotionFields } from '../demotion.js';
import { partFields } from './part-fields.js';
import { analyse, rowsPerBatch, type EmbedTexts } from './analyse.js';
import type { ChunkFunction } from './chunk-function.js';
import type {
  AnalyseResult,
  UnanalysedRow,
  PreparedObject,
  PrepareRequest,
  PrepareResult,
} from './messages.js';

interface PrepareDependencies {
  /** Null: vectors are computed later. */
  readonly embed: EmbedTexts | null;
  readonly cut: ChunkFunction;
  readonly send: (part: AnalyseResult) => void;
}

/**
 * Decodes, chunks and analyses an object. Sends all batches but the last as soon as they are ready. With their terms,
 * rows take several times the memory of the text.
 */
export async function prepare(
  request: PrepareRequest,
  { embed, cut, send }: PrepareDependencies,
): Promise<PrepareResult> {
  const contentHash = createHash('sha256')
    .update(request.settingsKey)
    .update(request.object.bytes)
    .digest('hex');
  const { source, kind, mediaType, guessedEncoding } = classify(request.object);
  const statedTitle = request.title ?? request.object.conversion?.title ?? null;
  const facts = {
    contentHash,
    kind,
    mediaType,
    title: statedTitle,
    guessedEncoding,
  } satisfies PreparedObject;
  if (contentHash === request.knownHash) return { ...facts, status: 'unchanged' };
  if (source === null) return { ...facts, status: 'binary' };

  const { chunks, partial, title } = await cut({
    ...source,
    maxChars: request.chunkChars,
    maxChunks: request.chunkMax,
  });
  const shownTitle = statedTitle ?? title;
  const demotion = demotionFields(source.path, chunks[0]?.content ?? '');
  const partOf = partFields(request.object.conversion?.parts ?? []);
  let last: AnalyseResult = { rows: [], texts: embed === null ? [] : null };
  for (let from = 0; from < chunks.length; from += rowsPerBatch) {
    if (from > 0) {
      send(last);
      // Let the thread answer short requests between two batches.
      await setImmediate();
    }
    const batch = chunks.slice(from, from + rowsPerBatch).map((chunk, at) => ({
      row: {
        ...unanalysedRow(request, { mediaType, title: shownTitle }, chunk, from + at),
        fields: { ...request.fields, ...partOf(chunk.locator), ...demotion },
      },
      context: chunk.context,
      names: chunk.names,
      members: chunk.members,
    }));
    last = await analyse(
      {
        path: source.path,
        isCode: kind === 'code',
        chunks: batch,
        trainedState: request.trainedState,
      },
      embed,
    );
  }
  return { ...facts, ...last, title: shownTitle, status: 'ready', partial };
}

function unanalysedRow(
  request: PrepareRequest,
  { mediaType, title }: Pick<PreparedObject, 'mediaType' | 'title'>,
  { content, locator }: Chunk,
  ordinal: number,
): Omit<UnanalysedRow, 'fields'> {
  return {
    id: chunkId(request.objectId, 'body', locator, ordinal),
    group: request.objectId,
    scope: request.connectorId,
    source: request.source,
    kind: 'body',
    ordinal,
    content,
    locator,
    title,
    mediaType,
    connectorType: request.connectorType,
    modifiedAt: request.modifiedAt,
  };
}
