import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { isCheckpoint } from '@trove/core';
import {
  emptyPageFault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
  type Fault,
} from '@trove/connector-kit/http/fake';
import { changesSince, neverAborted, recordsAt } from '@trove/test-support/connector-reads.js';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeAsana } from './fake.js';
import {
  changedTexts,
  fill,
  openConnector,
  taskTexts,
  textsOf,
  threadsIn,
  withAsana,
} from './support.js';

const test = suite('asana connector, faults');
const isTasks: Fault['matches'] = ({ path }) => path === '/api/1.0/tasks';
const isEvents: Fault['matches'] = ({ path }) => path === '/api/1.0/events';
const isStories: Fault['matches'] = ({ path }) => path.endsWith('/stories');
const isAny: Fault['matches'] = () => true;

const many = Array.from({ length: 250 }, (_, at) => `Task ${at}`);

test('names a wrong token in the check', () =>
  withAsana(
    async ({ connector }) => {
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.ok, false);
      assert.match(health?.detail ?? '', 'does not accept the token: Not Authorized');
    },
    { token: 'wrong' },
  ));

test('names the workspaces that the token sees in the check', async () => {
  await withAsana(async ({ connector }) => {
    const health = await connector.check?.({ signal: neverAborted() });
    assert.equal([health?.ok, health?.detail], [true, 'Connected to Acme as Ada Archer.']);
  });
  await withAsana(
    async ({ connector }) => {
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.ok, false);
      assert.match(health?.detail ?? '', 'sees no workspace with the id 77');
      assert.match(health?.detail ?? '', 'asana://1001 (Acme)');
    },
    { workspace: '77' },
  );
});

test('deletes nothing if the token does not see the workspace any more', () =>
  withAsana(async ({ world, connector }) => {
    fill(world, ['One']);
    const { cursor } = await changesSince(connector, undefined);
    world.workspace.gid = '1002';
    const again = await rejection(() => changesSince(connector, cursor));
    assert.match(again.message, 'Unknown object: 1001');
  }));

test('loses no task when the token is revoked at any moment', async () => {
  for (const after of [0, 1, 2, 3, 4]) {
    await using fake = await startFakeAsana();
    const { tasks } = fill(fake.world, ['One', 'Two']);
    const connector = await openConnector(fake);
    const { cursor } = await changesSince(connector, undefined);
    for (const { gid } of tasks) fake.world.comment(gid, 'More');
    fake.service.addFault(revokedTokenFault(fake.model, isAny, after));
    const error = await rejection(() => changesSince(connector, cursor));
    assert.match(error.message, 'does not accept the token', `after ${after} requests`);
    await connector.close?.();
  }
});

test('waits as long as the service asks', async () => {
  for (const matches of [isEvents, isTasks, isStories])
    await withAsana(async ({ connector, world, service, model }) => {
      fill(world, ['One']);
      service.addFault(rateLimitFault(model, matches, 30_000));
      const error = await rejection(async () => {
        await changesSince(connector, undefined);
        await recordsAt(connector, 'tasks');
      });
      assert.equal([error.code, error.retryAfterMs], ['rate_limited', 30_000]);
    });
});

test('continues the reading of events after a limit', () =>
  withAsana(async ({ connector, world, service, model }) => {
    const projects = Array.from({ length: 20 }, (_, at) => world.addProject(`Project ${at}`));
    const { cursor } = await changesSince(connector, undefined);
    for (const { gid } of projects) world.addTask({ name: `In ${gid}`, projects: [gid] });
    service.forget();
    service.addFault({ ...rateLimitFault(model, isEvents, 0), after: 10, times: Infinity });
    let resume: unknown;
    const read = async (): Promise<unknown> => {
      let next: unknown;
      const commit = (value: unknown): void => {
        next = value;
      };
      const request = { cursor, commit, signal: neverAborted() };
      const own = resume === undefined ? request : { ...request, resume };
      for await (const change of connector.changes?.(own) ?? [])
        if (isCheckpoint(change)) resume = structuredClone(change.checkpoint);
      return next;
    };
    await rejection(read);
    const { projects: remaining }: { readonly projects?: readonly string[] } = Object(resume);
    assert.ok(remaining !== undefined && remaining.length > 0 && remaining.length < 20);
  }));

