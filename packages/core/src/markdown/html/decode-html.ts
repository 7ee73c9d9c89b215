import { decodeAs, sniff } from '../../content/index.js';

/** Where a page says its encoding. */
const STATED_WITHIN = 2048;
const statements = [
  /<meta\s[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i,
  /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([\w.:-]+)/i,
];

/** A page's text: by its byte order mark, else by what it says, else by what its bytes look like. */
export function decodeHtml(bytes: Uint8Array): string {
  const { bomLength, encoding } = sniff(bytes);
  const start = Buffer.from(bytes.subarray(0, STATED_WITHIN)).toString('latin1');
  const stated = bomLength > 0 || encoding.startsWith('utf-16') ? null : statedIn(start);
  const label = stated ?? encoding;
  // Node's decoder takes what it calls windows-1252 for Latin-1.
  return label === 'latin1' || label === 'windows-1252'
    ? decodeAs(bytes, { binary: false, encoding: 'latin1', bomLength: 0 })
    : new TextDecoder(label).decode(bytes);
}

/** Null for an encoding that is not known, and for UTF-16: whoever could read so far is not in it. */
function statedIn(start: string): string | null {
  const label = statements.map((pattern) => pattern.exec(start)?.[1]).find(Boolean);
  if (label === undefined || /^utf-?16/i.test(label)) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
