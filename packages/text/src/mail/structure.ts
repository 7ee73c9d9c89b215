import { headerText } from './header.js';
import { encodeBase64, textOfPart } from './transfer.js';

/** The content of a part that is not readable text, by its offsets. */
export interface MailLeaf {
  readonly start: number;
  readonly end: number;
  /** The transfer encoding: `base64`, `quoted-printable` or another one. */
  readonly encoding: string;
}

export interface MailStructure {
  /** The message without contents. Each leaf has its number instead of its content. */
  readonly skeleton: Buffer;
  readonly leaves: readonly MailLeaf[];
  /** Limits on depth or number left out some parts. */
  readonly isTruncated: boolean;
}

export interface MailStructureOptions {
  /** Maximum bytes to read of one text. Default 2 MiB. */
  readonly maxTextBytes?: number;
  /** Read attached messages as parts instead of keeping them as leaves. Default false. */
  readonly nested?: boolean;
}

/** Maximum bytes of one text, and of the headers of a part. */
const defaultTextBytes = 2 * 1024 * 1024;
const maxHeaderBytes = 256 * 1024;
const maxDepth = 20;
const maxParts = 500;

/**
 * Splits a message into a skeleton in UTF-8 for the parser, and the offsets of all other contents. Each text becomes
 * one line, because a line costs the parser a hundred times more than its characters.
 */
export function structureOf(
  bytes: Buffer,
  { maxTextBytes = defaultTextBytes, nested = false }: MailStructureOptions = {},
): MailStructure {
  const pieces: Buffer[] = [];
  const leaves: MailLeaf[] = [];
  let parts = 0;
  let isTruncated = false;
  const visit = (start: number, end: number, depth: number): void => {
    const body = endOfHeader(bytes, start, end);
    const headerBytes = bytes.subarray(start, Math.min(body, start + maxHeaderBytes));
    const { type, boundary, encoding, charset, isAttached } = parseHeader(
      headerBytes.toString('latin1'),
    );
    const header = headerText(headerBytes, charset);
    const isText = (type === '' || type === 'text/plain' || type === 'text/html') && !isAttached;
    pieces.push(Buffer.from(isText ? withBase64Headers(header) : withEmptyLine(header)));
    parts++;
    if (type.startsWith('multipart/') && boundary !== '' && depth < maxDepth) {
      for (const [from, to] of splitParts(bytes, body, end, boundary)) {
        isTruncated ||= parts >= maxParts;
        if (isTruncated) break;
        pieces.push(Buffer.from(`--${boundary}\n`, 'latin1'));
        visit(from, to, depth + 1);
        pieces.push(Buffer.from('\n'));
      }
      pieces.push(Buffer.from(`--${boundary}--\n`, 'latin1'));
      return;
    }
    if (isText) {
      const text = bytes.subarray(body, Math.min(end, body + maxTextBytes));
      pieces.push(encodeBase64(Buffer.from(textOfPart(text, encoding, charset))));
      return;
    }
    if (nested && type === 'message/rfc822' && isPlain(encoding) && depth < maxDepth) {
      visit(body, end, depth + 1);
      return;
    }
    isTruncated ||= depth >= maxDepth;
    const number = String(leaves.length);
    leaves.push({ start: body, end, encoding });
    pieces.push(Buffer.from(encoding === 'base64' ? btoa(number) : number));
  };
  visit(0, bytes.length, 0);
  return { skeleton: Buffer.concat(pieces), leaves, isTruncated };
}

/** Replaces the headers of the content type and transfer encoding, because the content is rewritten. */
function withBase64Headers(header: string): string {
  const otherHeaders = header.replaceAll(
    /^content-(?:transfer-encoding|type):.*(?:\r?\n[ \t].*)*\r?\n?/gim,
    '',
  );
  const type = /^content-type:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(header)?.[1] ?? 'text/plain';
  const others = type.replaceAll(/;\s*charset\s*=\s*(?:"[^"]*"|[^\s;]*)/gi, '').trim();
  const contentHeaders = `Content-Type: ${others}; charset=utf-8\nContent-Transfer-Encoding: base64\n`;
  return `${contentHeaders}${withEmptyLine(otherHeaders)}`;
}

function isPlain(encoding: string): boolean {
  return encoding !== 'base64' && encoding !== 'quoted-printable';
}

function withEmptyLine(header: string): string {
  return header.endsWith('\n') ? header : `${header}\n\n`;
}

/** Returns the offset of the content after the first empty line. */
export function endOfHeader(bytes: Buffer, start: number, end: number): number {
  // A part without headers begins with the empty line.
  if (bytes[start] === 10) return start + 1;
  if (bytes[start] === 13 && bytes[start + 1] === 10) return start + 2;
  const message = bytes.subarray(0, end);
  for (let at = message.indexOf('\n', start); at !== -1; at = message.indexOf('\n', at + 1)) {
    if (message[at + 1] === 10) return at + 2;
    if (message[at + 1] === 13 && message[at + 2] === 10) return at + 3;
  }
  return end;
}

interface PartHeader {
  readonly type: string;
  readonly boundary: string;
  readonly encoding: string;
  /** The declared encoding of the text. Null if undeclared. */
  readonly charset: string | null;
  readonly isAttached: boolean;
}

function parseHeader(header: string): PartHeader {
  const lines = header.replaceAll(/\r?\n[ \t]+/g, ' ');
  const value = (name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(lines)?.[1]?.trim() ?? '';
  const contentType = value('content-type');
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType);
  return {
    type: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    boundary: boundary?.[1] ?? boundary?.[2] ?? '',
    encoding: value('content-transfer-encoding').toLowerCase(),
    charset: /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i.exec(contentType)?.[1] ?? null,
    isAttached: /^attachment\b/i.test(value('content-disposition')),
  };
}

/** Yields the ranges between delimiter lines. */
function* splitParts(
  bytes: Buffer,
  from: number,
  end: number,
  boundary: string,
): Generator<readonly [number, number]> {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  // Limits the search to this part. Otherwise a missing delimiter would be searched to the end of the message for each
  // part.
  const message = bytes.subarray(0, end);
  let open = -1;
  for (let at = message.indexOf(delimiter, from); at !== -1;) {
    const after = at + delimiter.length;
    const isLine = at === from || message[at - 1] === 10;
    const isLast = message[after] === 45 && message[after + 1] === 45;
    if (isLine && (isLast || isLineEnd(message[after]))) {
      if (open !== -1) yield [open, Math.max(open, lineEndBefore(message, at))];
      if (isLast) return;
      const next = message.indexOf('\n', after);
      if (next === -1) return;
      open = next + 1;
    }
    at = message.indexOf(delimiter, after);
  }
  if (open !== -1) yield [open, end];
}

/** White space may follow a delimiter. Other text means a longer delimiter. */
function isLineEnd(byte: number | undefined): boolean {
  return byte === undefined || byte === 10 || byte === 13 || byte === 32 || byte === 9;
}

function lineEndBefore(bytes: Buffer, at: number): number {
  return bytes[at - 2] === 13 ? at - 2 : at - 1;
}
