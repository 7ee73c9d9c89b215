import { chardet } from 'jschardet';
import { decodeBytes, encodingOf, type TextEncoding } from './encodings.js';

/** Enough for any language. The time of a guess grows with the sample. */
const sampleBytes = 4096;
/** ASCII bytes to keep around other bytes, which alone distinguish encodings. */
const contextBytes = 48;
/** Maximum number of candidates to compare by their decoded text. */
const maxCandidates = 12;
/** Score bonus of the most common encoding for a text with a single non-ASCII letter. */
const fallbackLead = 0.2;
/** Only Japanese uses kana, which several encodings have at the same bytes. */
const strayKanaFactor = 0.2;
const fallbackEncoding: TextEncoding = 'windows-1252';
/** Rare encodings that short texts are mistaken for. */
const rareEncodings = [
  'cp720 cp775 cp855 cp856 cp858 cp860 cp861 cp863 cp864 cp865 cp869 cp1006 hp-roman8 johab koi8-t kz1048 ptcp154',
  'cp273 cp424 cp500 cp875 cp1026 cp1140 hz utf-7',
  'iso8859-3 iso8859-4 iso8859-10 iso8859-14 iso8859-16 mac-iceland mac-latin2 mac-turkish',
  'iso2022_jp_2 iso2022_jp_2004 iso2022_jp_ext iso2022_kr',
].flatMap((names) => names.split(' '));

/**
 * Guesses the encoding of text that is neither UTF nor pure ASCII. Compares letter frequencies with the languages of
 * each encoding, then the plausibility of the words.
 */
export function guessEncoding(bytes: Uint8Array): TextEncoding {
  const sample = sampleNonAscii(bytes);
  const candidates = chardet.detectAll(sample, {
    ignoreThreshold: true,
    excludeEncodings: rareEncodings,
  });
  let best = fallbackEncoding;
  const lead = fallbackScore(sample);
  let highest = lead;
  for (const { encoding: label, confidence } of candidates.slice(0, maxCandidates)) {
    const encoding = label === null ? null : encodingOf(label);
    if (encoding === null || encoding.startsWith('utf-')) continue;
    const score =
      (encoding === fallbackEncoding ? lead : 0) +
      confidence * plausibility(decodeBytes(sample, encoding), encoding);
    if (score <= highest) continue;
    best = encoding;
    highest = score;
  }
  return best;
}

/** Returns the initial score of the fallback encoding. It is high for a single letter and almost 0 for a long text. */
function fallbackScore(sample: Uint8Array): number {
  const letters = sample.reduce((count, byte) => count + (byte < 0x80 ? 0 : 1), 0);
  return (
    (fallbackLead / Math.max(1, letters) ** 2) *
    plausibility(decodeBytes(sample, fallbackEncoding), fallbackEncoding)
  );
}

/**
 * Returns the parts around non-ASCII bytes. In a log, the encoding of one line may be hidden among thousands of ASCII
 * lines.
 */
function sampleNonAscii(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < sampleBytes;) {
    const high = nextHigh(bytes, at);
    if (high === bytes.length) break;
    const start = startOfPart(bytes, at, high);
    const end = endOfPart(bytes, high, start + sampleBytes);
    parts.push(bytes.subarray(start, end), lineEnd);
    size += end - start + 1;
    at = end;
  }
  return Buffer.concat(parts);
}

const lineEnd = Uint8Array.of(0x0a);

function nextHigh(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
  return at;
}

function startOfPart(bytes: Uint8Array, from: number, high: number): number {
  let start = high;
  while (start > from && high - start < contextBytes && !isLineEnd(bytes[start - 1])) start--;
  return start;
}

function endOfPart(bytes: Uint8Array, high: number, limit: number): number {
  let end = high;
  for (let last = high; end < bytes.length && end < limit && end - last < contextBytes; end++) {
    if (isLineEnd(bytes[end])) break;
    if ((bytes[end] ?? 0) >= 0x80) last = end;
  }
  return end;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

const isLetter = /[\p{L}\p{M}]/u;
const isLatin = /[\p{Script=Latin}\p{M}]/u;
const isAsciiLetter = /[a-z]/i;
const isUpper = /\p{Lu}/u;
const isLower = /\p{Ll}/u;
const hasKana = /[\u3041-\u30ff]/;
const isJapanese = /^(?:euc-jp|shift_jis|iso-2022-jp)$/;
const isUsualSign = /[“”‘’„‚…–—«»°§©®€№·•¿¡\u00a0\u3000-\u303f\uff00-\uffef]/;

/** Returns the share of non-ASCII characters in plausible positions inside and between words. */
function plausibility(text: string, encoding: TextEncoding): number {
  let plausible = 0;
  let total = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Text contains neither these control characters nor replacement characters.
    total += code < 0xa0 || code === 0xfffd ? 2 : 1;
    plausible += contextScore(text[at] ?? '', text[at - 1] ?? ' ', text[at + 1] ?? ' ');
  }
  const isStray = hasKana.test(text) && !isJapanese.test(encoding);
  return (total === 0 ? 1 : plausible / total) * (isStray ? strayKanaFactor : 1);
}

function contextScore(char: string, before: string, after: string): number {
  if (char < '\u00a0' || char === '\ufffd') return 0;
  if (isLetter.test(char)) {
    const isMixed =
      (isUpper.test(char) && isLower.test(before)) ||
      (isLower.test(char) && isUpper.test(before) && isUpper.test(after));
    const isForeign =
      !isLatin.test(char) && (isAsciiLetter.test(before) || isAsciiLetter.test(after));
    return isMixed || isForeign ? 0 : 1;
  }
  if (char !== '’' && isLetter.test(before) && isLetter.test(after)) return 0;
  return isUsualSign.test(char) ? 1 : 0.5;
}
