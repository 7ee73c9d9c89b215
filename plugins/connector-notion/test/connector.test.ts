import type { Connector, Entry } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import { entriesOf, withNotion } from './with-notion.js';
import { changesSince, neverAborted, pathsOf, requestsOf, setAge, shortId } from './source.js';

const test = suite('Notion connector');

async function textAt(connector: Connector, { path, identity }: Entry): Promise<string> {
  const content = await connector.read?.(path, {
    signal: neverAborted(),
    ...(identity === undefined ? {} : { identity }),
  });
  return content?.bytes instanceof Uint8Array ? Buffer.from(content.bytes).toString() : '';
}

async function recordsAt(connector: Connector, path: string): Promise<readonly unknown[]> {
  return collect(connector.records?.(path, { signal: neverAborted() }));
}

test('lists pages, rows in the folder of their database, and comments', () =>
  withNotion(async ({ fake: { world }, connector }) => {
    const plan = world.createPage({ title: 'Plan / 2026' });
    const tasks = world.createDataSource('Tasks', { Status: 'status' });
    const row = world.createRow(tasks, {
      title: '',
      properties: { Status: { type: 'status', value: 'Open' } },
    });
    const entries = await entriesOf(connector);
    const folder = `databases/Tasks ${shortId(tasks.id)}`;
    assert.equal(entries.map(({ path }) => path).toSorted(), [
      'comments',
      `${folder}/Untitled ${shortId(row.id)}.md`,
      `${folder}/rows`,
      `pages/Plan 2026 ${shortId(plan.id)}.md`,
    ]);
    const page = entries.find(({ identity }) => identity === plan.id);
    assert.is(page?.title, 'Plan / 2026');
    assert.is(page?.author, 'Ann');
    assert.match(String(page?.url), shortId(plan.id));
    const rowEntry = entries.find(({ identity }) => identity === row.id);
    assert.equal(rowEntry?.fields, { Status: 'Open' });
  }));

test('reads rows as records with their properties', () =>
  withNotion(async ({ fake: { world }, connector }) => {
    const tasks = world.createDataSource('Tasks');
    const other = world.createPage({ title: 'Other' });
    const row = world.createRow(tasks, {
      title: 'Ship it',
      properties: {
        Status: { type: 'status', value: 'Open' },
        Kind: { type: 'select', value: 'Chore' },
        Tags: { type: 'multi_select', value: ['a', 'b'] },
        Owner: { type: 'people', value: [world.ann] },
        Due: { type: 'date', value: { start: '2026-03-09', end: '2026-03-10' } },
        Start: { type: 'date', value: { start: '2026-03-01' } },
        Done: { type: 'checkbox', value: false },
        Points: { type: 'number', value: 0 },
        Notes: { type: 'rich_text', value: 'Soon' },
        Sum: { type: 'formula', value: 'three' },
        Link: { type: 'url', value: 'https://example.com' },
        Number: { type: 'unique_id', value: 7 },
        Blocks: { type: 'relation', value: [other.id] },
        Empty: { type: 'rich_text', value: '' },
      },
    });
    const [record] = await recordsAt(connector, `databases/Tasks ${shortId(tasks.id)}/rows`);
    assert.equal(record, {
      key: { id: row.id },
      fields: {
        Status: 'Open',
        Kind: 'Chore',
        Tags: ['a', 'b'],
        Owner: ['Ann'],
        Due: '2026-03-09/2026-03-10',
        Start: '2026-03-01',
        Done: false,
        Points: 0,
        Notes: 'Soon',
        Sum: 'three',
        Link: 'https://example.com',
        Number: 'T-7',
        Blocks: [other.id],
      },
      title: 'Ship it',
      at: Math.floor(world.now / 60_000) * 60_000,
      author: 'Ann',
      url: `https://app.notion.com/p/Ship-it-${shortId(row.id)}`,
    });
  }));

test('reads a page as Markdown with the subtrees that the answer leaves out', () =>
  withNotion(async ({ fake, connector }) => {
    const { world } = fake;
    const page = world.createPage({ title: 'Long', markdown: '# Long\n' });
    const block = world.omitBlock(page.id, 'First part');
    world.omitBlock(page.id, 'Second part');
    world.omitBlock(block, 'Nested $& part');
    const entry = (await entriesOf(connector)).find(({ identity }) => identity === page.id);
    fake.service.forget();
    assert.ok(entry);
    assert.is(await textAt(connector, entry), '# Long\n\nFirst part\nNested $& part\nSecond part');
    assert.is(fake.service.exchanges.length, 4);
  }));

