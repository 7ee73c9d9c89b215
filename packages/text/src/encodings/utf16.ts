/** Minimum share of units with a zero high byte. In any script, spaces and line endings alone exceed it. */
const minZeroHighByteShare = 0.1;
/** Minimum share of East Asian units for text in many blocks. */
const minEastAsianShare = 0.9;
/** Two ASCII characters that are read as one unit also look like an ideograph. */
const maxAsciiPairShare = 0.4;
/** A script uses one or two blocks of 256 characters. Other data spreads over many. */
const maxBlocks = 3;
const minBytes = 4;
/** A damaged text may contain one lone surrogate per this many units. Other data has one in sixteen. */
const unitsPerLoneSurrogate = 200;

/**
 * Returns the byte order of UTF-16 text without a byte order mark, or null. Every unit must be a plausible character,
 * which other data soon violates.
 */
export function utf16WithoutBom(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length < minBytes) return null;
  if (isPlausible(bytes, 1)) return 'utf-16le';
  return isPlausible(bytes, 0) ? 'utf-16be' : null;
}

/**
 * Returns the byte order of UTF-32 text, or null. The first byte of every character is zero, and the second at most 16.
 */
export function utf32WithoutBom(bytes: Uint8Array): 'utf-32le' | 'utf-32be' | null {
  const units = Math.floor(bytes.length / 4);
  if (units < 2) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const isLittle of [true, false]) {
    let at = 0;
    while (at < units && isTextPoint(view.getUint32(4 * at, isLittle))) at++;
    if (at === units) return isLittle ? 'utf-32le' : 'utf-32be';
  }
  return null;
}

function isTextPoint(point: number): boolean {
  if (point < 0x100) return isTextLow(point);
  return point <= 0x10_ffff && (point < 0xd800 || point > 0xdfff) && (point & 0xfffe) !== 0xfffe;
}

/** Whether data with a byte order mark of UTF-16 is text. Other data may begin with the same two bytes. */
export function isUtf16(bytes: Uint8Array, highAt: 0 | 1): boolean {
  const units = Math.floor(bytes.length / 2);
  let loneSurrogates = 0;
  let isPending = false;
  for (let unit = 0; unit < units; unit++) {
    const high = bytes[2 * unit + highAt] ?? 0;
    const isTrail = high >= 0xdc && high <= 0xdf;
    if (isTrail !== isPending) loneSurrogates++;
    isPending = high >= 0xd8 && high <= 0xdb;
  }
  return loneSurrogates * unitsPerLoneSurrogate <= units;
}

function isPlausible(bytes: Uint8Array, highAt: 0 | 1): boolean {
  const units = Math.floor(bytes.length / 2);
  const blocks = new Set<number>();
  let zeroHighs = 0;
  let eastAsian = 0;
  let asciiPairs = 0;
  let pendingSurrogate = false;
  for (let unit = 0; unit < units; unit++) {
    const high = bytes[2 * unit + highAt] ?? 0;
    const low = bytes[2 * unit + 1 - highAt] ?? 0;
    const isTrail = high >= 0xdc && high <= 0xdf;
    if (isTrail !== pendingSurrogate) return false;
    pendingSurrogate = high >= 0xd8 && high <= 0xdb;
    if (high === 0) {
      if (!isTextLow(low)) return false;
      zeroHighs++;
    } else if (high === 0xff && low >= 0xfe) return false;
    else {
      blocks.add(high);
      if (isEastAsian(high)) eastAsian++;
      if (isPrintable(high) && isPrintable(low)) asciiPairs++;
    }
  }
  const isDense = zeroHighs + eastAsian >= units * minEastAsianShare;
  if (isDense && asciiPairs < units * maxAsciiPairShare) return true;
  return blocks.size <= maxBlocks && zeroHighs >= units * minZeroHighByteShare;
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

/**
 * Whether a high byte is that of ideographs, kana, Hangul or their punctuation, which use more blocks than other
 * scripts.
 */
function isEastAsian(high: number): boolean {
  return (high >= 0x30 && high <= 0x33) || (high >= 0x4e && high <= 0x9f) || isHangulOrWide(high);
}

function isHangulOrWide(high: number): boolean {
  return (high >= 0xac && high <= 0xd7) || high === 0xff;
}

function isTextLow(low: number): boolean {
  if (low < 0x20) return low >= 0x09 && low <= 0x0d;
  return low < 0x7f || low >= 0xa0;
}