test('continues after an error without requesting a page twice', () =>
  withAsana(async ({ connector, world, service }) => {
    fill(world, many);
    service.addFault({ ...serverErrorFault(isTasks), times: 3, after: 2 });
    const found: string[] = [];
    let resume: unknown;
    const read = async (): Promise<void> => {
      const options = { signal: neverAborted(), ...(resume === undefined ? {} : { resume }) };
      for await (const item of connector.records?.('tasks', options) ?? [])
        if (isCheckpoint(item)) resume = structuredClone(item.checkpoint);
        else found.push(...textsOf([item]));
    };
    await rejection(read);
    await read();
    assert.equal(found, many);
  }));

test('starts a listing over when the token of its next page has expired', () =>
  withAsana(async ({ connector, world, service }) => {
    fill(world, many);
    service.addFault({
      matches: (request) => isTasks(request) && request.query.has('offset'),
      times: 1,
      apply: (_request, normal) => {
        world.offsetGeneration++;
        return normal();
      },
    });
    assert.equal(await taskTexts(connector), many);
  }));

test('fails with a truncated answer instead of losing tasks', () =>
  withAsana(async ({ connector, world, service }) => {
    fill(world, ['One']);
    service.addFault({ ...truncatedFault(isTasks), times: Infinity });
    const error = await rejection(() => recordsAt(connector, 'tasks'));
    assert.match(error.message, 'JSON');
  }));

test('fails with an answer without a list instead of losing tasks or comments', () =>
  withAsana(async ({ connector, world, service }) => {
    const { tasks } = fill(world, ['One']);
    world.comment(tasks[0]?.gid ?? '', 'A comment');
    for (const matches of [isTasks, isStories]) {
      service.addFault({ matches, apply: () => ({ json: {} }) });
      const error = await rejection(() => recordsAt(connector, 'tasks'));
      assert.match(error.message, 'is not a list');
    }
    assert.equal(await taskTexts(connector), ['One', 'A comment']);
  }));

test('reads on after a repeated page, and ends a listing that does not move', () =>
  withAsana(async ({ connector, world, service }) => {
    fill(world, many);
    service.addFault(repeatedPageFault(isTasks));
    assert.equal(await taskTexts(connector), many);
    const empty = (body: unknown): unknown => ({
      ...Object(body),
      data: [],
      next_page: { offset: '1.10014', path: '/tasks', uri: 'https://app.asana.com/tasks' },
    });
    service.addFault({ ...emptyPageFault(isTasks, empty), times: Infinity });
    const error = await rejection(() => recordsAt(connector, 'tasks'));
    assert.match(error.message, 'repeats a page');
  }));

test('fails for answers that do not state whether there are more', () =>
  withAsana(async ({ connector, world, service }) => {
    fill(world, ['One']);
    const { cursor } = await changesSince(connector, undefined);
    const apply = () => ({ json: { data: [] } });
    service.addFault({ matches: isTasks, apply });
    const listing = await rejection(() => recordsAt(connector, 'tasks'));
    assert.match(listing.message, 'has no `next_page`');
    service.addFault({ matches: ({ path }) => path.endsWith('/events'), apply });
    const events = await rejection(() => changesSince(connector, cursor));
    assert.match(events.message, 'lacks `data`, `sync` or `has_more`');
  }));

test('keeps the tasks of a project that is closed to the token, and says so', () =>
  withAsana(async ({ connector, world }) => {
    const { project, tasks } = fill(world, ['One']);
    const first = await changesSince(connector, undefined);
    project.isClosed = true;
    world.comment(tasks[0]?.gid ?? '', 'Later');
    const warnings: string[] = [];
    const second = await changesSince(connector, first.cursor, (sentence) =>
      warnings.push(sentence),
    );
    assert.equal(threadsIn(second.changes), {});
    assert.match(warnings.join(' '), 'does not show a part of a project');
    project.isClosed = false;
    const third = await changesSince(connector, second.cursor);
    assert.equal(changedTexts(third.changes), ['One', 'Later']);
  }));

test('reads a task again that changed during the sync', () =>
  withAsana(async ({ connector, world, service }) => {
    const { tasks } = fill(world, ['One']);
    service.addFault({
      matches: isEvents,
      times: 1,
      apply: async (_request, normal) => {
        const answer = await normal();
        world.editTask(tasks[0]?.gid ?? '', { name: 'Renamed' });
        return answer;
      },
    });
    const { cursor } = await changesSince(connector, undefined);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedTexts(changes), ['Renamed']);
  }));

test.run();
