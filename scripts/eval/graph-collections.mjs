import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folders in `folder` (or itself) that hold passages and questions that need several of them. */
export async function findGraphCollections(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = new Set(entries.map(({ name }) => name));
  if (['passages.jsonl', 'questions.jsonl'].every((name) => files.has(name))) return [folder];
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => findGraphCollections(join(folder, name))),
  );
  return found.flat().toSorted();
}

/** `passages` of `id, title, text, triplets`, and `questions` of `question, gold`: the ids of the passages that answer it. */
export async function readGraphCollection(folder) {
  const [passages, questions] = await Promise.all(
    ['passages.jsonl', 'questions.jsonl'].map((name) => readLines(join(folder, name))),
  );
  return { passages, questions };
}

async function readLines(path) {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}
