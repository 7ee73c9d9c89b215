// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { connectorCases, selectConnectorCases } from '../src/index.js';
import { makeWorld, type Mutation } from './mutants/connector-world.js';
import { contextMutants } from './mutants/connectors-in-context.js';
import { listAndReadMutants } from './mutants/connectors.js';
import { identityMutants } from './mutants/identity-connectors.js';
import { otherMutants } from './mutants/more-connectors.js';
import { resumingMutants } from './mutants/resuming-connectors.js';
import { searchingMutants } from './mutants/searching-connectors.js';

const test = suite('connector suite');
const mutants: Readonly<Record<string, Mutation>> = {
  ...listAndReadMutants,
  ...otherMutants,
  ...searchingMutants,
  ...contextMutants,
  ...identityMutants,
  ...resumingMutants,
};

/** Returns the ids of the failing cases, each on a new source. */
async function failures(mutation: Mutation): Promise<string[]> {
  const failed: string[] = [];
  const { cases } = await selectConnectorCases(makeWorld(mutation).subject);
  for (const each of cases) {
    await each.run(makeWorld(mutation).subject).catch(() => failed.push(each.id));
  }
  return failed;
}

for (const each of connectorCases) {
  test(`the memory connector ${each.title}`, () => each.run(makeWorld().subject));
}

for (const { id } of connectorCases) {
  test(`fails only ${id} for its mutant`, async () => {
    const mutation = mutants[id];
    assert.ok(mutation !== undefined, 'there is a mutant');
    assert.equal(await failures(mutation), [id]);
  });
}

test('has a case for each mutant', () => {
  const ids = connectorCases.map(({ id }) => id);
  assert.equal(Object.keys(mutants).sort(), ids.toSorted());
  assert.is(new Set(ids).size, ids.length);
});

test('skips a case with a missing need and its reason, and fails when run', async () => {
  const { subject } = makeWorld({ omit: ['grep', 'browse'] });
  const { cases, skipped } = await selectConnectorCases(subject);
  const skippedIds = skipped.map(({ id }) => id);
  assert.ok(
    skippedIds.includes('grep-finds-lines') && skippedIds.includes('browse-shows-an-object'),
  );
  assert.is(cases.length + skipped.length, connectorCases.length);
  for (const { id, reason } of skipped) {
    assert.match(reason, /has no `(grep|browse)`/);
    const each = connectorCases.find((other) => other.id === id);
    const failed = await each?.run(subject).then(
      () => false,
      () => true,
    );
    assert.is(failed, true, id);
  }
});

test.run();
