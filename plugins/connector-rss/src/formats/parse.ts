import { decodeLabelled } from '@trove/text/encodings';

import { FeedFormatError, type Feed } from '../feed.js';
import { readAtom } from './atom.js';
import { boundFeed } from './bounds.js';
import { withUniqueIds } from './entry-ids.js';
import { readJsonFeed } from './json.js';
import { readRss } from './rss.js';
import { parseXml } from './xml.js';

/** The bytes of a response, with the header that describes them. */
export interface FeedDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly address: string;
}

/** Decodes a document by its byte order mark, its header or its own declaration. */
export function decodeDocument({ bytes, contentType }: FeedDocument): string {
  const [, stated] =
    /charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(contentType ?? '') ?? [];
  const start = Buffer.from(bytes.subarray(0, 300)).toString('latin1');
  const [, declared] =
    /^\s*<\?xml[^>]{0,200}?\sencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/.exec(start) ?? [];
  return decodeLabelled(bytes, stated ?? declared ?? null);
}

/** Parses a feed of any format. `now` limits dates. Throws `FeedFormatError` for other documents. */
export async function parseFeed(text: string, address: string, now: number): Promise<Feed> {
  const feed = await readFormat(text.replace(/^[\s\uFEFF]+/, ''), address, now);
  return boundFeed({ ...feed, entries: withUniqueIds(feed.entries) });
}

async function readFormat(text: string, address: string, now: number): Promise<Feed> {
  if (text === '') throw new FeedFormatError('it is empty');
  if (text.startsWith('{')) return readJsonFeed(text, address, now);
  const root = await parseXml(text, address);
  if (root.name === 'atom:feed') return readAtom(root, now);
  if (root.name.toLowerCase() === 'rss' || root.name === 'rdf:RDF') return readRss(root, now);
  throw new FeedFormatError(`its first element is <${root.localName.slice(0, 100)}>`);
}
