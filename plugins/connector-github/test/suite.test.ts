// test-timeout: 300
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { nodeId } from './fake/graphql.js';
import { startFakeGithub, type FakeGithub } from './fake.js';
import { settingsFor, target } from './source.js';

const test = suite('GitHub connector, conformance');

const html = 'https://github.com/acme/rocket';
const notes = 'First line\nsecond line with a word\nthird line\n';

function subjectOn(fake: FakeGithub): ConnectorSubject {
  const { world } = fake;
  const releases = ['v1.0', 'odd/#1 %20 😀'].map((tag) => world.release(tag, `${tag}\n${notes}`));
  const idOf = (path: string): number =>
    releases.find(({ tag }) => pathOf(tag) === path)?.id ?? Number.NaN;
  const config = settingsFor(fake);
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects: [
      ...releases.map(({ tag, body }) => ({ path: pathOf(tag), bytes: Buffer.from(body) })),
      { path: 'issues', records: fill(fake) },
      { path: 'discussions', records: fillDiscussions(fake) },
    ],
    absent: 'releases/none.md',
    checkpoints: true,
    change: (path) => Promise.resolve(world.editRelease(idOf(path), `Changed\n${notes.repeat(3)}`)),
    remove: (path) => Promise.resolve(world.removeRelease(idOf(path))),
    // The service reports no deletions.
    changeRecords: () => {
      world.edit(1, { title: 'Renamed' });
      world.comment(2, { body: 'A new comment' });
      return Promise.resolve();
    },
    replaceCredential: () => {
      world.tokens.clear();
      world.tokens.add('token-2');
      return Promise.resolve({ token: 'token-2' });
    },
    refused: [{ base_url: 'api.github.com' }, { reviews: 'yes' }, { repository: 'rocket' }],
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

function pathOf(tag: string): string {
  return `releases/${tag.replaceAll('/', '∕')}.md`;
}

/** Creates two threads. Returns their messages as records. */
function fill({ world }: FakeGithub): readonly SourceRecord[] {
  const issue = world.createIssue({
    title: 'It crashes 💥',
    body: 'On startup, always.',
    labels: ['bug', 'needs triage'],
    assignees: ['bob'],
    milestone: '1.0',
  });
  const pull = world.createPull({ title: 'Fix the crash' });
  const comment = world.comment(issue.number, { body: 'Me too' });
  const lineComment = world.commentLine(pull.number, 'src/start.ts', { body: 'Why here?' });
  world.merge(pull.number);
  const at = world.now;
  return [
    {
      key: { stream: 'issues', id: issue.number },
      fields: { type: 'issue' },
      title: issue.title,
      text: 'On startup, always.',
      at,
      author: 'ann',
      url: `${html}/issues/1`,
      thread: '1',
      threadFields: {
        number: 1,
        state: 'open',
        labels: ['bug', 'needs triage'],
        assignees: ['bob'],
        milestone: '1.0',
      },
    },
    {
      key: { stream: 'issues', id: pull.number },
      fields: { type: 'pull_request' },
      title: pull.title,
      text: 'Fix the crash',
      at,
      author: 'ann',
      url: `${html}/pull/2`,
      thread: '2',
      threadFields: { number: 2, state: 'merged', labels: [], assignees: [] },
    },
    {
      key: { stream: 'comments', id: comment.id },
      fields: { type: 'comment' },
      text: 'Me too',
      at,
      author: 'bob',
      url: `${html}/issues/1#issuecomment-${comment.id}`,
      thread: '1',
    },
    {
      key: { stream: 'line_comments', id: lineComment.id },
      fields: { type: 'line_comment', file: 'src/start.ts', line: 2 },
      text: 'Why here?',
      at,
      author: 'bob',
      url: `${html}/pull/2#discussion_r${lineComment.id}`,
      thread: '2',
    },
  ];
}

/** Creates a thread. Returns its messages as records. */
function fillDiscussions({ world }: FakeGithub): readonly SourceRecord[] {
  const { discussions, now: at } = world;
  const { number, title, body } = discussions.create('Where is the manual? 📖', 'I found none.');
  const comment = discussions.comment(number, 'In the folder docs');
  const thread = String(number);
  const url = `${html}/discussions/${number}`;
  return [
    {
      key: { stream: 'discussions', id: number },
      fields: { type: 'discussion' },
      title,
      text: body,
      at,
      author: 'ann',
      url,
      thread,
      threadFields: {
        number,
        state: 'open',
        category: 'Q&A',
        labels: ['help'],
        answered: false,
      },
    },
    {
      key: { stream: 'discussion_comments', id: nodeId(comment) },
      fields: { type: 'comment' },
      text: 'In the folder docs',
      at,
      author: 'bob',
      url: `${url}#discussioncomment-${comment.id}`,
      thread,
    },
  ];
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeGithub();
    await work(subjectOn(fake));
  },
  [
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
