import { join } from 'node:path';

import { replaceFile } from '../session/file-replacement.js';
import { readFileIfAny } from '../session/system-errors.js';

/** An uploaded folder and its source on the server. */
export interface SentFolder {
  readonly endpoint: string;
  /** Absolute path. */
  readonly folder: string;
  readonly uri: string;
}

/** Reads the uploaded folders of a server. Treats an invalid file as empty. */
export function readSentFolders(home: string, endpoint: string): SentFolder[] {
  return readAll(home).filter((sent) => sent.endpoint === endpoint);
}

export function addSentFolder(home: string, sent: SentFolder): void {
  writeAll(home, [...readAll(home).filter((other) => !isSame(other, sent)), sent]);
}

/** Removes a folder from the list. Ignores unknown folders. */
export function removeSentFolder(
  home: string,
  removed: Pick<SentFolder, 'endpoint' | 'uri'>,
): void {
  const all = readAll(home);
  const left = all.filter((sent) => !isSame(sent, removed));
  if (left.length < all.length) writeAll(home, left);
}

/** Returns the URI of a local path in an uploaded folder, the innermost one, or null. */
export function sentUri(path: string, folders: readonly SentFolder[]): string | null {
  const sent = findInnermost(folders, ({ folder }) => pathBelow(folder, path) !== null);
  return sent === null ? null : sent.uri + encode(pathBelow(sent.folder, path) ?? '');
}

/** Returns the encoded local path of a URI in an uploaded folder, or null. */
export function sentPath(uri: string, folders: readonly SentFolder[]): string | null {
  const sent = findInnermost(folders, (each) => pathBelow(each.uri, uri) !== null);
  return sent === null ? null : encode(sent.folder) + (pathBelow(sent.uri, uri) ?? '');
}

/** Returns the local folder and the path below it for a URI in an uploaded folder, or null. */
export function locateSent(
  uri: string,
  folders: readonly SentFolder[],
): { readonly folder: string; readonly path: string } | null {
  const sent = findInnermost(folders, (each) => pathBelow(each.uri, uri) !== null);
  if (sent === null) return null;
  return { folder: sent.folder, path: decode((pathBelow(sent.uri, uri) ?? '').slice(1)) };
}

/** Escapes ambiguous and invisible characters, as the server does. */
export function encode(path: string): string {
  return path.replaceAll(/[%?#\s\u0000-\u001f\u007f]/g, (char) => encodeURIComponent(char));
}

/** Decodes escapes. Leaves invalid escapes unchanged. */
export function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Returns the path below a folder with its leading slash, '' for the folder itself, or null for paths outside. */
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
