import type { Change, SourceRecord } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import type { FakeFeishu } from './fake.js';
import {
  changesSince,
  entriesOf,
  neverAborted,
  recordsAt,
  requestsOf,
  textAt,
  withFeishu,
  type OpenFeishu,
} from './source.js';

const test = suite('Feishu connector');

const dayMs = 86_400_000;
const general = 'chats/General/messages.jsonl';

function recordsIn(changes: readonly Change[]): readonly SourceRecord[] {
  return changes.flatMap((change) => ('records' in change ? change.records : []));
}

async function health({ connector }: Pick<OpenFeishu, 'connector'>): Promise<string> {
  const found = await connector.check?.({ signal: neverAborted() });
  return `${found?.ok} ${found?.detail}`;
}

test('reads texts, posts, cards and mentions as people see them', () =>
  withFeishu(async ({ fake: { world }, connector }) => {
    const { id } = world.addChat('General');
    world.post(id, 'Hello');
    const post = {
      zh_cn: {
        title: 'Plan',
        content: [
          [
            { tag: 'text', text: 'See ' },
            { tag: 'a', text: 'here', href: 'https://a.example' },
          ],
          [{ tag: 'at', user_name: 'Ben' }],
        ],
      },
    };
    world.post(id, JSON.stringify(post), { type: 'post' });
    const card = { elements: [{ tag: 'div', text: { tag: 'lark_md', content: 'Build failed' } }] };
    world.post(id, JSON.stringify(card), { type: 'interactive' });
    world.post(id, '{"template":"x"}', { type: 'system' });
    const records = await recordsAt(connector, general);
    assert.equal(
      records.map(({ text }) => text),
      ['Hello', 'Plan\nSee here (https://a.example)\n@Ben', 'Build failed'],
    );
    const [first] = records;
    assert.is(first?.author, 'Ann');
    assert.is(first?.at, world.message(String(first?.key['message_id'])).createdAt);
  }));

test('reads topics, whose replies the chat does not list', () =>
  withFeishu(async ({ fake: { world }, connector }) => {
    const { id } = world.addChat('General');
    const root = world.post(id, 'Who has the plan?');
    world.post(id, 'I do', { root: root.id, inTopic: true });
    const quoted = world.post(id, 'Lunch?');
    world.post(id, 'Yes', { root: quoted.id });
    const threads = (await recordsAt(connector, general)).map(({ text, thread }) => [text, thread]);
    assert.equal(
      threads.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      [
        ['I do', root.thread],
        ['Lunch?', quoted.id],
        ['Who has the plan?', root.thread],
        ['Yes', quoted.id],
      ],
    );
  }));

test('finds edits, recalls and late replies of the last three days', () =>
  withFeishu(async ({ fake, connector }) => {
    const { world } = fake;
    world.now = Date.now() - 10 * dayMs;
    const { id } = world.addChat('General');
    const old = world.post(id, 'An old question');
    world.now = Date.now() - dayMs;
    const [edited, recalled, root] = ['a', 'b', 'c'].map((text) => world.post(id, text));
    world.post(id, 'first reply', { root: root?.id ?? '', inTopic: true });
    const { cursor } = await changesSince(connector);
    world.edit(edited?.id ?? '', 'A');
    world.recall(recalled?.id ?? '');
    world.post(id, 'second reply', { root: root?.id ?? '', inTopic: true });
    world.post(id, 'A late answer', { root: old.id });
    const { changes } = await changesSince(connector, cursor);
    const found = recordsIn(changes).map(({ text }) => text);
    for (const text of ['A', 'second reply', 'A late answer'])
      assert.ok(found.includes(text), text);
    assert.not.ok(found.includes('An old question'));
    const removed = changes.flatMap((change) =>
      'removedKeys' in change ? change.removedKeys : [],
    );
    assert.equal(
      removed.map((key) => key['message_id']),
      [recalled?.id],
    );
  }));

test('sends few requests to find that nothing has changed', () =>
  withFeishu(async ({ fake, connector }) => {
    const { world } = fake;
    world.now = Date.now() - 10 * dayMs;
    world.post(world.addChat('General').id, 'Hello');
    const { id: space } = world.addSpace('Handbook');
    const parent = world.addPage({ title: 'Parent', space });
    world.addPage({ title: 'Child', space, parent: parent.token });
    const { cursor } = await changesSince(connector);
    fake.service.forget();
    await changesSince(connector, cursor);
    assert.equal(requestsOf(fake), [
      '/im/v1/chats',
      '/im/v1/chats',
      '/im/v1/messages',
      '/wiki/v2/spaces',
      `/wiki/v2/spaces/${space}/nodes`,
      `/wiki/v2/spaces/${space}/nodes`,
    ]);
  }));

