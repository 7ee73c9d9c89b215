import { isAscii, isUtf8 } from 'node:buffer';
import { decodeAs, hasBinaryStart, sniff } from '@trove/text/encodings';
import {
  matchLinesInTime,
  type LineSearch,
  type CompiledPattern,
  type TimedMatches,
} from '@trove/text/grep';

const sniffBytes = 8192;
/** Starts JIS text, in which ASCII bytes encode Japanese characters. */
const jisEscape = '\x1b$';

/** Searches the bytes of a file. Returns null for a binary file. */
export function searchBytes(
  bytes: Buffer,
  pattern: CompiledPattern,
  search: Omit<LineSearch, 'text'>,
): TimedMatches | null {
  if (pattern.rareBytes !== null && !bytes.includes(pattern.rareBytes)) {
    // Other encodings write the pattern with other bytes. ASCII bytes are the same in UTF-8 and in Latin-1.
    const isSame = isAscii(pattern.rareBytes) || isPlainUtf8(bytes);
    // Binary files must be recognised in any case.
    if (isSame && isPlainStart(bytes)) return { matches: [], complete: true };
  }
  const sniffed = sniff(bytes);
  if (sniffed.binary) return null;
  return matchLinesInTime(pattern, { ...search, text: decodeAs(bytes, sniffed) });
}

/** Whether any pattern in UTF-8 bytes that a file lacks is not in its text. False for binary files. */
export function isPlainText(bytes: Buffer): boolean {
  return isPlainStart(bytes) && isPlainUtf8(bytes);
}

function isPlainUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(jisEscape);
}

function isPlainStart(bytes: Buffer): boolean {
  const start = bytes.subarray(0, sniffBytes);
  return !start.includes(0) && !isStartBinary(start);
}

function isStartBinary(start: Buffer): boolean {
  // Valid UTF-8 needs no sample, so this is the same in a fraction of the time.
  if (isUtf8(start)) return hasBinaryStart(start);
  return sniff(start, { prefix: true }).binary;
}
