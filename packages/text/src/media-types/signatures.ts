interface FileSignature {
  readonly mediaType: string;
  readonly at: number;
  readonly bytes: readonly number[];
}

function signature(mediaType: string, start: string, at = 0): FileSignature {
  return { mediaType, at, bytes: Array.from(start, (char) => char.charCodeAt(0)) };
}

/** First byte of formats with a later signature. */
const riffStart = 'R'.charCodeAt(0);

/** Signatures of binary formats that may have no NUL near the start, or that often lack an extension. */
const signatures: readonly FileSignature[] = [
  signature('application/pdf', '%PDF-'),
  signature('image/png', '\x89PNG\r\n\x1a\n'),
  signature('image/jpeg', '\xff\xd8\xff'),
  signature('image/gif', 'GIF87a'),
  signature('image/gif', 'GIF89a'),
  signature('image/webp', 'WEBP', 8),
  signature('audio/wav', 'WAVEfmt ', 8),
  signature('application/zip', 'PK\x03\x04'),
  signature('application/zip', 'PK\x05\x06'),
  signature('application/gzip', '\x1f\x8b\x08'),
  signature('application/zstd', '\x28\xb5\x2f\xfd'),
  signature('application/x-xz', '\xfd7zXZ\x00'),
  signature('application/x-bzip2', 'BZh91AY&SY'),
  signature('application/x-7z-compressed', '7z\xbc\xaf\x27\x1c'),
  signature('application/x-ole-storage', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  signature('application/vnd.sqlite3', 'SQLite format 3\x00'),
  signature('application/wasm', '\x00asm'),
  signature('application/x-executable', '\x7fELF'),
  signature('audio/ogg', 'OggS\x00'),
  signature('audio/flac', 'fLaC'),
  signature('audio/mpeg', 'ID3\x02'),
  signature('audio/mpeg', 'ID3\x03'),
  signature('audio/mpeg', 'ID3\x04'),
];

/** The first byte alone excludes almost all text. */
const firstBytes = new Set(signatures.map(({ at, bytes }) => (at === 0 ? bytes[0] : riffStart)));

/** Returns the media type of the binary format whose signature the bytes start with, or null. */
export function signatureOf(bytes: Uint8Array): string | null {
  if (!firstBytes.has(bytes[0])) return null;
  const found = signatures.find((candidate) => matches(candidate, bytes));
  return found?.mediaType ?? null;
}

function matches({ at, bytes: expected }: FileSignature, bytes: Uint8Array): boolean {
  return expected.every((byte, index) => bytes[at + index] === byte);
}
