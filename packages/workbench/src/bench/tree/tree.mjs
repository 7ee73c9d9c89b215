import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { logNormal, oneOf, randomFrom } from '@trove/test-support/random.js';
import { documentOf } from './documents.mjs';
import { foldersFor } from './paths.mjs';
import { wordsFrom } from './words.mjs';

const medianBytes = 8300;
const spread = 0.75;
const minBytes = 300;
const maxBytes = 120_000;

/**
 * Writes a tree of `files` text files of 11 KB on average: Markdown, plain text and code. The same seed gives the same
 * bytes. Returns `{ files, bytes }`.
 */
export function writeTree(folder, { files, seed }) {
  const random = randomFrom(seed);
  const words = wordsFrom(random);
  const folders = foldersFor(random, words.topic(0), files);
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
  let bytes = 0;
  for (let number = 0; number < files; number++) {
    const word = words.topic(Math.floor(random() * words.topics));
    const size = Math.min(maxBytes, Math.max(minBytes, logNormal(random, medianBytes, spread)));
    const { extension, content } = documentOf(random, word, size);
    const name = `${word()}-${word()}-${number}.${extension}`;
    writeFileSync(join(folder, oneOf(random, folders), name), content);
    bytes += content.length;
  }
  return { files, bytes };
}
