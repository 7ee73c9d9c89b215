import { decodeLabelled } from '../encodings/index.js';

const word = String.raw`=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\r\n]*)\?=`;
const single = new RegExp(word, 'gi');
const run = new RegExp(`${word}(?:\\s*${word})*`, 'gi');
/** The start of a parameter value with a declared encoding. */
const parameter = /([\w-]{1,40}\*(?:0\*)?=)([\w.:-]{1,40})'([\w-]{0,20})'([^;\s"]*)/g;

/**
 * Returns the headers of a message or part. Decodes raw bytes in the given or detected encoding. Converts encoded words
 * and parameters to UTF-8.
 */
export function headerText(bytes: Uint8Array, charset: string | null = null): string {
  return decodeLabelled(bytes, charset)
    .replaceAll(run, toUtf8Words)
    .replaceAll(parameter, (whole, name: string, label: string, language: string, value: string) =>
      /^utf-?8$/i.test(label)
        ? whole
        : `${name}utf-8'${language}'${encodeURIComponent(decodeLabelled(percentDecode(value), label).toWellFormed())}`,
    );
}

/** Converts adjacent encoded words, between which a character may be split. */
function toUtf8Words(words: string): string {
  const runs: { readonly charset: string; readonly bytes: Buffer[] }[] = [];
  for (const [, charset = '', kind = '', content = ''] of words.matchAll(single)) {
    const bytes = /b/i.test(kind) ? Buffer.from(content, 'base64') : decodeQEncoding(content);
    const last = runs.at(-1);
    // In ISO-2022, each word begins and ends in ASCII.
    if (last?.charset === charset.toLowerCase() && !/^iso-2022/i.test(charset))
      last.bytes.push(bytes);
    else runs.push({ charset: charset.toLowerCase(), bytes: [bytes] });
  }
  return runs
    .map(({ charset, bytes }) => encodedWord(decodeLabelled(Buffer.concat(bytes), charset)))
    .join(' ');
}

function encodedWord(text: string): string {
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
}

function decodeQEncoding(text: string): Buffer {
  return percentDecode(text.replaceAll('_', ' '), '=');
}

/** Decodes a text in which a sign and two hexadecimal digits are a byte. */
function percentDecode(text: string, sign = '%'): Buffer {
  const bytes: number[] = [];
  const plain = Buffer.from(text);
  const code = sign.charCodeAt(0);
  for (let at = 0; at < plain.length; at++) {
    const digits = plain[at] === code ? plain.toString('latin1', at + 1, at + 3) : '';
    const isByte = /^[0-9a-f]{2}$/i.test(digits);
    bytes.push(isByte ? Number.parseInt(digits, 16) : (plain[at] ?? 0));
    if (isByte) at += 2;
  }
  return Buffer.from(bytes);
}
