import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersWith, readJsonLines } from './files.mjs';

const corpusFile = 'corpus.jsonl';
const queriesFile = 'queries.jsonl';
const gradesFile = 'qrels.tsv';

/** Returns the folders in `folder` (or itself) that contain a judged collection. */
export const findCollections = (folder) =>
  foldersWith([corpusFile, queriesFile, gradesFile], folder);

/** Returns documents, questions, and the grades of each judged question. */
export async function readCollection(folder) {
  const [corpus, queries, qrels] = await Promise.all([
    readJsonLines(join(folder, corpusFile)),
    readJsonLines(join(folder, queriesFile)),
    readFile(join(folder, gradesFile), 'utf8'),
  ]);
  const grades = new Map();
  for (const line of qrels.split('\n')) {
    const [question, document, grade] = line.trim().split(/\s+/);
    if (grade === undefined || Number.isNaN(Number(grade))) continue;
    if (!grades.has(question)) grades.set(question, new Map());
    grades.get(question).set(document, Number(grade));
  }
  const judged = queries.filter(({ id }) => grades.has(String(id)));
  return { documents: corpus, questions: judged, grades };
}
