import { join } from 'node:path';
import { foldersWith, readJsonLines } from './files.mjs';

const fileCount = ['passages.jsonl', 'questions.jsonl'];

/** Returns the folders in `folder` (or itself) with passages and multi-passage questions. */
export const findGraphCollections = (folder) => foldersWith(fileCount, folder);

/**
 * Returns `passages` of `id, title, text, triplets`, and `questions` of `question, gold` (the ids of the answering
 * passages).
 */
export async function readGraphCollection(folder) {
  const [passages, questions] = await Promise.all(
    fileCount.map((name) => readJsonLines(join(folder, name))),
  );
  return { passages, questions };
}
