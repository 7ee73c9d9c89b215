import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { startFakeAsana, type FakeAsana } from './fake.js';
import { timeForm } from './fake/forms.js';
import { configOf, hourMs } from './support.js';

const test = suite('asana connector, conformance');

/** The tasks, then the comments of each. */
function tasksOf({ world }: FakeAsana): SourceRecord[] {
  const urlOf = (task: string): string => `https://app.asana.com/1/1001/task/${task}`;
  const tasks = [...world.tasks.values()].map((task): SourceRecord => ({
    key: { stream: 'tasks', gid: task.gid },
    fields: {},
    title: task.name,
    text: task.notes,
    at: task.createdAt,
    author: 'Ada Archer',
    url: urlOf(task.gid),
    thread: task.gid,
    threadFields: {
      task: task.gid,
      type: 'default_task',
      completed: false,
      due_on: '2026-12-24',
      projects: ['Website'],
      sections: ['To do'],
      tags: [...task.tags],
    },
  }));
  const comments = [...world.stories.values()]
    .filter(({ type }) => type === 'comment')
    .map(({ gid, task, text, createdAt }): SourceRecord => ({
      key: { stream: 'comments', gid },
      fields: {},
      text,
      at: createdAt,
      author: 'Bob Baker',
      url: `${urlOf(task)}/comment/${gid}`,
      thread: task,
    }));
  return [...tasks, ...comments];
}

function projectsOf({ world }: FakeAsana): SourceRecord[] {
  return [...world.projects.values()].map(({ gid, name, notes, createdAt }) => ({
    key: { gid },
    fields: { name, archived: false, team: 'Product', status_update: world.updatesOf(gid)[0]?.gid },
    title: name,
    text: notes,
    at: createdAt,
    author: 'Ada Archer',
    url: `https://app.asana.com/1/1001/project/${gid}`,
  }));
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using fake = await startFakeAsana();
  const { world } = fake;
  world.now -= hourMs;
  const { gid } = world.addProject('Website', { notes: 'first line\nsecond line\nthird line' });
  for (const name of ['Crash 100% #1', 'Idea ✨', 'Idea?']) {
    const task = world.addTask({ name, notes: `About ${name}`, projects: [gid] });
    world.comment(task.gid, `A comment on ${name}`);
  }
  world.addUpdate(gid, 'Week 1', 'All is well.');
  world.now += hourMs;
  await work(subjectOf(fake));
}

function subjectOf(fake: FakeAsana): ConnectorSubject {
  const { world } = fake;
  const config = configOf(fake);
  const secret = `secret-${randomUUID()}`;
  const taskAt = (at: number): string => [...world.tasks.keys()][at] ?? '';
  const updates = [...world.updates.values()].map((update) => ({
    key: { gid: update.gid },
    fields: { project: 'Website', status: update.status },
    title: update.title,
    text: update.text,
    at: Date.parse(timeForm(update.createdAt)),
    author: 'Ada Archer',
  }));
  return {
    plugin,
    target: 'asana://1001',
    config,
    refused: [
      { ...config, tokn: 'a' },
      { ...config, workspace: 'Acme' },
      { ...config, projects: 'Website' },
    ],
    http: connectorHttp(),
    objects: [
      { path: 'projects', records: projectsOf(fake) },
      { path: 'status-updates', records: updates },
      { path: 'tasks', records: tasksOf(fake) },
    ],
    absent: 'nothing',
    checkpoints: true,
    addReply: async () => void world.comment(taskAt(0), 'A reply'),
    changeRecords: async (path) => {
      const [project = ''] = world.projects.keys();
      if (path === 'projects') world.addProject('New');
      else world.addUpdate(project, 'Week 2', 'All is still well.');
      world.addTask({ name: 'New', projects: [project] });
      world.editTask(taskAt(1), { tags: ['news'] });
      world.deleteTask(taskAt(2));
    },
    replaceCredential: async () => {
      world.tokens.clear();
      world.tokens.add('new');
      return { token: 'new' };
    },
    unreachable: { config: { ...config, token: secret } },
    secret,
  };
}

await testConformance(test, withSubject, [
  'browse',
  'stat',
  'read',
  'grep',
  'watch',
  'since',
  'paths',
  'change',
  'remove',
  'expireCursors',
  'expireAccess',
  'emptyTarget',
  'moveFolder',
]);

test.run();
