import { decodeLabelled } from '../../encodings/index.js';

/** Decodes a page by its byte order mark, validity as UTF-8, declared encoding or letter frequencies. */
export function decodeHtml(bytes: Uint8Array): string {
  return decodeLabelled(bytes, null);
}
