import type { Converter } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { converterCases } from '../src/index.js';
import { converterMutants, documents, goodConverter } from './mutants/converters.js';

const test = suite('converter suite');

async function failures(mutant: (good: Converter) => Partial<Converter>): Promise<string[]> {
  const failed: string[] = [];
  const create = async (): Promise<Converter> => {
    const good = await goodConverter();
    return {
      version: good.version,
      convert: (request) => good.convert(request),
      ...mutant(good),
    };
  };
  for (const each of converterCases) {
    await each.run({ ...documents, create }).catch(() => failed.push(each.id));
  }
  return failed;
}

test('the memory converter passes', async () => {
  assert.equal(await failures(() => ({})), []);
});

for (const { id } of converterCases) {
  test(`fails only ${id} for its mutant`, async () => {
    const mutant = converterMutants[id];
    assert.ok(mutant !== undefined, 'there is a mutant');
    assert.equal(await failures(mutant), [id]);
  });
}

test.run();
