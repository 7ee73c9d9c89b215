import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { queryTerms } from '@trove/text/analyzer';
import lexical from '@trove/embedder-lexical';

import { between, oneOf } from '@trove/test-support/random.js';

const textExtension = /\.(md|txt|rst|adoc|ts|js|mjs|py|go|java|c|h|rs|rb|html|css|json|ya?ml|sh)$/i;
const wordPattern = /\b[a-z]{3,}\b/gi;
const literalLength = 24;
/** The dimension of the default embedder. */
const testDimension = 512;

/** Returns the text files of a folder in path order. */
export function textFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && textExtension.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](\.|node_modules[\\/])/.test(path))
    .sort();
}

/**
 * Returns different queries of two to five words, each from one place in a file: `{ text, terms, vector }`, analyzed
 * like Trove. Repeated queries could be cached by an index.
 */
export async function queriesFrom(random, files, count) {
  const embedder = lexical.create({ config: { dimension: testDimension } });
  const { signal } = new AbortController();
  const queries = [];
  const asked = new Set();
  for (let attempt = 0; queries.length < count && attempt < count * 20; attempt++) {
    const words = readFileSync(oneOf(random, files), 'utf8').match(wordPattern) ?? [];
    const start = between(random, 0, Math.max(0, words.length - 12));
    const picked = new Set(words.slice(start, start + 12).filter(() => random() < 0.3));
    const text = [...picked].slice(0, 5).join(' ');
    const { terms } = queryTerms(text);
    if (picked.size < 2 || terms.length < 2 || asked.has(text)) continue;
    asked.add(text);
    const [vector] = await embedder.embed([text], { purpose: 'query', signal });
    queries.push({ text, terms, vector: [...vector] });
  }
  if (queries.length === 0) throw new Error('no file with words for a query');
  return queries;
}

/** Returns a piece of a line from the middle of a file, which few other files contain. */
export function literalFrom(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const long = lines.filter((line) => line.length > literalLength + 8 && /^[ -~]*$/.test(line));
  const line = long[Math.floor(long.length / 2)];
  if (line === undefined) throw new Error(`${file} has no suitable line`);
  return line.slice(4, 4 + literalLength);
}
