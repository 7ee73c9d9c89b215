import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { root, workspaces } from './workspaces.mjs';

/** The files that people write in some folders of all workspaces, as `{ name, text }`. `endings`: like `.ts`. */
export function sourceFiles(folders, endings) {
  return workspaces()
    .flatMap(({ path }) => folders.flatMap((folder) => filesBelow(join(path, folder), endings)))
    .map((file) => ({ name: relative(root, file), text: readFileSync(file, 'utf8') }));
}

function filesBelow(folder, endings) {
  let names;
  try {
    names = readdirSync(folder, { recursive: true });
  } catch {
    return [];
  }
  return names
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && !skipped.test(name))
    .map((name) => join(folder, name));
}

/** Generated and compiled files, and test material. */
const skipped = /generated|\.test\.compiled\.mjs$|fixtures/;
