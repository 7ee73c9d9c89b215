import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersWith, readJsonLines } from './files.mjs';

const CORPUS = 'corpus.jsonl';
const QUERIES = 'queries.jsonl';
const GRADES = 'qrels.tsv';

/** The folders in `folder` (or itself) that hold a judged collection. */
export const findCollections = (folder) => foldersWith([CORPUS, QUERIES, GRADES], folder);

/** Documents, questions, and the grades of each question that was judged. */
export async function readCollection(folder) {
  const [corpus, queries, qrels] = await Promise.all([
    readJsonLines(join(folder, CORPUS)),
    readJsonLines(join(folder, QUERIES)),
    readFile(join(folder, GRADES), 'utf8'),
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

/** Writes each document as a file named by its id; returns what document a file name stands for. */
export async function writeDocuments(documents, folder) {
  await mkdir(folder, { recursive: true });
  const ids = new Map();
  for (const [position, { id, title, text }] of documents.entries()) {
    const name = `${fileName(String(id), position)}${extensionOf(text)}`;
    ids.set(name, String(id));
    await writeFile(
      join(folder, name),
      title ? `${title.replace(/\s+/g, ' ').trim()}\n\n${text}` : text,
    );
  }
  return ids;
}

function fileName(id, position) {
  return /^[A-Za-z0-9._-]{1,100}$/.test(id) ? id : `document-${position}`;
}

/** Code is stored as the files that it comes from would be named. */
function extensionOf(text) {
  if (
    /^\s*(@\w|async def |def |class \w+.*:\s*$)/m.test(text) &&
    /^\s*(@|async def|def|class)/.test(text)
  )
    return '.py';
  if (/^\s*(func )/.test(text)) return '.go';
  if (/^\s*((export |async )*function|const \w+ =|class \w+ \{)/.test(text)) return '.js';
  if (/^\s*(public|private|protected|static)\b.*[({]/.test(text))
    return /\bfunction\b/.test(text.slice(0, 200)) ? '.php' : '.java';
  if (/^\s*(module|def|class) .*\n[\s\S]*\bend\s*$/.test(text)) return '.rb';
  return '.txt';
}
