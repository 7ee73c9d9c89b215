import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { changesSince, neverAborted } from '@trove/test-support/connector-reads.js';
import { changedTexts, fill, openConnector, requestsOf, withAsana } from './support.js';

const test = suite('asana connector, interrupted syncs');

test('continues an interrupted sync without requesting the events again', async () => {
  await withAsana(async (open) => {
    const { world, connector, service } = open;
    const { tasks } = fill(world, ['One', 'Two', 'Three']);
    const { cursor } = await changesSince(connector, undefined);
    for (const { gid } of tasks) world.comment(gid, `About ${gid}`);
    const interrupted = await openConnector(open);
    let resume: unknown;
    const found: string[] = [];
    const signal = neverAborted();
    const commit = (): void => undefined;
    for await (const change of interrupted.changes?.({ cursor, commit, signal }) ?? []) {
      if ('checkpoint' in change) resume = structuredClone(change.checkpoint);
      found.push(...changedTexts([change]));
      if (found.length === 2 && 'checkpoint' in change) break;
    }
    service.forget();
    let next: unknown;
    const rest = connector.changes?.({
      cursor,
      resume,
      signal,
      commit: (value) => {
        next = value;
      },
    });
    for (const change of await collect(rest)) found.push(...changedTexts([change]));
    assert.equal(
      found.toSorted(),
      tasks.flatMap(({ gid, name }) => [`About ${gid}`, name]).toSorted(),
    );
    assert.not.ok(requestsOf(open).some((path) => path.startsWith('/events')));
    assert.equal((await changesSince(connector, next)).changes, []);
  });
});

test('yields checkpoints that do not change afterwards', () =>
  withAsana(async ({ world, connector }) => {
    const { tasks } = fill(world, ['One', 'Two', 'Three']);
    const { cursor } = await changesSince(connector, undefined);
    for (const { gid } of tasks) world.comment(gid, 'More');
    const request = { cursor, commit: () => undefined, signal: neverAborted() };
    const yielded: unknown[] = [];
    const stored: unknown[] = [];
    for await (const change of connector.changes?.(request) ?? []) {
      if (!('checkpoint' in change)) continue;
      yielded.push(change.checkpoint);
      stored.push(structuredClone(change.checkpoint));
    }
    assert.is(stored.length, 4);
    assert.equal(yielded, stored);
  }));

test.run();
