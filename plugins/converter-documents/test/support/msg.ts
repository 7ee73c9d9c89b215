import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';

/** Property ids of a message. */
const ids = { subject: '0037', sender: '0C1A', body: '1000' };
const codePageProperty = 0x3ffd_0003;

interface OutlookMessage {
  readonly subject: string;
  readonly sender: string;
  readonly body: string;
  /** 1251, or undefined for Unicode texts. */
  readonly codePage?: number;
}

/** Returns the bytes of an Outlook message. */
export function outlookMessage({ codePage, ...texts }: OutlookMessage): Uint8Array {
  const type = codePage === undefined ? '001F' : '001E';
  const documents = [
    stored('__properties_version1.0', properties(codePage)),
    ...(['subject', 'sender', 'body'] as const).map((name) =>
      stored(`__substg1.0_${ids[name]}${type}`, encoded(texts[name], codePage)),
    ),
  ];
  const children = documents.map((_, at) => at + 1);
  return burn([{ name: 'Root Entry', type: TypeEnum.ROOT, length: 0, children }, ...documents]);
}

function stored(name: string, bytes: Uint8Array): Entry {
  return {
    name,
    type: TypeEnum.DOCUMENT,
    length: bytes.length,
    binaryProvider: () => Uint8Array.from(bytes),
  };
}

function properties(codePage: number | undefined): Uint8Array {
  const bytes = Buffer.alloc(codePage === undefined ? 32 : 48);
  if (codePage === undefined) return bytes;
  bytes.writeUInt32LE(codePageProperty, 32);
  bytes.writeUInt32LE(codePage, 40);
  return bytes;
}

/** The letters of code page 1251 are in the order of Unicode. */
function encoded(text: string, codePage: number | undefined): Uint8Array {
  if (codePage === undefined) return Buffer.from(text, 'utf16le');
  return Uint8Array.from(text, (char) => char.charCodeAt(0) - 0x410 + 0xc0);
}