test('reads a page by its identity after a rename, without a listing', () =>
  withNotion(async ({ fake, connector }) => {
    const page = fake.world.createPage({ title: 'Old', markdown: 'Text' });
    const path = `pages/Old ${shortId(page.id)}.md`;
    const entry = { path, identity: page.id, size: null, modifiedAt: null, fingerprint: null };
    fake.world.editPage(page.id, { title: 'New' });
    assert.is(await textAt(connector, entry), 'Text');
    assert.equal(requestsOf(fake), [
      `GET /v1/pages/${page.id}`,
      `GET /v1/pages/${page.id}/markdown`,
    ]);
    fake.world.removePage(page.id);
    const error = await rejection(() => textAt(connector, { ...entry, path: 'pages/None.md' }));
    assert.is(error.code, 'not_found');
  }));

test('reads the comments of a page as one thread', () =>
  withNotion(async ({ fake: { world }, connector }) => {
    const page = world.createPage({ title: 'Plan' });
    const first = world.comment(page.id, 'Really?');
    const second = world.comment(page.id, 'Yes.');
    const comments = await recordsAt(connector, 'comments');
    assert.equal(comments, [
      {
        key: { id: first.id },
        fields: {},
        title: 'Plan',
        text: 'Really?',
        at: Math.floor(world.now / 60_000) * 60_000,
        author: 'Ann',
        url: `https://app.notion.com/p/Plan-${shortId(page.id)}`,
        thread: page.id,
        threadFields: { page: 'Plan' },
      },
      { ...Object(comments[0]), key: { id: second.id }, text: 'Yes.' },
    ]);
  }));

test('skips comments and names the capability that the integration lacks', () =>
  withNotion(async ({ fake, connector }) => {
    fake.world.capabilities.delete('comments');
    fake.world.createPage({ title: 'Plan' });
    const comments = (await entriesOf(connector)).find(({ path }) => path === 'comments');
    assert.match(String(comments?.skip), '"Read comments"');
    fake.service.forget();
    assert.equal(await recordsAt(connector, 'comments'), []);
    assert.not.ok(requestsOf(fake).includes('GET /v1/comments'));
  }));

test('lists names of people only if the integration may read them', () =>
  withNotion(async ({ fake, connector }) => {
    fake.world.capabilities.delete('users');
    fake.world.createPage({ title: 'Plan' });
    const [, entry] = await entriesOf(connector);
    assert.is(entry?.title, 'Plan');
    assert.is(entry?.author, undefined);
  }));

test('leaves out the pages of rows on request', () =>
  withNotion(
    async ({ fake: { world }, connector }) => {
      const tasks = world.createDataSource('Tasks');
      world.createRow(tasks, { title: 'Ship' });
      const paths = (await entriesOf(connector)).map(({ path }) => path);
      assert.equal(paths, ['comments', `databases/Tasks ${shortId(tasks.id)}/rows`]);
    },
    { row_pages: false },
  ));

test('sends a handful of requests to find that nothing has changed', () =>
  withNotion(async ({ fake, connector }) => {
    const tasks = fake.world.createDataSource('Tasks');
    for (let index = 0; index < 250; index++)
      fake.world.createRow(tasks, { title: `Row ${index}` });
    const first = await changesSince(connector);
    assert.is(pathsOf(first.changes).length, 252);
    // The check, the right to read comments, the tables twice, the users, and three pages of pages.
    assert.is(fake.service.exchanges.length, 8);
    fake.service.forget();
    const second = await changesSince(connector, first.cursor);
    assert.equal(second.changes, []);
    assert.equal(requestsOf(fake), [
      'POST /v1/search',
      'POST /v1/search',
      `POST /v1/data_sources/${tasks.id}/query`,
      `POST /v1/data_sources/${tasks.id}/query`,
      'POST /v1/search',
      'POST /v1/search',
    ]);
  }));

