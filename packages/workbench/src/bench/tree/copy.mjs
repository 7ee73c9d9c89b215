import { cpSync, statSync } from 'node:fs';
import { basename } from 'node:path';

import { textFiles } from '../samples.mjs';

/** Copies a folder without hidden files and packages, because measurements change its files. Returns `{ files, bytes }`. */
export function copyOf(source, folder) {
  const filter = (path) => path === source || !/^(\..*|node_modules)$/.test(basename(path));
  cpSync(source, folder, { recursive: true, filter });
  const files = textFiles(folder);
  return { files: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}
