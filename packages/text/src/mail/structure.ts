import { headerText } from './header.js';
import { encodeBase64, textOfPart } from './transfer.js';

/** A part of a message that is no text to be read, by where its content lies. */
export interface MailLeaf {
  readonly start: number;
  readonly end: number;
  /** How the content is written: `base64`, `quoted-printable`, or as it is. */
  readonly encoding: string;
}

export interface MailStructure {
  /** The message with little in it: each leaf contains its number in place of its content. */
  readonly skeleton: Buffer;
  readonly leaves: readonly MailLeaf[];
  /** Limits left out parts within parts, or some of very many. */
  readonly isTruncated: boolean;
}

export interface MailStructureOptions {
  /** Bytes of one text that are read. Default 2 MiB. */
  readonly maxTextBytes?: number;
  /** Messages within the message are read as parts of it, not kept as leaves. Default false. */
  readonly nested?: boolean;
}

/** Bytes of one text that are read, and of the headers of a part. */
const defaultTextBytes = 2 * 1024 * 1024;
const maxHeaderBytes = 256 * 1024;
const maxDepth = 20;
const maxParts = 500;

/**
 * Takes a message apart: a copy of what has to be parsed, in UTF-8, and where the rest is. Texts are one line each, since a
 * line costs the parser a hundred times what its characters do.
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
    pieces.push(Buffer.from(isText ? inBase64(header) : withEmptyLine(header)));
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

/** A header whose content is not written as it was. */
function inBase64(header: string): string {
  const kept = header.replaceAll(
    /^content-(?:transfer-encoding|type):.*(?:\r?\n[ \t].*)*\r?\n?/gim,
    '',
  );
  const type = /^content-type:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(header)?.[1] ?? 'text/plain';
  const others = type.replaceAll(/;\s*charset\s*=\s*(?:"[^"]*"|[^\s;]*)/gi, '').trim();
  const facts = `Content-Type: ${others}; charset=utf-8\nContent-Transfer-Encoding: base64\n`;
  return `${facts}${withEmptyLine(kept)}`;
}

function isPlain(encoding: string): boolean {
  return encoding !== 'base64' && encoding !== 'quoted-printable';
}

function withEmptyLine(header: string): string {
  return header.endsWith('\n') ? header : `${header}\n\n`;
}

/** Where the content begins, behind the first empty line. */
export function endOfHeader(bytes: Buffer, start: number, end: number): number {
  // A part without headers begins with the empty line.
  if (bytes[start] === 10) return start + 1;
  if (bytes[start] === 13 && bytes[start + 1] === 10) return start + 2;
  const all = bytes.subarray(0, end);
  for (let at = all.indexOf('\n', start); at !== -1; at = all.indexOf('\n', at + 1)) {
    if (all[at + 1] === 10) return at + 2;
    if (all[at + 1] === 13 && all[at + 2] === 10) return at + 3;
  }
  return end;
}

interface PartHeader {
  readonly type: string;
  readonly boundary: string;
  readonly encoding: string;
  /** What the part says of its text; null when it says nothing. */
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

/** From the line behind each delimiter to the line end before the next. */
function* splitParts(
  bytes: Buffer,
  from: number,
  end: number,
  boundary: string,
): Generator<readonly [number, number]> {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  // Looked for no further: what is not there would be looked for to the end of the message, for each of its parts.
  const all = bytes.subarray(0, end);
  let open = -1;
  for (let at = all.indexOf(delimiter, from); at !== -1;) {
    const after = at + delimiter.length;
    const isLine = at === from || all[at - 1] === 10;
    const isLast = all[after] === 45 && all[after + 1] === 45;
    if (isLine && (isLast || isLineEnd(all[after]))) {
      if (open !== -1) yield [open, Math.max(open, lineEndBefore(all, at))];
      if (isLast) return;
      const next = all.indexOf('\n', after);
      if (next === -1) return;
      open = next + 1;
    }
    at = all.indexOf(delimiter, after);
  }
  if (open !== -1) yield [open, end];
}

/** Space may follow a delimiter; another one may begin with it. */
function isLineEnd(byte: number | undefined): boolean {
  return byte === undefined || byte === 10 || byte === 13 || byte === 32 || byte === 9;
}

function lineEndBefore(bytes: Buffer, at: number): number {
  return bytes[at - 2] === 13 ? at - 2 : at - 1;
}