test('lists all levels of a wiki, over pages', () =>
  withFeishu(async ({ fake: { world }, connector }) => {
    world.pageSize = 1;
    const { id: space } = world.addSpace('Handbook');
    const parent = world.addPage({ title: 'Parent', content: 'parent text', space });
    const child = world.addPage({ title: 'Child', space, parent: parent.token });
    const leaf = world.addPage({
      title: 'Le/af',
      content: 'leaf text',
      space,
      parent: child.token,
    });
    world.addPage({ title: 'Other', space });
    world.addPage({ title: 'Numbers', type: 'sheet', space });
    world.addPage({ title: 'Shortcut', isShortcut: true, space });
    const entries = await entriesOf(connector);
    assert.is(entries.size, 6);
    const path = `wiki/Handbook/Le∕af~${leaf.token}.txt`;
    const { fields, url, title, modifiedAt } = entries.get(path) ?? {};
    assert.equal([fields, title], [{ parent: child.token }, 'Le/af']);
    assert.is(url, `https://acme.feishu.cn/wiki/${leaf.token}`);
    assert.is(modifiedAt, leaf.editedAt);
    assert.is(await textAt(connector, path), 'leaf text');
    const skips = [...entries.values()].flatMap(({ skip }) => skip ?? []);
    assert.equal(skips.toSorted(), [
      'A shortcut. Its target is indexed at its own place.',
      'Feishu returns no text of a sheet.',
    ]);
  }));

test('continues a wiki after a pause without requesting a level twice', () =>
  withFeishu(async ({ fake, connector }) => {
    const { world } = fake;
    world.pageSize = 1;
    const { id: space } = world.addSpace('Handbook');
    let parent = '';
    for (let level = 0; level < 4; level++)
      parent = world.addPage({ title: `Level ${level}`, space, parent }).token;
    fake.service.addFault({
      matches: ({ path }) => path.endsWith('/nodes'),
      after: 2,
      apply: () => ({ status: 500, json: { code: 99991500, msg: 'busy' } }),
    });
    let resume: unknown;
    const seen = new Set<string>();
    const run = async (): Promise<void> => {
      for await (const item of connector.list({ signal: neverAborted(), resume }))
        if ('checkpoint' in item) resume = structuredClone(item.checkpoint);
        else seen.add(item.path);
    };
    assert.is((await rejection(run)).retryable, true);
    await run();
    assert.is(seen.size, 4);
    const levels = fake.service.exchanges
      .filter(({ request, status }) => request.path.endsWith('/nodes') && status === 200)
      .map(({ request }) => request.query.get('parent_node_token'));
    assert.is(new Set(levels).size, levels.length);
  }));

const links: readonly [title: string, targetOf: (fake: FakeFeishu) => string, paths: number][] = [
  ['a page of a wiki', ({ world }) => `wiki/${pageIn(world)}`, 1],
  ['a document', ({ world }) => `docx/${world.page(pageIn(world)).objToken}`, 1],
  ['a folder with its folders', ({ world }) => `drive/folder/${folderIn(world)}`, 2],
];

function pageIn(world: FakeFeishu['world']): string {
  const { id: space } = world.addSpace('Handbook');
  const page = world.addPage({ title: 'Page', content: 'the text', space });
  world.addPage({ title: 'Below', space, parent: page.token });
  return page.token;
}

function folderIn(world: FakeFeishu['world']): string {
  const folder = world.addPage({ title: 'Folder', type: 'folder' });
  const inner = world.addPage({ title: 'Inner', type: 'folder', parent: folder.token });
  world.addPage({ title: 'Page', content: 'the text', parent: inner.token });
  return folder.token;
}

for (const [title, targetOf, count] of links)
  test(`indexes ${title} by its link`, () =>
    withFeishu(
      async ({ fake, connector }) => {
        const found = await health({ connector });
        assert.match(found, /^true Connected to /, found);
        const entries = await entriesOf(connector);
        assert.is(entries.size, count);
        const [path = ''] = [...entries.keys()].filter((each) => each.startsWith('Page~'));
        assert.is(await textAt(connector, path), 'the text');
        fake.world.scopes.clear();
        assert.match(await health({ connector }), /^false .*scopes is required/);
      },
      {},
      (fake) => `feishu://acme.feishu.cn/${targetOf(fake)}`,
    ));

test('names a linked document that the app may not read', () =>
  withFeishu(
    async ({ connector }) => {
      assert.match(await health({ connector }), /^false The app may not read this document/);
    },
    {},
    () => 'feishu://acme.feishu.cn/docx/dox99',
  ));

test('names a missing permission, also of the second part', () =>
  withFeishu(async ({ fake: { world }, connector }) => {
    assert.is(await health({ connector }), 'true Connected as the app cli_1.');
    world.scopes.delete('wiki:wiki');
    assert.match(await health({ connector }), /^false The app lacks a permission: .*wiki:wiki/);
    world.scopes.delete('im:chat');
    assert.match(await health({ connector }), /^false .*im:chat/);
  }));

test('indexes only the wikis if configured', () =>
  withFeishu(
    async ({ fake, connector }) => {
      fake.world.addChat('General');
      fake.world.scopes.delete('im:chat');
      pageIn(fake.world);
      assert.is((await entriesOf(connector)).size, 2);
    },
    { include: ['wiki'] },
  ));

test.run();
