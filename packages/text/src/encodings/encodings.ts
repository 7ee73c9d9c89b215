import iconv from 'iconv-lite';

/** The canonical lower-case name of an encoding, from the WHATWG standard if it has one. */
export type TextEncoding = string;

/** Decodes bytes piece by piece. `end` returns the replacement for an incomplete last character. */
export interface TextPieceDecoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

/** Nonstandard labels in common use. */
const aliases: Readonly<Record<string, TextEncoding>> = {
  ansinew: 'windows-1252',
  applemac: 'macintosh',
  big5hkscs: 'big5',
  cp1252: 'windows-1252',
  cp65001: 'utf-8',
  cp866: 'ibm866',
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  eucjisx0213: 'euc-jp',
  eucjis2004: 'euc-jp',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  ibm850: 'cp850',
  iso2022jp: 'iso-2022-jp',
  ksc5601: 'euc-kr',
  maccyrillic: 'x-mac-cyrillic',
  macroman: 'macintosh',
  ms950: 'big5',
  shiftjis2004: 'shift_jis',
  utf32: 'utf-32le',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  utf8sig: 'utf-8',
  windows949: 'euc-kr',
  xwindows949: 'euc-kr',
};

/** Encodings of the library that are not encodings of text files. */
const isTransferEncoding = /^(?:base64|binary|hex|cesu-?8|utf-?7(?:-?imap)?|internal)$/;
/**
 * Node decodes windows-1252 as Latin-1, so the library decodes it. Node decodes the encodings that the library lacks.
 */
const decodedByNode: ReadonlySet<TextEncoding> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp']);

/** Returns the encoding for a label, or null for an unknown one. */
export function encodingOf(label: string): TextEncoding | null {
  const name = label.trim().toLowerCase();
  const alias = aliases[name.replace(/[^a-z0-9]/g, '')];
  if (alias !== undefined) return alias;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    const isKnown = !isTransferEncoding.test(name) && iconv.encodingExists(libraryName(name));
    return isKnown ? name : null;
  }
}

/** Whether all bytes below 0x80 are ASCII, so the byte 0x0a always ends a line. */
export function extendsAscii(encoding: TextEncoding): boolean {
  return !/^(?:utf-(?:16|32)|iso-2022)/.test(encoding);
}

/** Creates a decoder for an encoding from `encodingOf`. Invalid bytes become U+FFFD. */
export function decoderOf(encoding: TextEncoding): TextPieceDecoder {
  if (encoding !== 'utf-8' && !decodedByNode.has(encoding)) {
    const decoder = iconv.getDecoder(libraryName(encoding), { stripBOM: false });
    return {
      write: (bytes) => decoder.write(bufferOf(bytes)),
      end: () => decoder.end() ?? '',
    };
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

/** Decodes bytes in an encoding from `encodingOf`. */
export function decodeBytes(bytes: Uint8Array, encoding: TextEncoding): string {
  const decoder = decoderOf(encoding);
  return decoder.write(bytes) + decoder.end();
}

function libraryName(encoding: TextEncoding): string {
  return encoding.replace(/^x-/, '').replace(/-i$/, '');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
