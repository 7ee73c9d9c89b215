import type { Bucket } from './bucket.js';
import { ObjectPageParser, type ObjectPage } from './object-page.js';

/** More than 1,000 escaped keys of 1,024 bytes need. */
const maxPageBytes = 16 * 1024 * 1024;

export interface ListQuery {
  /** Prefix of the keys; '' for all. */
  readonly prefix: string;
  /** Whether to group keys at the next slash after the prefix. */
  readonly isOneLevel?: boolean;
  /** Maximum number of keys per page. Default: the limit of the store. */
  readonly pageSize?: number;
}

/** Yields the pages of a listing. Requests the next page while the caller uses the current one. */
export async function* listPages(
  bucket: Bucket,
  query: ListQuery,
  signal: AbortSignal,
): AsyncGenerator<ObjectPage> {
  const cancel = new AbortController();
  const stop = AbortSignal.any([signal, cancel.signal]);
  try {
    let next = fetchPage(bucket, query, null, stop);
    for (;;) {
      const page = await next;
      if (page.next !== null) {
        next = fetchPage(bucket, query, page.next, stop);
        // A caller that stops early does not wait for this page.
        next.catch(() => undefined);
      }
      yield page;
      signal.throwIfAborted();
      if (page.next === null) return;
    }
  } finally {
    cancel.abort();
  }
}

/** Requests the page of a continuation token, or the first page. */
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
    throw bucket.protocolError('the list of objects repeats a continuation token');
  return page;
}

function parsePage<T>(bucket: Bucket, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw bucket.protocolError('the list of objects cannot be read', error);
  }
}
