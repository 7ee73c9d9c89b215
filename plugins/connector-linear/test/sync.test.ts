import type { SourceRecord } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { SyncedSource } from '@trove/test-support/synced-source.js';
import type { FakeLinear } from './fake.js';
import { queriesOf, setAge } from './source.js';
import { threadAt, withLinear } from './with-linear.js';

const test = suite('Linear connector, syncs');

function textsOf(source: SyncedSource, path: string): string[] {
  return sorted(source.recordsOf(path));
}

/** Returns the texts of records in alphabetical order. */
function sorted(records: readonly SourceRecord[]): string[] {
  return records.map(({ text = '' }) => text).toSorted();
}

function byText(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}

function recordOf(source: SyncedSource, path: string, id: string): SourceRecord | undefined {
  return source.recordsOf(path).find(({ key }) => key['id'] === id);
}

/** Sets the clock of the workspace to a minute ago. */
function now(fake: FakeLinear): void {
  setAge(fake, 1);
}

test('reads issues with their comments as threads', () =>
  withLinear(async ({ fake: { world }, connector }) => {
    const bug = world.addLabel('bug');
    const project = world.createProject('Rocket');
    const parent = world.createIssue({ title: 'Launch' });
    const issue = world.createIssue({
      title: 'It crashes',
      description: 'On startup, always.',
      labelIds: [bug],
      assignee: 'bob',
      project: project.id,
      parent: parent.id,
      dueDate: '2026-12-01',
      estimate: 3,
    });
    const first = world.comment({ issue: issue.id, quotedText: 'always' }, 'Also on Tuesdays?');
    world.comment({ issue: issue.id, parent: first.id, user: null }, 'Yes');
    const source = new SyncedSource(connector);
    await source.sync();
    const found = recordOf(source, 'issues', issue.id);
    assert.is(found?.title, 'ENG-2 It crashes');
    assert.is(found?.text, 'On startup, always.');
    assert.is(found?.author, 'ann');
    assert.is(found?.url, 'https://linear.app/acme/issue/ENG-2');
    assert.is(found?.at, world.now);
    assert.equal(found?.threadFields, {
      identifier: 'ENG-2',
      previous_identifiers: [],
      team: 'ENG',
      state: 'Todo',
      state_type: 'unstarted',
      priority: 'No priority',
      labels: ['bug'],
      assignee: 'bob',
      project: 'Rocket',
      parent: 'ENG-1',
      estimate: 3,
      due_date: '2026-12-01',
      archived: false,
    });
    assert.is(recordOf(source, 'issues', parent.id)?.text, 'Launch');
    const thread = source.recordsOf('issues').filter((record) => record.thread === issue.id);
    const facts = thread.map(({ text, author, fields }) => [text, author, fields]);
    assert.equal(facts.toSorted(byText), [
      ['> always\n\nAlso on Tuesdays?', 'bob', { type: 'comment' }],
      ['On startup, always.', 'ann', { type: 'issue' }],
      ['Yes', 'Eve of Slack', { type: 'reply' }],
    ]);
  }));

test('reads a project with its updates and all comments as one thread', () =>
  withLinear(async ({ fake: { world }, connector }) => {
    const project = world.createProject('Rocket', {
      description: 'To the moon',
      content: '# Plan',
    });
    const update = world.postUpdate(project.id, 'The tank is full');
    world.comment({ project: project.id }, 'Which moon?');
    world.comment({ projectUpdate: update.id }, 'With what?');
    world.comment({ issue: world.createIssue().id }, 'On an issue');
    const source = new SyncedSource(connector);
    await source.sync();
    assert.equal(textsOf(source, 'projects'), [
      'The tank is full',
      'To the moon\n\n# Plan',
      'Which moon?',
      'With what?',
    ]);
    assert.equal(
      new Set(source.recordsOf('projects').map(({ thread }) => thread)),
      new Set([project.id]),
    );
    const fields = recordOf(source, 'projects', project.id)?.threadFields;
    assert.is(fields?.['state'], 'In Progress');
    assert.is(fields?.['target_date'], '2026-12-24');
    assert.equal(
      sorted(await threadAt(connector, 'projects', project.id)),
      textsOf(source, 'projects'),
    );
  }));

test('requests each page of a first sync once, and seven pages when nothing has changed', () =>
  withLinear(async ({ fake, connector }) => {
    const { world, service } = fake;
    const labels = ['bug', 'chore'].map((name) => world.addLabel(name));
    const issues = Array.from({ length: 250 }, () => world.createIssue({ labelIds: labels }));
    for (let index = 0; index < 120; index++)
      world.comment({ issue: issues[index]?.id ?? '' }, `Comment ${index}`);
    for (let index = 0; index < 60; index++) world.createDocument(`Document ${index}`, 'Text');
    now(fake);
    const source = new SyncedSource(connector);
    await source.sync();
    assert.is(source.recordsOf('issues').length, 250 + 120);
    assert.is(source.documents.size, 60);
    const paged = ['comments', 'comments', 'comments', 'documents', 'documents'];
    const others = ['issueLabels', 'issues', 'issues', 'issues', 'projectUpdates', 'projects'];
    assert.equal(queriesOf(fake).toSorted(), [...paged, ...others, 'viewer']);
    service.forget();
    await source.sync();
    const unchanged = ['comments', 'comments', 'documents', 'issues', 'projectUpdates', 'projects'];
    assert.equal(queriesOf(fake).toSorted(), [...unchanged, 'viewer']);
    assert.is(source.recordsOf('issues').length, 250 + 120);
  }));

