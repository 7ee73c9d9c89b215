// test-timeout: 300
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeNotion, type FakeNotion } from './fake.js';
import { setAge, settingsFor, shortId, target } from './source.js';

const test = suite('Notion connector, conformance');

const text = 'First line\nsecond line with a word\nthird line\n';

function subjectOn(fake: FakeNotion): ConnectorSubject {
  const { world } = fake;
  setAge(fake, 24 * 60);
  const pages = ['Plan #1 100% 😀', 'Café'].map((title) =>
    world.createPage({ title, markdown: `${title}\n${text}` }),
  );
  const idOf = (path: string): string =>
    pages.find(({ title, id }) => pathOf(title, id) === path)?.id ?? '';
  const config = settingsFor(fake);
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects: [
      ...pages.map(({ id, title, markdown }) => ({
        path: pathOf(title, id),
        bytes: Buffer.from(markdown),
      })),
      ...tableObjects(fake),
      { path: 'comments', records: commentsOn(fake, pages[0]?.id ?? '') },
    ],
    absent: 'pages/None.md',
    change: (path) => {
      setAge(fake, 5);
      return Promise.resolve(world.editPage(idOf(path), { markdown: text.repeat(3) }));
    },
    remove: (path) => {
      setAge(fake, 5);
      return Promise.resolve(world.trash(idOf(path)));
    },
    changeRecords: (path) => {
      setAge(fake, 5);
      if (path === 'comments') changeComments(fake, pages[0]?.id ?? '');
      else changeRows(fake);
      return Promise.resolve();
    },
    checkpoints: true,
    replaceCredential: () => {
      world.tokens.clear();
      world.tokens.add('token-2');
      return Promise.resolve({ token: 'token-2' });
    },
    refused: [{}, { token: 'x', base_url: 'api.notion.com' }, { token: 'x', row_pages: 'yes' }],
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

function pathOf(title: string, id: string): string {
  return `pages/${title} ${shortId(id)}.md`;
}

/** A database with three rows, and the pages of these. */
function tableObjects({ world }: FakeNotion): ConnectorSubject['objects'] {
  const tasks = world.createDataSource('Tasks');
  const folder = `databases/Tasks ${shortId(tasks.id)}`;
  const rows = ['One', 'Two', 'Three'].map((title) =>
    world.createRow(tasks, {
      title,
      markdown: `${title}\n${text}`,
      properties: { Status: { type: 'status', value: `Open ${title}` } },
    }),
  );
  return [
    ...rows.map(({ id, title, markdown }) => ({
      path: `${folder}/${title} ${shortId(id)}.md`,
      bytes: Buffer.from(markdown),
    })),
    {
      path: `${folder}/rows`,
      records: rows.map(({ id, title }): SourceRecord => ({
        key: { id },
        fields: { Status: `Open ${title}` },
        title,
        at: minute(world.now),
        author: 'Ann',
        url: `https://app.notion.com/p/${title}-${shortId(id)}`,
      })),
    },
  ];
}

function commentsOn({ world }: FakeNotion, pageId: string): readonly SourceRecord[] {
  const { title } = world.page(pageId);
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  return ['Why though?', 'Because', 'Fine'].map((words_) => {
    const { id } = world.comment(pageId, words_);
    return {
      key: { id },
      fields: {},
      title,
      text: words_,
      at: minute(world.now),
      author: 'Ann',
      url: `https://app.notion.com/p/${words.map((word) => `${word}-`).join('')}${shortId(pageId)}`,
      thread: pageId,
      threadFields: { page: title },
    };
  });
}

/** The service shows changed comments only with their page. */
function changeComments({ world }: FakeNotion, pageId: string): void {
  const [first, second] = [...world.comments.values()];
  if (first === undefined || second === undefined) throw new Error('There are no comments.');
  world.comments.set(first.id, { ...first, text: 'Why indeed?', editedAt: world.now });
  world.comments.delete(second.id);
  world.comment(pageId, 'Later');
  world.editPage(pageId, {});
}

function changeRows({ world }: FakeNotion): void {
  const [source] = world.dataSources.values();
  const rows = [...world.pages.values()].filter(({ parent }) => parent.type === 'data_source_id');
  const [first, second] = rows;
  if (source === undefined || first === undefined || second === undefined)
    throw new Error('There are no rows.');
  world.editPage(first.id, { properties: { Status: { type: 'status', value: 'Closed' } } });
  world.trash(second.id);
  world.createRow(source, { title: 'Four' });
}

function minute(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000;
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeNotion();
    await work(subjectOn(fake));
  },
  [
    // A comment does not change its page, so only a full sync finds it.
    'addReply',
    'browse',
    'coupled',
    'emptyTarget',
    'expireAccess',
    'expireCursors',
    'grep',
    'keysOnly',
    'moveFolder',
    'paths',
    'since',
    'stat',
    'watch',
  ],
);

test.run();
