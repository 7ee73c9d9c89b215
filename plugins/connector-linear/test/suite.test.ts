// test-timeout: 300
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeLinear, type FakeLinear } from './fake.js';
import { setAge, settingsFor, target } from './source.js';

const test = suite('Linear connector, conformance');

const text = 'First line\nsecond line with a word\nthird line\n';

function subjectOn(fake: FakeLinear): ConnectorSubject {
  const { world } = fake;
  setAge(fake, 24 * 60);
  const documents = ['Plan #1 100% 😀', 'Café'].map((title) =>
    world.createDocument(title, `${title}\n${text}`),
  );
  const pathOf = ({ title, slugId }: (typeof documents)[number]): string =>
    `documents/${title} ${slugId}.md`;
  const idOf = (path: string): string =>
    documents.find((document) => pathOf(document) === path)?.id ?? '';
  const config = settingsFor(fake);
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects: [
      ...documents.map((document) => ({
        path: pathOf(document),
        bytes: Buffer.from(document.content ?? ''),
      })),
      { path: 'issues', records: fillIssues(fake) },
      { path: 'projects', records: fillProjects(fake) },
    ],
    absent: 'documents/None.md',
    change: (path) => {
      setAge(fake, 5);
      return Promise.resolve(world.edit(world.documents, idOf(path), { content: text.repeat(3) }));
    },
    remove: (path) => {
      setAge(fake, 5);
      return Promise.resolve(world.trash(world.documents, idOf(path)));
    },
    changeRecords: (path) => {
      setAge(fake, 5);
      if (path === 'issues') changeIssues(fake);
      else changeProjects(fake);
      return Promise.resolve();
    },
    addReply: () => {
      setAge(fake, 5);
      const [issue] = world.issues.values();
      const [project] = world.projects.values();
      world.comment({ issue: issue?.id ?? '' }, 'A late reply');
      world.comment({ project: project?.id ?? '' }, 'A late reply');
      return Promise.resolve();
    },
    checkpoints: true,
    replaceCredential: () => {
      world.tokens.clear();
      world.tokens.add('lin_api_2');
      return Promise.resolve({ token: 'lin_api_2' });
    },
    refused: [{}, { token: 'x', base_url: 'api.linear.app' }, { token: 7 }],
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

function fillIssues({ world }: FakeLinear): readonly SourceRecord[] {
  const issue = world.createIssue({ title: 'It crashes 💥', description: text });
  const comment = world.comment({ issue: issue.id }, 'Me too');
  const at = world.now;
  const version = new Date(at).toISOString();
  return [
    {
      key: { stream: 'issues', id: issue.id },
      fields: { type: 'issue' },
      title: 'ENG-1 It crashes 💥',
      text,
      at,
      version,
      author: 'ann',
      url: 'https://linear.app/acme/issue/ENG-1',
      thread: issue.id,
      threadFields: {
        identifier: 'ENG-1',
        previous_identifiers: [],
        team: 'ENG',
        state: 'Todo',
        state_type: 'unstarted',
        priority: 'No priority',
        labels: [],
        archived: false,
      },
    },
    {
      key: { stream: 'comments', id: comment.id },
      fields: { type: 'comment' },
      text: 'Me too',
      at,
      version,
      author: 'bob',
      url: `https://linear.app/acme/comment/${comment.id}`,
      thread: issue.id,
    },
  ];
}

function fillProjects({ world }: FakeLinear): readonly SourceRecord[] {
  const project = world.createProject('Rocket', { description: 'To the moon', lead: 'bob' });
  const update = world.postUpdate(project.id, 'The tank is full');
  const comment = world.comment({ projectUpdate: update.id }, 'With what?');
  const at = world.now;
  const version = new Date(at).toISOString();
  const thread = project.id;
  const root = 'https://linear.app/acme';
  return [
    {
      key: { stream: 'projects', id: project.id },
      fields: { type: 'project' },
      title: 'Rocket',
      text: 'To the moon',
      at,
      version,
      author: 'ann',
      url: `${root}/project/${project.id}`,
      thread,
      threadFields: {
        project: 'Rocket',
        state: 'In Progress',
        health: 'onTrack',
        priority: 'High',
        lead: 'bob',
        target_date: '2026-12-24',
        archived: false,
      },
    },
    {
      key: { stream: 'project_updates', id: update.id },
      fields: { type: 'update', health: 'onTrack' },
      text: 'The tank is full',
      at,
      version,
      author: 'ann',
      url: `${root}/update/${update.id}`,
      thread,
    },
    {
      key: { stream: 'project_comments', id: comment.id },
      fields: { type: 'comment' },
      text: 'With what?',
      at,
      version,
      author: 'bob',
      url: `${root}/comment/${comment.id}`,
      thread,
    },
  ];
}

function changeIssues({ world }: FakeLinear): void {
  const [issue] = world.issues.values();
  const [comment] = world.comments.values();
  world.edit(world.comments, comment?.id ?? '', { body: 'Me too, often' });
  world.trash(world.issues, issue?.id ?? '');
  const added = world.createIssue({ title: 'Another' });
  world.comment({ issue: added.id }, 'Right');
}

function changeProjects({ world }: FakeLinear): void {
  const [project] = world.projects.values();
  world.edit(world.projects, project?.id ?? '', { description: 'To Mars' });
  world.postUpdate(project?.id ?? '', 'We have lifted off');
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeLinear();
    await work(subjectOn(fake));
  },
  [
    'browse',
    'coupled',
    'emptyTarget',
    'expireAccess',
    'expireCursors',
    'grep',
    'moveFolder',
    'paths',
    'since',
    'stat',
    'watch',
  ],
);

test.run();
