import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { referencePages } from '../scripts/lib/reference.js';

const test = suite('reference pages');

for (const [name, text] of Object.entries(await referencePages())) {
  test(`${name} is up to date (npm run docs -w @trove/server)`, async () => {
    const url = new URL(`../../../${name}`, import.meta.url);
    assert.is(await readFile(url, 'utf8'), text);
  });
}

test.run();
