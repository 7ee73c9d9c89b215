import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Chunk } from '../chunking/index.js';
import { takeText } from '../classification.js';
import { chunkId } from '../row-ids.js';
import { standingFields } from '../demotion.js';
import { partFields } from './part-fields.js';
import { analyse, rowsAtOnce, type Embed } from './analyse.js';
import type { Cut } from './cut.js';
import type {
  AnalyseResult,
  BareRow,
  PreparedFacts,
  PrepareRequest,
  PrepareResult,
} from './messages.js';

interface Means {
  /** Null: vectors come later. */
  readonly embed: Embed | null;
  readonly cut: Cut;
  readonly send: (part: AnalyseResult) => void;
}

/**
 * Decodes, chunks and analyses an object. All rows but the last are sent as soon as they are ready: with their terms
 * they take several times the memory of the text.
 */
export async function prepare(
  request: PrepareRequest,
  { embed, cut, send }: Means,
): Promise<PrepareResult> {
  const contentHash = createHash('sha256')
    .update(request.settingsKey)
    .update(request.object.bytes)
    .digest('hex');
  const { source, kind, mediaType, guessedEncoding } = takeText(request.object);
  const stated = request.title ?? request.object.conversion?.title ?? null;
  const facts = {
    contentHash,
    kind,
    mediaType,
    title: stated,
    guessedEncoding,
  } satisfies PreparedFacts;
  if (contentHash === request.knownHash) return { ...facts, status: 'unchanged' };
  if (source === null) return { ...facts, status: 'binary' };

  const { chunks, partial, title } = await cut({
    ...source,
    maxChars: request.chunkChars,
    maxChunks: request.chunkMax,
  });
  const shownTitle = stated ?? title;
  const standing = standingFields(source.path, chunks[0]?.content ?? '');
  const whereIs = partFields(request.object.conversion?.parts ?? []);
  let last: AnalyseResult = { rows: [], texts: embed === null ? [] : null };
  for (let from = 0; from < chunks.length; from += rowsAtOnce) {
    if (from > 0) {
      send(last);
      // Whoever waits for this thread with a small question is answered meanwhile.
      await setImmediate();
    }
    const passages = chunks.slice(from, from + rowsAtOnce).map((chunk, at) => ({
      row: {
        ...bareRow(request, { mediaType, title: shownTitle }, chunk, from + at),
        fields: { ...request.fields, ...whereIs(chunk.locator), ...standing },
      },
      context: chunk.context,
      names: chunk.names,
      members: chunk.members,
    }));
    last = await analyse(
      { path: source.path, isCode: kind === 'code', passages, fit: request.fit },
      embed,
    );
  }
  return { ...facts, ...last, title: shownTitle, status: 'ready', partial };
}

function bareRow(
  request: PrepareRequest,
  { mediaType, title }: Pick<PreparedFacts, 'mediaType' | 'title'>,
  { content, locator }: Chunk,
  ordinal: number,
): Omit<BareRow, 'fields'> {
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
