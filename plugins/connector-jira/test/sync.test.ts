import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import {
  changedKeys,
  changesSince,
  keyText,
  neverAborted,
  recordsAt,
  requestsOf,
  syncAll,
  withJira,
} from './support.js';

const test = suite('jira connector');
const hourMs = 3_600_000;

test('lists projects as threads and attachments as documents', () =>
  withJira(async ({ world, connector }) => {
    world.addProject('OPS', 'Operations');
    world.create({ summary: 'Crash' });
    const { id } = world.attach('TRV-1', 'log/1.txt', 'boom');
    const entries = await collect(connector.list({ signal: neverAborted }));
    assert.equal(
      entries.map(({ path, kind, size }) => [path, kind, size]),
      [
        ['TRV/issues', 'message_stream', null],
        ['OPS/issues', 'message_stream', null],
        [`TRV/attachments/TRV-1/${id}-log∕1.txt`, undefined, 4],
      ],
    );
  }));

test('reads issues and comments as messages with the fields of the issue', () =>
  withJira(async ({ world, connector, service }) => {
    const { id: number } = world.create({
      summary: 'Crash',
      description: 'It crashes',
      labels: ['bug'],
      assignee: 'bob',
    });
    world.advance(hourMs);
    const comment = world.comment('TRV-1', 'Me too');
    const { id } = world.attach('TRV-1', 'log.txt', 'boom');
    const [issue, reply, ...others] = await recordsAt(connector, 'TRV/issues');
    assert.equal(others, []);
    assert.equal(issue?.key, { stream: 'issues', issue: 'TRV-1', id: String(number) });
    assert.is(issue?.title, 'TRV-1 Crash');
    assert.is(issue?.text, 'It crashes');
    assert.is(issue?.author, 'Ann Archer');
    assert.is(issue?.at, world.issue('TRV-1').createdAt);
    assert.is(issue?.url, `${service.origin}/browse/TRV-1`);
    assert.equal(issue?.attachments, [`TRV/attachments/TRV-1/${id}-log.txt`]);
    const { status, status_category, labels, assignee, type } = issue?.threadFields ?? {};
    assert.equal(
      [status, status_category, labels, assignee, type],
      ['To Do', 'To Do', ['bug'], 'Bob Baker', 'Task'],
    );
    assert.equal(reply?.key, { stream: 'comments', issue: 'TRV-1', id: String(comment.id) });
    assert.equal([reply?.text, reply?.thread, reply?.author], ['Me too', 'TRV-1', 'Bob Baker']);
    assert.is(reply?.url, `${service.origin}/browse/TRV-1?focusedCommentId=${comment.id}`);
    const path = `TRV/attachments/TRV-1/${id}-log.txt`;
    const content = await connector.read?.(path, { signal: neverAborted });
    assert.is(await new Response(content?.bytes).text(), 'boom');
  }));

test('lists all issues of a data center when others are deleted between pages', () =>
  withJira(
    async ({ world, connector, service }) => {
      world.maxIssues = 3;
      for (let number = 1; number <= 12; number++) {
        world.create({ summary: `Issue ${number}` });
        // Issues 4 to 9 belong to the same minute, which needs two pages.
        if (number < 4 || number > 8) world.advance(60_000);
      }
      service.addFault({
        matches: ({ path, query }) => path.endsWith('/search') && query.has('startAt'),
        apply: (_request, normal) => {
          world.remove('TRV-1');
          return normal();
        },
      });
      const titles = (await recordsAt(connector, 'TRV/issues')).map(({ title }) => title);
      const rest = Array.from({ length: 11 }, (_, n) => `TRV-${n + 2} Issue ${n + 2}`);
      assert.equal([...new Set(titles)].slice(1), rest);
    },
    { edition: 'data-center' },
  ));

test('reads attachments of a data center with another base URL', () =>
  withJira(
    async ({ world, connector }) => {
      world.baseUrl = 'https://jira.example.com/jira';
      world.create({ summary: 'Crash' });
      const { id } = world.attach('TRV-1', 'log ü.txt', 'boom');
      const entries = await collect(connector.list({ signal: neverAborted }));
      const path = `TRV/attachments/TRV-1/${id}-log ü.txt`;
      assert.ok(entries.some((entry) => entry.path === path));
      const content = await connector.read?.(path, { signal: neverAborted });
      assert.is(await new Response(content?.bytes).text(), 'boom');
    },
    { edition: 'data-center' },
  ));

