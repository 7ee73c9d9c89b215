/*
 * Prints how many milliseconds the index takes to store the rows of the table and build its indices, without other
 * work.
 */
import { randomBytes } from 'node:crypto';

import index from '@trove/index-lancedb';
import { pluginContext } from '@trove/testkit';

import { textOf } from './table.mjs';

const batch = 4096;
const testDimension = 512;
const termCount = 40;

const [uri, count] = process.argv.slice(2);
const rows = Number(count);
const plugin = [index].flat()[0];
const { signal } = new AbortController();
const opened = await plugin.create({ ...pluginContext({ config: {} }), uri });
const collection = await opened.collection({
  name: 'bare',
  dimension: testDimension,
  embedding: 'bare',
});
let ms = 0;
for (let from = 0; from < rows; from += batch) {
  const groups = [];
  for (let id = from; id < Math.min(rows, from + batch); id++) groups.push(groupOf(id));
  const started = performance.now();
  await collection.replace(groups, { signal });
  ms += performance.now() - started;
}
const started = performance.now();
await collection.optimize();
ms += performance.now() - started;
await opened.close?.();
console.log(String(ms));

function groupOf(id) {
  const group = String(id).padStart(32, '0');
  const content = textOf(id);
  const vector = new Float32Array(testDimension);
  for (const at of randomBytes(termCount)) vector[at * 2] = 1 / Math.sqrt(termCount);
  const row = {
    id: String(id).padStart(32, 'a'),
    group,
    scope: 'bare',
    source: 'bare://local/rows',
    kind: 'row_text',
    ordinal: 0,
    content,
    locator: { id },
    title: null,
    mediaType: null,
    connectorType: 'bare',
    modifiedAt: null,
    fields: { id },
    terms: content,
    pairs: content,
    vector,
  };
  return { group, rows: [row], isNew: true };
}
