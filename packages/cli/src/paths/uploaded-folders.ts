import { join } from 'node:path';

import { replaceFile } from '../session/file-replacement.js';
import { readFileIfAny } from '../session/system-errors.js';

/** An uploaded folder and its source on the server. */
export interface UploadedFolder {
  readonly endpoint: string;
  /** Absolute path. */
  readonly folder: string;
  readonly uri: string;
}

/** Reads the uploaded folders of a server. Treats an invalid file as empty. */
export function readUploadedFolders(home: string, endpoint: string): UploadedFolder[] {
  return readAll(home).filter((uploaded) => uploaded.endpoint === endpoint);
}

export function addUploadedFolder(home: string, uploaded: UploadedFolder): void {
  writeAll(home, [...readAll(home).filter((other) => !isSame(other, uploaded)), uploaded]);
}

/** Removes a folder from the list. Ignores unknown folders. */
export function removeUploadedFolder(
  home: string,
  removed: Pick<UploadedFolder, 'endpoint' | 'uri'>,
): void {
  const all = readAll(home);
  const left = all.filter((uploaded) => !isSame(uploaded, removed));
  if (left.length < all.length) writeAll(home, left);
}

/** Returns the URI of a local path in an uploaded folder, the innermost one, or null. */
export function toUploadedUri(path: string, folders: readonly UploadedFolder[]): string | null {
  const uploaded = findInnermost(folders, ({ folder }) => pathBelow(folder, path) !== null);
  return uploaded === null ? null : uploaded.uri + encode(pathBelow(uploaded.folder, path) ?? '');
}

/** Returns the encoded local path of a URI in an uploaded folder, or null. */
export function toUploadedPath(uri: string, folders: readonly UploadedFolder[]): string | null {
  const uploaded = findInnermost(folders, (each) => pathBelow(each.uri, uri) !== null);
  return uploaded === null ? null : encode(uploaded.folder) + (pathBelow(uploaded.uri, uri) ?? '');
}

/** Returns the local folder and the path below it for a URI in an uploaded folder, or null. */
export function locateUploaded(
  uri: string,
  folders: readonly UploadedFolder[],
): { readonly folder: string; readonly path: string } | null {
  const uploaded = findInnermost(folders, (each) => pathBelow(each.uri, uri) !== null);
  if (uploaded === null) return null;
  return { folder: uploaded.folder, path: decode((pathBelow(uploaded.uri, uri) ?? '').slice(1)) };
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
  folders: readonly UploadedFolder[],
  holds: (uploaded: UploadedFolder) => boolean,
): UploadedFolder | null {
  return folders
    .filter(holds)
    .reduce<UploadedFolder | null>(
      (best, uploaded) =>
        best === null || uploaded.folder.length > best.folder.length ? uploaded : best,
      null,
    );
}

function isSame(
  folder: Pick<UploadedFolder, 'endpoint' | 'uri'>,
  other: Pick<UploadedFolder, 'endpoint' | 'uri'>,
): boolean {
  return folder.endpoint === other.endpoint && folder.uri === other.uri;
}

function fileIn(home: string): string {
  return join(home, 'sent.json');
}

function readAll(home: string): UploadedFolder[] {
  try {
    const value: unknown = JSON.parse(readFileIfAny(fileIn(home)) ?? '[]');
    return Array.isArray(value) ? value.filter(isUploadedFolder) : [];
  } catch {
    return [];
  }
}

function isUploadedFolder(value: unknown): value is UploadedFolder {
  if (typeof value !== 'object' || value === null) return false;
  return ['endpoint', 'folder', 'uri'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  );
}

function writeAll(home: string, all: readonly UploadedFolder[]): void {
  replaceFile(fileIn(home), `${JSON.stringify(all, null, 2)}\n`);
}
