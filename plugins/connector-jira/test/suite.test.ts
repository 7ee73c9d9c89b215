import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { startFakeJira, type FakeJira } from './fake.js';
import type { Issue } from './fake/world.js';
import { configOf } from './support.js';

const test = suite('jira connector, conformance');
const text = 'first line\nsecond line\nthird line\n';

function messagesOf({ world, service }: FakeJira, issue: Issue): SourceRecord[] {
  const { key, project } = issue;
  const url = `${service.origin}/browse/${key}`;
  const iso = (time: number): string => new Date(time).toISOString();
  const version = (time: number): string => iso(time + 3_600_000).replace('Z', '+0100');
  return [
    {
      key: { stream: 'issues', issue: key, id: String(issue.id) },
      fields: {},
      title: `${key} ${issue.summary}`,
      text: typeof issue.description === 'string' ? issue.description : issue.summary,
      at: issue.createdAt,
      author: 'Ann Archer',
      url,
      version: version(issue.updatedAt),
      thread: key,
      threadFields: {
        issue: key,
        project,
        type: 'Task',
        status: 'To Do',
        status_category: 'To Do',
        priority: 'Medium',
        reporter: 'Ann Archer',
        labels: [],
        components: [],
        fix_versions: [],
        created: iso(issue.createdAt),
        updated: iso(issue.updatedAt),
      },
      attachments: world
        .attachmentsOf(issue.id)
        .map(({ id, filename }) => `${project}/attachments/${key}/${id}-${filename}`),
    },
    ...world.commentsOf(issue.id).map((comment) => ({
      key: { stream: 'comments', issue: key, id: String(comment.id) },
      fields: {},
      text: String(comment.body),
      at: comment.createdAt,
      author: 'Bob Baker',
      url: `${url}?focusedCommentId=${comment.id}`,
      version: version(comment.updatedAt),
      thread: key,
    })),
  ];
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using fake = await startFakeJira();
  const { world } = fake;
  world.addProject('OPS', 'Operations');
  for (const project of ['TRV', 'OPS'])
    for (const summary of ['Crash 100% #1', 'Idea ✨', 'Idea?'])
      world.create({ summary, description: `About ${summary}` }, project);
  world.comment('TRV-1', 'Me too');
  world.comment('OPS-1', 'Two');
  world.addProject('DOC', 'Documents');
  world.create({ summary: 'File' }, 'DOC');
  const { id } = world.attach('DOC-1', '#1 100% ✨.txt', text);
  world.advance(3_600_000);
  await work(subjectOf(fake, `DOC/attachments/DOC-1/${id}-#1 100% ✨.txt`));
}

function subjectOf(fake: FakeJira, attachment: string): ConnectorSubject {
  const { world } = fake;
  const config = configOf(fake);
  const secret = `secret-${randomUUID()}`;
  const ofProject = (project: string): SourceRecord[] => {
    const issues = [...world.issues.values()].filter((issue) => issue.project === project);
    const all = issues.map((issue) => messagesOf(fake, issue));
    return [...all.flatMap(([issue]) => issue ?? []), ...all.flatMap(([, ...replies]) => replies)];
  };
  return {
    plugin,
    target: 'jira://acme',
    config,
    refused: [{ ...config, emial: 'a' }, { ...config, base_url: 'nowhere' }, { projects: 'TRV' }],
    http: connectorHttp(),
    objects: [
      { path: 'TRV/issues', records: ofProject('TRV') },
      { path: 'OPS/issues', records: ofProject('OPS') },
      { path: 'DOC/issues', records: ofProject('DOC') },
      { path: attachment, bytes: Buffer.from(text) },
    ],
    absent: 'NONE/issues',
    change: async (path) => {
      if (path === attachment) world.rewrite('DOC-1');
      else world.edit('TRV-1', { description: 'Something else' });
    },
    remove: async (path) => world.removeProject(path.slice(0, path.indexOf('/'))),
    checkpoints: true,
    addReply: async (path) => {
      world.comment(`${path.slice(0, path.indexOf('/'))}-1`, 'A reply');
    },
    changeRecords: async (path) => {
      const project = path.slice(0, path.indexOf('/'));
      const [first] = world.commentsOf(world.issue(`${project}-1`).id);
      world.create({ summary: 'New' }, project);
      world.edit(`${project}-2`, { description: 'Something else' });
      world.removeComment(first?.id ?? 0);
    },
    replaceCredential: async () => {
      world.tokens.clear();
      world.tokens.add('new');
      return { api_token: 'new' };
    },
    unreachable: { config: { ...config, api_token: secret } },
    secret,
  };
}

await testConformance(test, withSubject, [
  'browse',
  'stat',
  'grep',
  'watch',
  'since',
  'paths',
  'coupled',
  'keysOnly',
  'expireCursors',
  'expireAccess',
  'emptyTarget',
  'moveFolder',
]);

test.run();