test('refuses the login page of a data center in place of an attachment', () =>
  withJira(
    async ({ world, connector }) => {
      world.create({ summary: 'Crash' });
      const { id } = world.attach('TRV-1', 'log.txt', 'boom');
      await collect(connector.list({ signal: neverAborted }));
      world.tokens.clear();
      const path = `TRV/attachments/TRV-1/${id}-log.txt`;
      const error = await rejection(async () => connector.read?.(path, { signal: neverAborted }));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.message, 'answered with a web page');
    },
    { edition: 'data-center' },
  ));

test('requests only the check, the projects and the searches if nothing changed', () =>
  withJira(async (open) => {
    const { world, connector } = open;
    world.addProject('OPS', 'Operations');
    for (let number = 1; number <= 250; number++) world.create({ summary: `Issue ${number}` });
    for (let number = 1; number <= 250; number++) world.comment(`TRV-${number}`, 'News');
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    assert.is(requestsOf(open).filter((path) => path.includes('/comment')).length, 0);
    assert.is(requestsOf(open).filter((path) => path === '/search/jql').length, 3 + 1 + 1);
    open.service.forget();
    world.advance(hourMs);
    const second = await changesSince(connector, cursor);
    assert.equal(second.changes, []);
    assert.equal(requestsOf(open), [
      '/myself',
      '/project/search',
      '/search/jql',
      '/search/jql',
      '/search/jql',
      '/myself',
    ]);
  }));

test('finds one changed issue, its new comment and a deleted comment', () =>
  withJira(async (open) => {
    const { world, connector } = open;
    for (let number = 1; number <= 3; number++) world.create({ summary: `Issue ${number}` });
    const old = world.comment('TRV-2', 'Old');
    world.comment('TRV-3', 'Other');
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    const added = world.comment('TRV-2', 'New');
    world.removeComment(old.id);
    open.service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedKeys(changes), ['TRV-2', `TRV-2#${added.id}`]);
    assert.equal(
      changes.flatMap((change) => ('complete' in change ? change.complete : [])),
      [{ thread: 'TRV-2' }],
    );
    assert.is(requestsOf(open).length, 5);
  }));

test('reports that the last comment of an issue was deleted', () =>
  withJira(async ({ world, connector }) => {
    world.create({ summary: 'Issue' });
    const { id } = world.comment('TRV-1', 'Old');
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.removeComment(id);
    const { changes } = await changesSince(connector, cursor);
    assert.ok(changes.some((change) => 'complete' in change));
    assert.equal(changedKeys(changes), ['TRV-1']);
  }));

test('requests the comments that an issue does not contain', () =>
  withJira(async (open) => {
    open.world.maxEmbeddedComments = 20;
    open.world.create({ summary: 'Long' });
    for (let number = 1; number <= 130; number++) open.world.comment('TRV-1', `Comment ${number}`);
    const records = await recordsAt(open.connector, 'TRV/issues');
    assert.is(new Set(records.map(({ key }) => keyText(key))).size, 131);
    assert.is(requestsOf(open).filter((path) => path === '/issue/TRV-1/comment').length, 2);
  }));

test('finds a change that the search shows late', () =>
  withJira(async ({ world, connector }) => {
    world.create({ summary: 'Issue' });
    world.advance(hourMs);
    const { cursor } = await syncAll(connector);
    world.advance(hourMs);
    world.searchLagMs = 300_000;
    world.edit('TRV-1', { summary: 'Changed' });
    world.advance(120_000);
    const second = await changesSince(connector, cursor);
    assert.equal(changedKeys(second.changes), []);
    world.advance(300_000);
    const third = await changesSince(connector, second.cursor);
    assert.equal(changedKeys(third.changes), ['TRV-1']);
  }));

