import { decodeLabelled } from '@trove/text/encodings';

/** A page's text, by its byte order mark, else by what the server says, else by what the page says or looks like. */
export function pageText(bytes: Uint8Array, contentType: string | null): string {
  const label = /charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];
  return decodeLabelled(bytes, label ?? null);
}
