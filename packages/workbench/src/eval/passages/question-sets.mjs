import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { readJsonLines } from '../files.mjs';

const collectionsFile = 'collections.json';
const setExtension = '.jsonl';

/**
 * Reads the question sets in a folder: a file `SET.jsonl` each, and the pinned repositories in `collections.json`.
 * Returns `{ collections, sets }`. A set is `{ name, questions }`.
 */
export async function readQuestionSets(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(setExtension)).toSorted();
  const [collections, ...questions] = await Promise.all([
    readFile(join(folder, collectionsFile), 'utf8').then(JSON.parse),
    ...names.map((name) => readJsonLines(join(folder, name))),
  ]);
  const sets = names.map((name, at) => ({
    name: basename(name, setExtension),
    questions: questions[at],
  }));
  return { collections, sets };
}

/** Returns the half of a question. It depends only on the id, so new questions move no others. */
export function halfOf(id) {
  return createHash('sha256').update(id).digest()[0] < 128 ? 'tuning' : 'held';
}
