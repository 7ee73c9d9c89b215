import { createHash } from 'node:crypto';
import type { IndexRow } from '@trove/core';
import { decodeText, kindOf, mediaTypeOf } from '@trove/core/media';
import { documentTerms } from '@trove/core/text';
import { chunkText, type Chunk } from '../chunking/index.js';
import { embeddingTerms, embeddingText } from '../embedding/embedding-text.js';
import { chunkId } from '../ids.js';
import type { PreparedFacts, PrepareRequest, PrepareResult } from './messages.js';

/** Chunks that are analysed, then embedded, before the next: terms take ten times the memory of the text. */
const CHUNKS_AT_ONCE = 64;

/** Vectors of texts whose terms are known, in order. */
export type Embed = (
  texts: readonly string[],
  terms: readonly (readonly string[])[],
) => Promise<readonly Float32Array[]>;

/** Decodes an object, cuts it into chunks and analyses them. Without `embed`, vectors come later. */
export async function prepare(
  request: PrepareRequest,
  embed: Embed | null,
): Promise<PrepareResult> {
  const contentHash = createHash('sha256')
    .update(request.settingsKey)
    .update(request.bytes)
    .digest('hex');
  const decoded = decodeText(request.bytes);
  const mediaType = request.mediaType ?? mediaTypeOf(request.path, request.bytes);
  const kind = request.kind ?? kindOf(request.path, mediaType, decoded === null);
  const facts = { contentHash, kind, mediaType, title: request.title } satisfies PreparedFacts;
  if (contentHash === request.knownHash) return { ...facts, status: 'unchanged' };
  if (decoded === null) return { ...facts, status: 'binary' };

  const { chunks, partial, title } = chunkText({
    text: decoded.text,
    kind,
    mediaType,
    path: request.path,
    maxChars: request.chunkChars,
    maxChunks: request.chunkMax,
  });
  const shownTitle = request.title ?? title;
  const rows: IndexRow[] = [];
  const texts: string[] = [];
  for (let from = 0; from < chunks.length; from += CHUNKS_AT_ONCE) {
    const analysed = chunks
      .slice(from, from + CHUNKS_AT_ONCE)
      .map((chunk, at) => analyse(request, { mediaType, title: shownTitle }, chunk, from + at));
    const textsNow = analysed.map(({ text }) => text);
    const vectors = await embed?.(
      textsNow,
      analysed.map(({ terms }) => terms),
    );
    analysed.forEach(({ row }, at) => rows.push({ ...row, vector: vectors?.[at] ?? null }));
    if (embed === null) texts.push(...textsNow);
  }
  return {
    ...facts,
    title: shownTitle,
    status: 'ready',
    partial,
    rows,
    texts: embed === null ? texts : null,
  };
}

interface Analysed {
  readonly row: IndexRow;
  /** What to embed, and the terms of it. */
  readonly text: string;
  readonly terms: readonly string[];
}

function analyse(
  request: PrepareRequest,
  { mediaType, title }: Pick<PreparedFacts, 'mediaType' | 'title'>,
  { content, context, locator }: Chunk,
  ordinal: number,
): Analysed {
  const { path } = request;
  const { terms, pairs, contentTerms } = documentTerms({
    content,
    title: title ?? undefined,
    path,
    context,
  });
  const row: IndexRow = {
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
    fields: request.fields,
    terms,
    pairs,
    vector: null,
  };
  return {
    row,
    text: embeddingText(path, title, context, content),
    terms: embeddingTerms(path, title, context, contentTerms),
  };
}
