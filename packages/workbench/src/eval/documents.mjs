import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { extensionOf } from './extensions.mjs';

/** Writes each document as a file. Returns the document ids by path relative to the folder. */
export async function writeDocuments(documents, folder) {
  const ids = new Map();
  const isTree = arePaths(documents.map(({ id }) => String(id)));
  for (const [position, { id, title, text }] of documents.entries()) {
    const path = isTree ? String(id) : `${fileName(String(id), position)}${extensionOf(text)}`;
    ids.set(path, String(id));
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // Files of a tree are written unchanged.
    const heading = title && !isTree ? `${title.replace(/\s+/g, ' ').trim()}\n\n` : '';
    await writeFile(join(folder, path), heading + text);
  }
  return ids;
}

/** Whether all ids can be paths of one tree with meaningful extensions. */
export function arePaths(ids) {
  const folders = new Set(ids.flatMap(foldersOf));
  const isFile = (id) =>
    /^[^/\0\\]+(\/[^/\0\\]+)*\.\w{1,12}$/.test(id) &&
    id.split('/').every((name) => name !== '..' && Buffer.byteLength(name) <= 255) &&
    !folders.has(id);
  return ids.some((id) => id.includes('/')) && ids.every(isFile);
}

function foldersOf(id) {
  const names = id.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

function fileName(id, position) {
  return /^[A-Za-z0-9._-]{1,100}$/.test(id) ? id : `document-${position}`;
}
