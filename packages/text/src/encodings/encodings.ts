import iconv from 'iconv-lite';

/** The canonical lower-case name of an encoding, as in the WHATWG's standard where that knows it. */
export type TextEncoding = string;

/** Decodes bytes piece by piece; `end` returns what an incomplete last character becomes. */
export interface TextPieceDecoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

/** Names that programs write although no standard has them. */
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

/** Encodings of the decoding library that are no encodings of text in files. */
const isTransferEncoding = /^(?:base64|binary|hex|cesu-?8|utf-?7(?:-?imap)?|internal)$/;
/** Node's decoder for windows-1252 is one for Latin-1; those that the library lacks are Node's. */
const decodedByNode: ReadonlySet<TextEncoding> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp']);

/** The encoding that a label names, or null for an unknown one. */
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

/** Whether every byte below 0x80 is ASCII, and a line end is the byte 0x0a and nothing else. */
export function extendsAscii(encoding: TextEncoding): boolean {
  return !/^(?:utf-(?:16|32)|iso-2022)/.test(encoding);
}

/** A decoder for an encoding that `encodingOf` returned. Invalid bytes become U+FFFD. */
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

/** The text of bytes in an encoding that `encodingOf` returned. */
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