test('reports a new project and removes a project that is gone', () =>
  withJira(async ({ world, connector }) => {
    world.addProject('OPS', 'Operations');
    const { cursor } = await syncAll(connector);
    world.addProject('NEW', 'New');
    world.removeProject('OPS');
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes.map((change) =>
        'entry' in change ? change.entry.path : 'removed' in change ? `-${change.removed}` : '',
      ),
      ['NEW/issues', '-OPS/issues'],
    );
  }));

test('reads one thread, one issue and one comment with single requests', () =>
  withJira(async (open) => {
    const { world, connector } = open;
    const first = world.create({ summary: 'Issue 1' });
    world.create({ summary: 'Issue 2' });
    const { id } = world.comment('TRV-2', 'News');
    await collect(connector.list({ signal: neverAborted }));
    const read = async (options: Parameters<typeof recordsAt>[2]): Promise<string[]> => {
      open.service.forget();
      const found = await recordsAt(connector, 'TRV/issues', options);
      return found.map(({ key }) => keyText(key));
    };
    assert.equal(await read({ thread: 'TRV-2' }), ['TRV-2', `TRV-2#${id}`]);
    assert.is(requestsOf(open).length, 2);
    assert.equal(await read({ key: { stream: 'issues', issue: 'TRV-1', id: String(first.id) } }), [
      'TRV-1',
    ]);
    const comment = { stream: 'comments', issue: 'TRV-2', id: String(id) };
    assert.equal(await read({ key: comment }), [`TRV-2#${id}`]);
    assert.is(requestsOf(open).length, 1);
    assert.equal(await read({ key: { stream: 'issues', issue: 'TRV-9', id: '1' } }), []);
    assert.equal(await read({ thread: 'TRV-9' }), []);
  }));

test('limits a source to the projects of its target or configuration, and to a query', async () => {
  const listed = async (options: Parameters<typeof withJira>[1]): Promise<string[]> => {
    const paths: string[] = [];
    await withJira(async ({ world, connector }) => {
      world.addProject('OPS', 'Operations');
      world.create({ summary: 'Crash', labels: ['bug'] });
      world.create({ summary: 'Idea' });
      world.attach('TRV-2', 'idea.txt', 'idea');
      for await (const item of connector.list({ signal: neverAborted })) {
        if ('checkpoint' in item) continue;
        paths.push(item.path.replace(/\d+-/, ''));
        if (item.kind !== 'message_stream') continue;
        for (const { key } of await recordsAt(connector, item.path)) paths.push(keyText(key));
      }
    }, options);
    return paths;
  };
  assert.equal(await listed({ target: 'jira://acme/OPS' }), ['OPS/issues']);
  assert.equal(await listed({ config: { projects: ['ops'] } }), ['OPS/issues']);
  assert.equal(await listed({ target: 'jira://acme/TRV', config: { jql: 'labels = bug' } }), [
    'TRV/issues',
    'TRV-1',
  ]);
});

test('syncs a data centre with a personal access token', () =>
  withJira(
    async (open) => {
      const { world, connector } = open;
      for (let number = 1; number <= 3; number++) world.create({ summary: `Issue ${number}` });
      world.maxIssues = 2;
      world.edit('TRV-3', { description: 'h1. Title' });
      const comment = world.comment('TRV-3', 'News');
      const { id } = world.attach('TRV-3', 'a b.txt', 'boom');
      world.advance(hourMs);
      const { cursor } = await syncAll(connector);
      const records = await recordsAt(connector, 'TRV/issues');
      assert.equal(
        records.map(({ key }) => keyText(key)),
        ['TRV-1', 'TRV-2', 'TRV-3', `TRV-3#${comment.id}`],
      );
      assert.is(records[2]?.text, 'h1. Title');
      const path = `TRV/attachments/TRV-3/${id}-a b.txt`;
      const content = await connector.read?.(path, { signal: neverAborted });
      assert.is(await new Response(content?.bytes).text(), 'boom');
      world.advance(hourMs);
      world.edit('TRV-2', { summary: 'Changed' });
      const { changes } = await changesSince(connector, cursor);
      assert.equal(changedKeys(changes), ['TRV-2']);
    },
    { edition: 'data-center' },
  ));

test.run();
