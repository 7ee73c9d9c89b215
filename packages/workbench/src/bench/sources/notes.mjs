import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { startFakeS3 } from '@trove/test-support/fake-s3.js';
import { randomFrom } from '@trove/test-support/random.js';
import { wordsFrom } from '../tree/words.mjs';

const wordCount = 200;
const rareInterval = 100;
const rareLine = 'A quince is here.';

/**
 * Returns the texts of all sources by source name: `{ "folder-0": [text, …], … }`. One source in a hundred has the
 * word "quince".
 */
export function makeNotes(kind, sources, perSource) {
  const words = wordsFrom(randomFrom(Buffer.from(kind)[0]));
  const notes = new Map();
  for (let source = 0; source < sources; source++) {
    const nextWord = words.topic(source % words.topics);
    const textOf = (_, note) => {
      const text = Array.from({ length: wordCount }, nextWord).join(' ');
      const isRare = note === 0 && source % rareInterval === 0;
      return `# Note ${note}\n\n${text}\n${isRare ? `${rareLine}\n` : ''}`;
    };
    notes.set(`${kind}-${source}`, Array.from({ length: perSource }, textOf));
  }
  return notes;
}

/** Writes a folder of files for each source. */
export function writeFolders(parent, notes) {
  for (const [name, texts] of notes) {
    mkdirSync(join(parent, name), { recursive: true });
    for (const [at, text] of texts.entries())
      writeFileSync(join(parent, name, `note-${at}.md`), text);
  }
}

/** Writes a SQLite database with one table for each source. Returns the targets to add. */
export async function writeDatabases(parent, notes) {
  const require = createRequire(import.meta.resolve('@trove/connector-sqlite'));
  const { Database } = require('sqlite3');
  mkdirSync(parent, { recursive: true });
  const targets = [];
  for (const [name, texts] of notes) {
    const path = join(parent, `${name}.db`);
    const rows = texts.map((text, id) => `(${id}, '${text}')`).join(',');
    const database = new Database(path);
    await finished((done) =>
      database.exec(
        `create table notes (id integer primary key, text text); insert into notes values ${rows}`,
        done,
      ),
    );
    await finished((done) => database.close(done));
    targets.push({ target: `sqlite://${path}` });
  }
  return targets;
}

/** Starts an object store with a bucket for each source. Returns the targets to add, and `stop()`. */
export async function startBuckets(notes) {
  const store = await startFakeS3({ ignoresConditions: false });
  for (const [name, texts] of notes)
    for (const [at, text] of texts.entries())
      await fetch(`${store.endpoint}/${name}/note-${at}.md`, { method: 'PUT', body: text });
  const config = { endpoint: store.endpoint, anonymous: true };
  const targets = Array.from(notes.keys(), (name) => ({ target: `s3://${name}`, config }));
  return { targets, stop: () => store.stop() };
}

function finished(start) {
  return new Promise((resolve, reject) => {
    start((error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
