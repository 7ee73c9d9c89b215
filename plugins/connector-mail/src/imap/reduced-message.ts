import type { MessageStructureObject } from 'imapflow';

import { headerText, encodeBase64, textOfPart } from '@trove/text/mail';

/** Longer texts are cut. */
export const maxTextBytes = 2 * 1024 * 1024;
const maxDepth = 20;
const maxParts = 500;

/** Returns the IDs of the text parts of a message. */
export function listTextParts(structure: MessageStructureObject): string[] {
  const partIds: string[] = [];
  const visit = (node: MessageStructureObject, depth: number): void => {
    if (partIds.length >= maxParts) return;
    if (isText(node)) partIds.push(partIdOf(node));
    else if (hasParts(node) && depth < maxDepth)
      for (const child of node.childNodes ?? []) visit(child, depth + 1);
  };
  visit(structure, 0);
  return partIds;
}

/** Returns the part with this ID, or null. */
export function findPart(
  structure: MessageStructureObject,
  partId: string,
): MessageStructureObject | null {
  if (!hasParts(structure)) return partIdOf(structure) === partId ? structure : null;
  for (const child of structure.childNodes ?? []) {
    const found = findPart(child, partId);
    if (found !== null) return found;
  }
  return null;
}

/** Builds a parseable message with the fetched texts. Every other part contains only its part ID. */
export function buildReducedMessage(
  headers: Buffer,
  structure: MessageStructureObject,
  texts: ReadonlyMap<string, Buffer>,
): Buffer {
  const chunks: Buffer[] = [ownHeaders(headers)];
  let parts = 0;
  const visit = (node: MessageStructureObject, depth: number): void => {
    parts++;
    if (hasParts(node) && depth < maxDepth) {
      const boundary = `trove-boundary-${parts}`;
      chunks.push(lines(`Content-Type: ${node.type}; boundary="${boundary}"`, ''));
      for (const child of node.childNodes ?? []) {
        if (parts >= maxParts) break;
        chunks.push(lines(`--${boundary}`));
        visit(child, depth + 1);
        chunks.push(lines(''));
      }
      chunks.push(lines(`--${boundary}--`));
      return;
    }
    const partId = partIdOf(node);
    chunks.push(lines(...headersOf(node), ''));
    const text = isText(node) ? texts.get(partId) : undefined;
    if (text !== undefined) chunks.push(encodeBase64(Buffer.from(decodeText(node, text))));
    else if (!isText(node)) chunks.push(lines(partId));
  };
  visit(structure, 0);
  return Buffer.concat(chunks);
}

function decodeText({ encoding = '', parameters }: MessageStructureObject, text: Buffer): string {
  return textOfPart(text, encoding.toLowerCase(), parameters?.['charset'] ?? null);
}

/** Returns the headers of a part from the server's description. Texts are declared as UTF-8. */
function headersOf(node: MessageStructureObject): string[] {
  const { type, parameters: declared = {}, disposition, dispositionParameters = {}, id } = node;
  const parameters = isText(node) ? { ...declared, charset: 'utf-8' } : declared;
  return [
    `Content-Type: ${type}${parametersOf(parameters)}`,
    ...(isText(node) ? ['Content-Transfer-Encoding: base64'] : []),
    ...(disposition === undefined
      ? []
      : [`Content-Disposition: ${disposition}${parametersOf(dispositionParameters)}`]),
    ...(id === undefined ? [] : [`Content-ID: ${id.replaceAll(/[\r\n]/g, '')}`]),
  ];
}

function parametersOf(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .filter(([name]) => /^[\w-]+$/.test(name))
    .map(([name, value]) => `; ${name}*=utf-8''${encodeURIComponent(value.toWellFormed())}`)
    .join('');
}

/** Returns the headers of the message without those about the content, which `headersOf` writes. */
function ownHeaders(headers: Buffer): Buffer {
  const charset = /charset\s*=\s*"?([^\s;"]{1,40})/i.exec(headers.toString('latin1'))?.[1];
  const text = headerText(headers, charset ?? null).replaceAll(/\r?\n(?=[ \t])/g, ' ');
  const headerLines = text.split(/\r?\n/).filter((line) => line !== '' && !/^content-/i.test(line));
  return Buffer.from(`${headerLines.join('\n')}\n`);
}

function hasParts({ type, childNodes }: MessageStructureObject): boolean {
  return type.startsWith('multipart/') && childNodes !== undefined;
}

function isText({ type, disposition }: MessageStructureObject): boolean {
  return (type === 'text/plain' || type === 'text/html') && disposition !== 'attachment';
}

/** The only part of a message has the ID 1. */
function partIdOf({ part }: MessageStructureObject): string {
  return part ?? '1';
}

function lines(...all: readonly string[]): Buffer {
  return Buffer.from(all.map((line) => `${line}\n`).join(''), 'utf8');
}
