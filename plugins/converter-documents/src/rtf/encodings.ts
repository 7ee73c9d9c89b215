import { decodeBytes } from '@trove/text/encodings';

/** Encodings by the number of a font's character set (`\fcharset`). */
const byCharset: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** Encodings by the number of a code page (`\ansicpg`, `\cpg`) with a name other than `windows-…`. */
const byCodePage: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10_000: 'macintosh',
  65_001: 'utf-8',
};

/** Shorter texts are decoded faster without a decoder. */
const shortTextBytes = 64;

/** Returns undefined for a character set without an encoding, such as symbols. */
export function encodingOfCharset(charset: number): string | undefined {
  return byCharset[charset];
}

export function encodingOfCodePage(page: number): string {
  const known = byCodePage[page];
  if (known !== undefined) return known;
  return page === 874 || (page >= 1250 && page <= 1258) ? `windows-${page}` : 'windows-1252';
}

export function decode(bytes: Uint8Array, encoding: string): string {
  // These bytes are the same characters in every encoding of RTF.
  if (bytes.length < shortTextBytes && bytes.every((byte) => byte < 0x80))
    return String.fromCharCode(...bytes);
  return decodeBytes(bytes, encoding);
}
