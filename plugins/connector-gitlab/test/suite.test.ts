// test-timeout: 300
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeGitlab, type FakeGitlab } from './fake.js';
import { settingsFor, target } from './source.js';

const test = suite('GitLab connector, conformance');

const notes = 'First line\nsecond line with a word\nthird line\n';

function subjectOn(fake: FakeGitlab): ConnectorSubject {
  const { world } = fake;
  const releases = ['v1.0', 'odd/#1 %20 😀'].map((tag) => world.release(tag, `${tag}\n${notes}`));
  const tagOf = (path: string): string =>
    releases.find(({ tag }) => pathOf(tag) === path)?.tag ?? 'none';
  const config = settingsFor(fake);
  const secret = 'not-the-secret-of-anybody';
  const { issues, requests } = fill(fake);
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects: [
      ...releases.map(({ tag, description }) => ({
        path: pathOf(tag),
        bytes: Buffer.from(description),
      })),
      { path: 'issues', records: issues },
      { path: 'merge_requests', records: requests },
    ],
    absent: 'releases/none.md',
    checkpoints: true,
    change: (path) =>
      Promise.resolve(world.editRelease(tagOf(path), `Changed\n${notes.repeat(3)}`)),
    remove: (path) => Promise.resolve(world.removeRelease(tagOf(path))),
    // The service reports no deletions.
    changeRecords: (path) => {
      const kind = path === 'issues' ? 'issue' : 'merge_request';
      world.edit(kind, 1, { title: 'Renamed' });
      world.note(kind, 1, 'A new note');
      return Promise.resolve();
    },
    replaceCredential: () => {
      world.tokens.clear();
      world.tokens.add('token-2');
      return Promise.resolve({ token: 'token-2' });
    },
    refused: [{ base_url: 'gitlab.example.com' }, { token: '' }, { project: 'rocket' }],
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

function pathOf(tag: string): string {
  return `releases/${tag.replaceAll('/', '∕')}.md`;
}

/** Creates a thread of each kind, and returns their messages as records. */
function fill({ world }: FakeGitlab): Record<'issues' | 'requests', readonly SourceRecord[]> {
  const issue = world.create('issue', {
    title: 'It crashes 💥',
    description: 'On startup, always.',
    labels: ['bug', 'needs triage'],
    assignees: ['bob'],
    milestone: '1.0',
  });
  const request = world.create('merge_request', { title: 'Fix the crash' });
  const note = world.note('issue', 1, 'Me too');
  world.note('issue', 1, 'changed the description', { system: true });
  const lineNote = world.note('merge_request', 1, 'Why here?', { file: 'src/start.ts' });
  world.merge(1);
  const at = world.now;
  const thread = '1';
  const html = `${world.html}/acme/tools/rocket/-`;
  return {
    issues: [
      {
        key: { stream: 'issues', iid: 1, id: issue.id },
        fields: { type: 'issue' },
        title: issue.title,
        text: 'On startup, always.',
        at,
        author: 'Ann',
        url: `${html}/issues/1`,
        thread,
        threadFields: {
          number: 1,
          state: 'opened',
          labels: ['bug', 'needs triage'],
          assignees: ['bob'],
          milestone: '1.0',
        },
      },
      {
        key: { stream: 'issues_notes', iid: 1, id: note.id },
        fields: { type: 'comment' },
        text: 'Me too',
        at,
        author: 'Bob',
        url: `${html}/issues/1#note_${note.id}`,
        thread,
      },
    ],
    requests: [
      {
        key: { stream: 'merge_requests', iid: 1, id: request.id },
        fields: { type: 'merge_request' },
        title: request.title,
        text: 'Fix the crash',
        at,
        author: 'Ann',
        url: `${html}/merge_requests/1`,
        thread,
        threadFields: { number: 1, state: 'merged', labels: [], assignees: [] },
      },
      {
        key: { stream: 'merge_requests_notes', iid: 1, id: lineNote.id },
        fields: { type: 'line_comment', file: 'src/start.ts', line: 2 },
        text: 'Why here?',
        at,
        author: 'Bob',
        url: `${html}/merge_requests/1#note_${lineNote.id}`,
        thread,
      },
    ],
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeGitlab();
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
