// The floor of a keyword search: SQLite FTS5 over the whole files, without chunks.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { answerWith } from '../child.mjs';
import { textFiles } from '../samples.mjs';

const sqlite = createRequire(import.meta.url)('sqlite3');
const filesPerCommit = 1000;
const hits = 10;
/** The share of the queries that warms up. */
const warmUpShare = 0.25;

answerWith(async ({ folder, tree, texts }) => {
  mkdirSync(folder);
  const database = new sqlite.Database(join(folder, 'fts.db'));
  const run = promisify(database.run.bind(database));
  const all = promisify(database.all.bind(database));
  const started = performance.now();
  await run('PRAGMA journal_mode = WAL');
  await run(
    "CREATE VIRTUAL TABLE files USING fts5(path UNINDEXED, text, tokenize = 'porter unicode61')",
  );
  await indexFiles(run, textFiles(tree));
  const ms = performance.now() - started;
  const anyWord = await timesOf(all, texts, ' OR ');
  const allWords = await timesOf(all, texts, ' AND ');
  await promisify(database.close.bind(database))();
  return { ms, anyWord, allWords };
});

async function indexFiles(run, files) {
  for (let from = 0; from < files.length; from += filesPerCommit) {
    await run('BEGIN');
    for (const file of files.slice(from, from + filesPerCommit))
      await run('INSERT INTO files VALUES (?, ?)', file, readFileSync(file, 'utf8'));
    await run('COMMIT');
  }
}

async function timesOf(all, texts, operator) {
  const times = [];
  for (const text of texts) {
    const words = text.split(' ').map((word) => `"${word}"`);
    const started = performance.now();
    await all(
      "SELECT path, snippet(files, 1, '', '', '', 32) FROM files WHERE files MATCH ? ORDER BY rank LIMIT ?",
      words.join(operator),
      hits,
    );
    times.push(performance.now() - started);
  }
  return times.slice(Math.floor(texts.length * warmUpShare));
}