test('reports a changed row as a page, as a record and with its comments', () =>
  withNotion(async ({ fake, connector }) => {
    const { world } = fake;
    const tasks = world.createDataSource('Tasks');
    const row = world.createRow(tasks, { title: 'Ship' });
    world.createPage({ title: 'Quiet' });
    const { cursor } = await changesSince(connector);
    setAge(fake, 0);
    world.editPage(row.id, { title: 'Shipped' });
    world.comment(row.id, 'Done');
    fake.service.forget();
    const { changes } = await changesSince(connector, cursor);
    const folder = `databases/Tasks ${shortId(tasks.id)}`;
    assert.equal(pathsOf(changes), [
      `${folder}/rows: 1`,
      `${folder}/Shipped ${shortId(row.id)}.md`,
      `- ${folder}/Ship ${shortId(row.id)}.md`,
      'comments: 1',
    ]);
    assert.is(fake.service.exchanges.length, 7);
  }));

test('reports comments of new pages', () =>
  withNotion(async ({ fake, connector }) => {
    const { cursor } = await changesSince(connector);
    setAge(fake, 0);
    const page = fake.world.createPage({ title: 'New' });
    fake.world.comment(page.id, 'First');
    const { changes } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), [`pages/New ${shortId(page.id)}.md`, 'comments: 1']);
  }));

test('gives a page that can change within its minute a version of its own', () =>
  withNotion(async ({ fake, connector }) => {
    setAge(fake, 0);
    fake.world.createPage({ title: 'Hot' });
    const printOf = async (): Promise<string | null | undefined> =>
      (await entriesOf(connector)).find(({ title }) => title === 'Hot')?.fingerprint;
    assert.is.not(await printOf(), await printOf());
    setAge(fake, 5);
    fake.world.editPage([...fake.world.pages.keys()][0] ?? '', { title: 'Hot' });
    assert.is(await printOf(), await printOf());
  }));

test('finds a late page by the overlap', () =>
  withNotion(async ({ fake, connector }) => {
    setAge(fake, 1);
    const page = fake.world.createPage({ title: 'Late', lateMs: 60_000 });
    const { cursor } = await changesSince(connector);
    fake.world.advance(60_000);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), [`pages/Late ${shortId(page.id)}.md`, 'comments: 0']);
  }));

test('removes pages, rows and comments in the trash', () =>
  withNotion(async ({ fake, connector }) => {
    const { world } = fake;
    const page = world.createPage({ title: 'Plan' });
    world.comment(page.id, 'Why?');
    const tasks = world.createDataSource('Tasks');
    const row = world.createRow(tasks, { title: 'Ship' });
    const { cursor } = await changesSince(connector);
    setAge(fake, 0);
    world.trash(page.id);
    world.trash(row.id);
    const { changes } = await changesSince(connector, cursor);
    const folder = `databases/Tasks ${shortId(tasks.id)}`;
    assert.equal(
      changes.find((change) => 'path' in change && change.path === `${folder}/rows`),
      { path: `${folder}/rows`, records: [], removedKeys: [{ id: row.id }] },
    );
    const removed = pathsOf(changes).filter((path) => path.startsWith('-'));
    assert.equal(removed.toSorted(), [
      `- ${folder}/Ship ${shortId(row.id)}.md`,
      `- pages/Plan ${shortId(page.id)}.md`,
    ]);
    assert.equal(
      changes.filter((change) => JSON.stringify(change).includes(`"thread":"${page.id}"`)),
      [{ path: 'comments', records: [], removedKeys: [], complete: { thread: page.id } }],
    );
  }));

test('removes a database that is in the trash', () =>
  withNotion(async ({ fake, connector }) => {
    const tasks = fake.world.createDataSource('Tasks');
    const { cursor } = await changesSince(connector);
    fake.world.trashDataSource(tasks.id);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), [`- databases/Tasks ${shortId(tasks.id)}/rows`]);
  }));

test('reports an incomplete search after all pages that it contains', () =>
  withNotion(async ({ fake, connector }) => {
    for (const title of ['One', 'Two', 'Three']) fake.world.createPage({ title });
    fake.world.resultLimit = 2;
    const listed: string[] = [];
    const error = await rejection(async () => {
      for await (const item of connector.list({ signal: neverAborted() }))
        if ('path' in item) listed.push(item.path);
    });
    assert.is(error.code, 'listing_incomplete');
    assert.match(error.message, 'query_result_limit_reached');
    assert.is(listed.length, 3);
  }));

test.run();
