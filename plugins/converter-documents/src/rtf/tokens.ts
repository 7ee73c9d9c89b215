/** Receives the tokens of an RTF file. */
export interface RtfSink {
  open(): void;
  close(): void;
  /** `\word` or `\word12`; a symbol such as `\~` is a word of one character. */
  control(word: string, value: number | undefined): void;
  /** Characters in the current code page. */
  text(bytes: Uint8Array): void;
}

const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;
const quote = 0x27;
const minus = 0x2d;
const cr = 0x0d;
const lf = 0x0a;

/** Passes the tokens of an RTF file to `sink` in order. Skips bytes that are not part of a token. */
export function readRtf(bytes: Uint8Array, sink: RtfSink): void {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === openBrace) {
      sink.open();
      at++;
    } else if (byte === closeBrace) {
      sink.close();
      at++;
    } else if (byte === backslash) {
      at = readControl(bytes, at + 1, sink);
    } else if (byte === cr || byte === lf) {
      at++;
    } else {
      const from = at;
      while (at < bytes.length && !isSpecial(bytes[at])) at++;
      sink.text(bytes.subarray(from, at));
    }
  }
}

/** Reads the text after a backslash. Returns the start of the next token. */
function readControl(bytes: Uint8Array, start: number, sink: RtfSink): number {
  let at = start;
  while (isLetter(bytes[at]) && at - start < 32) at++;
  if (at === start) return readSymbol(bytes, start, sink);
  const word = ascii(bytes, start, at);
  const digits = at;
  if (bytes[at] === minus) at++;
  while (isDigit(bytes[at]) && at - digits < 11) at++;
  const value = Number.parseInt(ascii(bytes, digits, at), 10);
  if (bytes[at] === space) at++;
  if (word === 'bin') return at + Math.max(value || 0, 0);
  sink.control(word, Number.isNaN(value) ? undefined : value);
  return at;
}

function readSymbol(bytes: Uint8Array, at: number, sink: RtfSink): number {
  const symbol = bytes[at];
  if (symbol === undefined) return at;
  if (symbol === quote) {
    const code = ascii(bytes, at + 1, at + 3);
    if (/^[\da-f]{2}$/i.test(code)) sink.text(Uint8Array.of(Number.parseInt(code, 16)));
    return at + 3;
  }
  if (symbol === backslash || symbol === openBrace || symbol === closeBrace) {
    sink.text(bytes.subarray(at, at + 1));
  } else {
    sink.control(symbol === cr || symbol === lf ? 'par' : String.fromCodePoint(symbol), undefined);
  }
  return at + 1;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}

function isSpecial(byte: number | undefined): boolean {
  return (
    byte === backslash || byte === openBrace || byte === closeBrace || byte === cr || byte === lf
  );
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
