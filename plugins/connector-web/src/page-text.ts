import { decodeAs, sniff } from '@trove/core/content';

/** Where a page says its encoding. */
const statedWithin = 2048;
const metaCharset = /<meta\s[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i;
const byteOrderMark = '\ufeff';

/**
 * A page in UTF-8, by its byte order mark, else by what the server says, else by what the page says, else by what its bytes
 * look like. It begins with a mark if the page itself says something else.
 */
export function pageText(bytes: Uint8Array, contentType: string | null): string {
  const { bomLength, encoding } = sniff(bytes);
  const start = Buffer.from(bytes.subarray(0, statedWithin)).toString('latin1');
  const inPage = known(metaCharset.exec(start)?.[1]);
  const told = known(/charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType ?? '')?.[1]);
  // Whoever could read a statement so far is not in UTF-16.
  const stated = told ?? (inPage?.startsWith('utf-16') === true ? null : inPage);
  const text = decoded(bytes, bomLength > 0 ? encoding : (stated ?? encoding));
  const isMisleading = inPage !== null && inPage !== 'utf-8' && /[^\0-\x7f]/.test(text);
  return isMisleading ? byteOrderMark + text : text;
}

function decoded(bytes: Uint8Array, encoding: string): string {
  // Node's decoder takes what it calls windows-1252 for Latin-1.
  return encoding === 'latin1' || encoding === 'windows-1252'
    ? decodeAs(bytes, { binary: false, encoding: 'latin1', bomLength: 0 })
    : new TextDecoder(encoding).decode(bytes);
}

function known(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
