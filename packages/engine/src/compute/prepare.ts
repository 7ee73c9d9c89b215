import { createHash } from 'node:crypto';
import type { IndexRow } from '@trove/core';
import { decodeText, kindOf, mediaTypeOf } from '@trove/core/media';
import { documentTerms } from '@trove/core/text';
import { chunkText } from '../chunking/index.js';
import { embeddingTerms, embeddingText } from '../embedding/embedding-text.js';
import { chunkId } from '../ids.js';
import type { PreparedFacts, PrepareRequest, PrepareResult } from './messages.js';

/** What was prepared, and the terms of each of its texts for an embedder of the same thread. */
export interface Prepared {
  readonly result: PrepareResult;
  readonly terms: readonly (readonly string[])[];
}

/** Decodes an object, cuts it into chunks and analyses them. CPU only; vectors come later. */
export function prepare(request: PrepareRequest): Prepared {
  const contentHash = createHash('sha256')
    .update(request.settingsKey)
    .update(request.bytes)
    .digest('hex');
  const decoded = decodeText(request.bytes);
  const mediaType = request.mediaType ?? mediaTypeOf(request.path, request.bytes);
  const kind = request.kind ?? kindOf(request.path, mediaType, decoded === null);
  const facts = { contentHash, kind, mediaType, title: request.title } satisfies PreparedFacts;
  if (contentHash === request.knownHash) {
    return { result: { ...facts, status: 'unchanged' }, terms: [] };
  }
  if (decoded === null) return { result: { ...facts, status: 'binary' }, terms: [] };

  const { chunks, partial, title } = chunkText({
    text: decoded.text,
    kind,
    mediaType,
    path: request.path,
    maxChars: request.chunkChars,
    maxChunks: request.chunkMax,
  });
  const shownTitle = request.title ?? title;
  const termsOfTexts: string[][] = [];
  const rows = chunks.map((chunk, ordinal): IndexRow => {
    const { terms, pairs, contentTerms } = documentTerms({
      content: chunk.content,
      title: shownTitle ?? undefined,
      path: request.path,
      context: chunk.context,
    });
    termsOfTexts.push(embeddingTerms(request.path, shownTitle, chunk.context, contentTerms));
    return {
      id: chunkId(request.objectId, 'body', chunk.locator, ordinal),
      group: request.objectId,
      scope: request.connectorId,
      source: request.source,
      kind: 'body',
      ordinal,
      content: chunk.content,
      locator: chunk.locator,
      title: shownTitle,
      mediaType,
      connectorType: request.connectorType,
      modifiedAt: request.modifiedAt,
      fields: request.fields,
      terms,
      pairs,
      vector: null,
    };
  });
  const texts = chunks.map(({ content, context }) =>
    embeddingText(request.path, shownTitle, context, content),
  );
  const ready = { ...facts, title: shownTitle, status: 'ready', partial, rows, texts } as const;
  return { result: ready, terms: termsOfTexts };
}
