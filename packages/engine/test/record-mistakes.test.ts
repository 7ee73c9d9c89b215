import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { scopeProblem } from '../src/sources/connectors/scope-problem.js';
import { sync } from './support/engine.js';
import { entry, stream, target, using } from './support/plain-connector.js';

const test = suite("an author's mistakes in records and changes");

test('the key of a record is validated before it reaches a connector', () => {
  const seen: unknown[] = [];
  return using(
    {
      read: undefined,
      async *records(_: string, { key }: { key?: unknown }) {
        seen.push(key);
        yield { key: { id: 1 }, fields: { text: 'one' } };
      },
    },
    async (engine) => {
      await sync(engine, { target });
      const path = `${target}/a.txt`;
      const count = seen.length;
      for (const locator of ['{"id":[1,2]}', `{"id":"${'x'.repeat(2000)}"}`]) {
        const error = await rejection(() => engine.cat({ path, locator }));
        assert.is(error.code, 'validation_error');
      }
      assert.is(seen.length, count);
      await engine.cat({ path, locator: '{"id":1}' });
      assert.equal(seen.at(-1), { id: 1 });
    },
  );
});

test('an empty change and an invalid entry fail the listing, too', async () => {
  for (const change of [{}, { entry: { ...entry, path: '/a' } }]) {
    await using(
      {
        async *changes() {
          yield change;
        },
      },
      async (engine) => {
        assert.is((await sync(engine, { target })).error, 'plugin_invalid');
      },
    );
  }
});

test('a record without fields fails its object with a reason', () =>
  using(
    {
      read: undefined,
      async *records() {
        yield { key: { id: 1 } };
      },
    },
    async (engine) => {
      const [failure] = (await sync(engine, { target })).failures;
      assert.is(failure?.code, 'records_incomplete');
      assert.match(failure?.error ?? '', '`key` and `fields` must be objects');
    },
  ));

test('an invalid member of a record fails its object with a reason', async () => {
  const good = { key: { id: 1 }, fields: {} };
  for (const [record, problem] of [
    [{ key: { id: () => 1 }, fields: {} }, '`key` contains something other'],
    [{ key: { lines: 1 }, fields: {} }, '`key` must not contain the reserved name `lines`'],
    [{ ...good, at: 'now' }, '`at` is not a number'],
    [{ ...good, threadFields: ['open'] }, '`threadFields` is not an object'],
    [{ ...good, threadFields: { state: { id: 1 } } }, '`threadFields.state` is neither a string'],
    [{ ...good, threadFields: { due: new Date(0) } }, '`threadFields.due` is neither a string'],
  ] as const) {
    await using(
      {
        read: undefined,
        async *records() {
          yield record;
        },
      },
      async (engine) => {
        const [failure] = (await sync(engine, { target })).failures;
        assert.is(failure?.code, 'records_incomplete');
        assert.match(failure?.error ?? '', 'connector plain: records yielded an invalid record: ');
        assert.match(failure?.error ?? '', problem);
      },
    );
  }
});

test('an invalid scope ends the changes and is named', () =>
  using(
    {
      changes: stream({
        path: 'a.txt',
        records: [],
        removedKeys: [],
        complete: { from: 2, to: 2 },
      }),
      check: async () => ({ ok: true, detail: 'reachable' }),
    },
    async (engine) => {
      const { status, error, detail } = await sync(engine, { target });
      assert.equal([status, error], ['failed', 'plugin_invalid']);
      const problem = '`complete.from` (2) must be less than `complete.to` (2)';
      assert.match(detail ?? '', `changes yielded an invalid change: ${problem}`);
    },
  ));

test('a checkpoint that is too large to store ends the listing and is named', () =>
  using({ list: stream({ checkpoint: 'x'.repeat(100_001) }) }, async (engine) => {
    const { status, error, detail } = await sync(engine, { target });
    assert.equal([status, error], ['failed', 'plugin_invalid']);
    assert.match(detail ?? '', 'list yielded an invalid checkpoint: it has more than 100000');
  }));

test('each kind of invalid scope has its own problem', () => {
  for (const [complete, problem] of [
    ['thread', "`complete` is neither 'object' nor { thread } nor { from, to }"],
    [{}, '`complete` is neither'],
    [null, '`complete` is neither'],
    [{ from: 1 }, '`complete` is neither'],
    [{ thread: 'a', from: 1, to: 2 }, '`complete` is neither'],
    [{ thread: 7 }, '`complete.thread` is not a string'],
    [{ thread: 't'.repeat(501) }, '`complete.thread` has more than 500 characters'],
    [{ from: '2024-02-29', to: 2 }, '`complete.from` is not a number of milliseconds'],
    [{ from: 1, to: Infinity }, '`complete.to` is not a number of milliseconds'],
  ] as const)
    assert.match(scopeProblem(complete, 500) ?? '', problem);
  for (const complete of ['object', { thread: '' }, { from: -1.5, to: 0 }] as const)
    assert.is(scopeProblem(complete, 500), null);
});

test.run();
