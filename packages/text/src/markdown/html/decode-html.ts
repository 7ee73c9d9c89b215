import { decodeLabelled } from '../../encodings/index.js';

/** A page's text: by its byte order mark, its validity as UTF-8, what it says, else what its bytes look like. */
export function decodeHtml(bytes: Uint8Array): string {
  return decodeLabelled(bytes, null);
}
