import { join } from 'node:path';
import { foldersWith, readJsonLines } from './files.mjs';

const fileCount = ['passages.jsonl', 'questions.jsonl'];

/** The folders in `folder` (or itself) that hold passages and questions that need several of them. */
export const findGraphCollections = (folder) => foldersWith(fileCount, folder);

/** `passages` of `id, title, text, triplets`, and `questions` of `question, gold`: the ids of the passages that answer it. */
export async function readGraphCollection(folder) {
  const [passages, questions] = await Promise.all(
    fileCount.map((name) => readJsonLines(join(folder, name))),
  );
  return { passages, questions };
}