test('costs a small part of what the service allows for one query', () =>
  withLinear(async ({ fake, connector }) => {
    fake.world.createIssue({ labelIds: [fake.world.addLabel('bug')] });
    fake.world.createDocument('Plan', 'Text');
    await new SyncedSource(connector).sync();
    const costs = fake.service.exchanges.map(({ headers }) => Number(headers['x-complexity']));
    assert.ok(Math.max(...costs) < 1500, `costs: ${costs.join(', ')}`);
  }));

test('finds changed issues, and new and late comments on old ones', () =>
  withLinear(async ({ fake, connector }) => {
    const { world } = fake;
    const [old, other] = [world.createIssue({ title: 'Old' }), world.createIssue()];
    const kept = world.comment({ issue: old.id }, 'First');
    const source = new SyncedSource(connector);
    await source.sync();
    now(fake);
    world.comment({ issue: old.id }, 'A late reply');
    world.edit(world.comments, kept.id, { body: 'First, edited' });
    world.edit(world.issues, other.id, { state: 'Done' });
    world.createIssue({ title: 'New' });
    await source.sync();
    const thread = source.recordsOf('issues').filter(({ thread: id }) => id === old.id);
    assert.equal(sorted(thread), ['A late reply', 'First, edited', 'Old']);
    assert.is(recordOf(source, 'issues', other.id)?.threadFields?.['state'], 'Done');
    assert.ok(textsOf(source, 'issues').includes('New'));
    assert.is(fake.service.exchanges.filter(({ status }) => status >= 400).length, 0);
  }));

test('keeps the thread of an issue that moves to another team', () =>
  withLinear(async ({ fake, connector }) => {
    const { world } = fake;
    const issue = world.createIssue({ title: 'Wanderer' });
    world.comment({ issue: issue.id }, 'Where to?');
    const source = new SyncedSource(connector);
    await source.sync();
    now(fake);
    world.moveIssue(issue.id, 'OPS');
    await source.sync();
    assert.is(source.recordsOf('issues').length, 2);
    const moved = recordOf(source, 'issues', issue.id);
    assert.is(moved?.title, 'OPS-2 Wanderer');
    assert.equal(moved?.threadFields?.['previous_identifiers'], ['ENG-1']);
  }));

test('removes trashed issues at once, and everything else that is gone within a day', () =>
  withLinear(async ({ fake, connector }) => {
    const { world } = fake;
    setAge(fake, 3 * 24 * 60);
    const [trashed, deleted, kept] = ['Trashed', 'Deleted', 'Kept'].map((title) =>
      world.createIssue({ title }),
    );
    for (const issue of [trashed, deleted, kept])
      world.comment({ issue: issue?.id ?? '' }, `On ${issue?.title}`);
    world.edit(world.issues, kept?.id ?? '', { archivedAt: world.now });
    const on = ['On Deleted', 'On Kept', 'On Trashed'];
    setAge(fake, 2 * 24 * 60);
    const source = new SyncedSource(connector);
    await source.sync();
    assert.equal(textsOf(source, 'issues'), ['Deleted', 'Kept', ...on, 'Trashed']);
    world.advance(60_000);
    world.trash(world.issues, trashed?.id ?? '');
    world.deleteIssue(deleted?.id ?? '');
    await source.sync();
    assert.equal(textsOf(source, 'issues'), ['Deleted', 'Kept', ...on]);
    now(fake);
    await source.sync();
    assert.equal(textsOf(source, 'issues'), ['Kept', 'On Kept']);
    assert.is(recordOf(source, 'issues', kept?.id ?? '')?.threadFields?.['archived'], true);
  }));

test('reads documents as Markdown, and follows their changes', () =>
  withLinear(async ({ fake, connector }) => {
    const { world, service } = fake;
    const project = world.createProject('Rocket');
    const plan = world.createDocument('Plan / 2026', '# Plan\n', { project: project.id });
    const other = world.createDocument('Other', '');
    const source = new SyncedSource(connector);
    await source.sync();
    const path = `documents/Plan ∕ 2026 ${plan.slugId}.md`;
    assert.equal([...source.documents].toSorted(byText), [
      [`documents/Other ${other.slugId}.md`, ''],
      [path, '# Plan\n'],
    ]);
    assert.equal(source.entries.get(path)?.fields, { project: 'Rocket' });
    now(fake);
    world.edit(world.documents, plan.id, { content: '# New plan\n' });
    world.trash(world.documents, other.id);
    service.forget();
    await source.sync();
    assert.equal([...source.documents], [[path, '# New plan\n']]);
    assert.is(queriesOf(fake).filter((query) => query.startsWith('document')).length, 1);
  }));

test('reads one thread without the lists', () =>
  withLinear(async ({ fake, connector }) => {
    const { world } = fake;
    const [issue, other] = [world.createIssue({ title: 'This' }), world.createIssue()];
    world.comment({ issue: issue.id }, 'Here');
    world.comment({ issue: other.id }, 'There');
    const texts = (await threadAt(connector, 'issues', issue.id)).map(({ text }) => text);
    assert.equal(texts, ['This', 'Here']);
    assert.equal(queriesOf(fake).toSorted(), ['comments', 'issue', 'viewer']);
    assert.equal(await threadAt(connector, 'issues', 'no-such-issue'), []);
  }));

test.run();
