import type { Bucket } from './bucket.js';
import { ObjectPageParser, type ObjectPage } from './object-page.js';

/** 1,000 keys of 1,024 bytes, each of them escaped, need less. */
const maxPageBytes = 16 * 1024 * 1024;

export interface ListQuery {
  /** What keys begin with; '' for all. */
  readonly prefix: string;
  /** Whether to stop at the next slash after it. */
  readonly isOneLevel?: boolean;
  /** How many keys a page has at most. Default: as many as the store gives. */
  readonly pageSize?: number;
}

/** The pages of a listing. The next one is on its way while a page is used. */
export async function* listPages(
  bucket: Bucket,
  query: ListQuery,
  signal: AbortSignal,
): AsyncGenerator<ObjectPage> {
  const leaving = new AbortController();
  const either = AbortSignal.any([signal, leaving.signal]);
  try {
    let coming = fetchPage(bucket, query, null, either);
    for (;;) {
      const page = await coming;
      if (page.next !== null) {
        coming = fetchPage(bucket, query, page.next, either);
        // Whoever leaves meanwhile does not wait for it.
        coming.catch(() => undefined);
      }
      yield page;
      signal.throwIfAborted();
      if (page.next === null) return;
    }
  } finally {
    leaving.abort();
  }
}

/** The page that begins at a token, or the first. */
export async function fetchPage(
  bucket: Bucket,
  { prefix, isOneLevel = false, pageSize }: ListQuery,
  token: string | null,
  signal: AbortSignal,
): Promise<ObjectPage> {
  const { body } = await bucket.request({
    method: 'GET',
    query: {
      'list-type': '2',
      'encoding-type': 'url',
      ...(prefix === '' ? {} : { prefix }),
      ...(isOneLevel ? { delimiter: '/' } : {}),
      ...(pageSize === undefined ? {} : { 'max-keys': String(pageSize) }),
      ...(token === null ? {} : { 'continuation-token': token }),
    },
    signal,
  });
  const reader = new ObjectPageParser();
  const decoder = new TextDecoder();
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > maxPageBytes) throw bucket.protocolError('the list of objects is too large');
    parsePage(bucket, () => reader.write(decoder.decode(piece, { stream: true })));
  }
  const page = parsePage(bucket, () => reader.end());
  if (page.next !== null && page.next === token)
    throw bucket.protocolError('the list of objects goes on where it began');
  return page;
}

function parsePage<T>(bucket: Bucket, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw bucket.protocolError('the list of objects cannot be read', error);
  }
}
