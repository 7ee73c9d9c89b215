import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { vectorIndexCases } from '../src/index.js';
import { goodIndex } from './mutants/mutated-index.js';
import { vectorIndexMutants } from './mutants/vector-indices.js';

const test = suite('vector index suite');

for (const { title, run } of vectorIndexCases) {
  test(`the memory index ${title}`, () => run({ open: goodIndex() }));
}

for (const { id } of vectorIndexCases) {
  test(`fails only ${id} for its mutant`, async () => {
    const make = vectorIndexMutants[id];
    assert.ok(make !== undefined, 'there is a mutant');
    const failed: string[] = [];
    for (const each of vectorIndexCases) {
      await each.run({ open: make() }).catch(() => failed.push(each.id));
    }
    assert.equal(failed, [id]);
  });
}

test.run();
