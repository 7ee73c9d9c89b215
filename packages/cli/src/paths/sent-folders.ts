import { join } from 'node:path';

import { replaceFile } from '../session/file-replacement.js';
import { readFileIfAny } from '../session/system-errors.js';

/** A folder whose files were sent to a server, and the source that they are there. */
export interface SentFolder {
  readonly endpoint: string;
  /** Absolute path. */
  readonly folder: string;
  readonly uri: string;
}

/** The folders sent to a server. A file that is no list of them is as none: what is in it is written anew. */
export function readSentFolders(home: string, endpoint: string): SentFolder[] {
  return readAll(home).filter((sent) => sent.endpoint === endpoint);
}

export function addSentFolder(home: string, sent: SentFolder): void {
  writeAll(home, [...readAll(home).filter((other) => !isSame(other, sent)), sent]);
}

/** Does nothing for a source whose files were not sent from here. */
export function removeSentFolder(home: string, gone: Pick<SentFolder, 'endpoint' | 'uri'>): void {
  const all = readAll(home);
  const left = all.filter((sent) => !isSame(sent, gone));
  if (left.length < all.length) writeAll(home, left);
}

/** The URI of a local path in a sent folder, the innermost if there are several; null if it is in none. */
export function sentUri(path: string, folders: readonly SentFolder[]): string | null {
  const sent = findInnermost(folders, ({ folder }) => pathBelow(folder, path) !== null);
  return sent === null ? null : sent.uri + encode(pathBelow(sent.folder, path) ?? '');
}

/** The local path, not decoded, of a URI in a sent folder; null if it is in none. */
export function sentPath(uri: string, folders: readonly SentFolder[]): string | null {
  const sent = findInnermost(folders, (each) => pathBelow(each.uri, uri) !== null);
  return sent === null ? null : encode(sent.folder) + (pathBelow(sent.uri, uri) ?? '');
}

/** Where a URI in a sent folder is on this machine: the folder, and the path below it; null if it is in none. */
export function locateSent(
  uri: string,
  folders: readonly SentFolder[],
): { readonly folder: string; readonly path: string } | null {
  const sent = findInnermost(folders, (each) => pathBelow(each.uri, uri) !== null);
  if (sent === null) return null;
  return { folder: sent.folder, path: decode((pathBelow(sent.uri, uri) ?? '').slice(1)) };
}

/** Escapes as the server does: only what would be ambiguous or invisible. */
export function encode(path: string): string {
  return path.replaceAll(/[%?#\s\u0000-\u001f\u007f]/g, (char) => encodeURIComponent(char));
}

/** The other way round; what is no escape of a text stays. */
export function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** What follows the folder, with its slash; '' for the folder itself, null for what is not in it. */
function pathBelow(folder: string, path: string): string | null {
  const start = folder.replace(/\/$/, '');
  return path === start || path.startsWith(`${start}/`) ? path.slice(start.length) : null;
}

function findInnermost(
  folders: readonly SentFolder[],
  holds: (sent: SentFolder) => boolean,
): SentFolder | null {
  return folders
    .filter(holds)
    .reduce<SentFolder | null>(
      (best, sent) => (best === null || sent.folder.length > best.folder.length ? sent : best),
      null,
    );
}

function isSame(
  sent: Pick<SentFolder, 'endpoint' | 'uri'>,
  other: Pick<SentFolder, 'endpoint' | 'uri'>,
): boolean {
  return sent.endpoint === other.endpoint && sent.uri === other.uri;
}

function fileIn(home: string): string {
  return join(home, 'sent.json');
}

function readAll(home: string): SentFolder[] {
  try {
    const value: unknown = JSON.parse(readFileIfAny(fileIn(home)) ?? '[]');
    return Array.isArray(value) ? value.filter(isSentFolder) : [];
  } catch {
    return [];
  }
}

function isSentFolder(value: unknown): value is SentFolder {
  if (typeof value !== 'object' || value === null) return false;
  return ['endpoint', 'folder', 'uri'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  );
}

function writeAll(home: string, all: readonly SentFolder[]): void {
  replaceFile(fileIn(home), `${JSON.stringify(all, null, 2)}\n`);
}
