import { decodeLabelled } from '@trove/text/encodings';

/** Decodes a page by its byte order mark, else by the server's charset, else by the page's own charset or its bytes. */
export function pageText(bytes: Uint8Array, contentType: string | null): string {
  const label = /charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];
  return decodeLabelled(bytes, label ?? null);
}
