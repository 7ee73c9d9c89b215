import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { changesSince, neverAborted, recordsAt } from '@trove/test-support/connector-reads.js';
import {
  changedTexts,
  fill,
  hourMs,
  requestsOf,
  taskTexts,
  threadsIn,
  withAsana,
} from './support.js';

const test = suite('asana connector');
const dayMs = 24 * hourMs;

/** Returns a cursor as if its sync had been earlier. */
function aged(cursor: unknown, ms: number): unknown {
  const times = /"(listedAt|tasks|status-updates)":(\d{13})/g;
  return JSON.parse(
    JSON.stringify(cursor).replaceAll(
      times,
      (_, name: string, at: string) => `"${name}":${Number(at) - ms}`,
    ),
  );
}

test('lists one object for tasks, one for projects and one for their updates', () =>
  withAsana(async ({ connector }) => {
    const entries = await collect(connector.list({ signal: neverAborted() }));
    assert.equal(
      entries.map(({ path, kind }) => [path, kind]),
      [
        ['projects', 'record_collection'],
        ['status-updates', 'record_collection'],
        ['tasks', 'message_stream'],
      ],
    );
  }));

test('reads a task with its fields and its comments as one thread', () =>
  withAsana(async ({ world, connector }) => {
    const project = world.addProject('Website');
    const { gid } = world.addTask({
      name: 'Fix the login',
      notes: 'It fails on Mondays.',
      projects: [project.gid],
      assignee: world.bob,
      tags: ['bug'],
      customFields: { Priority: 'High', Customer: null },
    });
    const comment = world.comment(gid, 'Seen on Tuesday, too.');
    assert.equal(await recordsAt(connector, 'tasks'), [
      {
        key: { stream: 'tasks', gid },
        fields: {},
        title: 'Fix the login',
        text: 'It fails on Mondays.',
        at: world.now,
        author: 'Ada Archer',
        url: `https://app.asana.com/1/1001/task/${gid}`,
        thread: gid,
        threadFields: {
          Priority: 'High',
          task: gid,
          type: 'default_task',
          completed: false,
          assignee: 'Bob Baker',
          due_on: '2026-12-24',
          projects: ['Website'],
          sections: ['To do'],
          tags: ['bug'],
        },
      },
      {
        key: { stream: 'comments', gid: comment.gid },
        fields: {},
        text: 'Seen on Tuesday, too.',
        at: world.now,
        author: 'Bob Baker',
        url: `https://app.asana.com/1/1001/task/${gid}/comment/${comment.gid}`,
        thread: gid,
      },
    ]);
  }));

test('reads projects and their status updates', () =>
  withAsana(async ({ world, connector }) => {
    const project = world.addProject('Website', { notes: 'The new site.' });
    world.addProject('Empty');
    world.addUpdate(project.gid, 'Week 1', 'All is well.');
    const projects = await recordsAt(connector, 'projects');
    assert.equal(
      projects.map(({ title, text, fields }) => [title, text, fields['team']]),
      [
        ['Website', 'The new site.', 'Product'],
        ['Empty', 'Empty', 'Product'],
      ],
    );
    const updates = await recordsAt(connector, 'status-updates');
    assert.equal(
      updates.map(({ title, text, author, fields }) => [title, text, author, fields]),
      [['Week 1', 'All is well.', 'Ada Archer', { project: 'Website', status: 'on_track' }]],
    );
  }));

test('reads a task of several projects once', () =>
  withAsana(async (open) => {
    const { world, connector } = open;
    const { tasks } = fill(world, ['One', 'Two']);
    const other = world.addProject('Other');
    const [task] = tasks;
    world.addToProject(task?.gid ?? '', other.gid);
    const records = await recordsAt(connector, 'tasks');
    assert.equal(
      records.map(({ title, threadFields }) => [title, threadFields?.['projects']]),
      [
        ['One', ['Website', 'Other']],
        ['Two', ['Website']],
      ],
    );
    const stories = requestsOf(open).filter((path) => path.endsWith('/stories'));
    assert.is(stories.length, 2);
  }));

test('reads subtasks of any depth as threads of their own', () =>
  withAsana(async ({ world, connector }) => {
    const { project, tasks } = fill(world, ['Task']);
    const inner = world.addTask({ name: 'Subtask', parent: tasks[0]?.gid ?? '' });
    const innermost = world.addTask({ name: 'Inner subtask', parent: inner.gid });
    const outer = tasks[0]?.gid ?? '';
    const listed = world.addTask({ name: 'Listed', parent: outer, projects: [project.gid] });
    world.comment(innermost.gid, 'Deep inside');
    const records = await recordsAt(connector, 'tasks');
    const threads = Object.fromEntries(
      records.map(({ title, text = '', thread }) => [title ?? text, thread]),
    );
    assert.equal(threads, {
      Task: tasks[0]?.gid,
      Subtask: inner.gid,
      'Inner subtask': innermost.gid,
      'Deep inside': innermost.gid,
      Listed: listed.gid,
    });
    assert.is(records.length, 5);
    assert.is(records.find(({ title }) => title === 'Subtask')?.threadFields?.['parent'], 'Task');
  }));

test('requests the projects and their events if nothing changed', () =>
  withAsana(async (open) => {
    const { world, connector, service } = open;
    const { project } = fill(world, ['One', 'Two']);
    const { cursor } = await changesSince(connector, undefined);
    service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes, []);
    assert.equal(requestsOf(open), ['/projects', `/events ${project.gid}`]);
  }));

test('finds a late comment on an old task', () =>
  withAsana(async (open) => {
    const { world, connector, service } = open;
    const { tasks } = fill(world, ['One', 'Two']);
    const [task] = tasks;
    const { cursor } = await changesSince(connector, undefined);
    world.now += 20 * hourMs;
    world.comment(task?.gid ?? '', 'Late comment');
    service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedTexts(changes), ['One', 'Late comment']);
    assert.equal(threadsIn(changes), { [task?.gid ?? '']: 2 });
    assert.equal(requestsOf(open).slice(2), [
      `/tasks/${task?.gid}`,
      '/projects',
      `/tasks/${task?.gid}/stories`,
    ]);
  }));

test('finds a comment and a change of a subtask, whose task has not changed', () =>
  withAsana(async ({ world, connector }) => {
    const { tasks } = fill(world, ['Task']);
    const inner = world.addTask({ name: 'Subtask', parent: tasks[0]?.gid ?? '' });
    const first = await changesSince(connector, undefined);
    world.comment(inner.gid, 'Late comment');
    const second = await changesSince(connector, first.cursor);
    assert.equal(changedTexts(second.changes), ['Subtask', 'Late comment']);
    world.editTask(inner.gid, { name: 'Renamed' });
    const third = await changesSince(connector, second.cursor);
    assert.equal(changedTexts(third.changes), ['Renamed', 'Late comment']);
  }));

test('finds an edited and a deleted comment', () =>
  withAsana(async ({ world, connector }) => {
    const { tasks } = fill(world, ['One']);
    const gid = tasks[0]?.gid ?? '';
    const [first, second] = ['first', 'second'].map((text) => world.comment(gid, text));
    const before = await changesSince(connector, undefined);
    world.editComment(first?.gid ?? '', 'better');
    const edited = await changesSince(connector, before.cursor);
    assert.equal(changedTexts(edited.changes), ['One', 'better', 'second']);
    world.deleteComment(second?.gid ?? '');
    const deleted = await changesSince(connector, edited.cursor);
    assert.equal(changedTexts(deleted.changes), ['One', 'better']);
    assert.equal(threadsIn(deleted.changes), { [gid]: 2 });
  }));

test('removes a deleted task with its comments', () =>
  withAsana(async ({ world, connector }) => {
    const { tasks } = fill(world, ['One', 'Two']);
    const gid = tasks[0]?.gid ?? '';
    world.comment(gid, 'A comment');
    const { cursor } = await changesSince(connector, undefined);
    world.deleteTask(gid);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(threadsIn(changes), { [gid]: 0 });
    assert.equal(await taskTexts(connector), ['Two']);
  }));

test('removes a task with its subtasks that leaves all projects, and keeps it in another one', () =>
  withAsana(async ({ world, connector }) => {
    const { project, tasks } = fill(world, ['One', 'Two']);
    const other = world.addProject('Other');
    const [one = '', two = ''] = tasks.map(({ gid }) => gid);
    const inner = world.addTask({ name: 'Subtask', parent: one });
    world.addToProject(two, other.gid);
    const { cursor } = await changesSince(connector, undefined);
    for (const gid of [one, two]) world.removeFromProject(gid, project.gid);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(threadsIn(changes), { [one]: 0, [inner.gid]: 0, [two]: 1 });
    assert.equal(await taskTexts(connector), ['Two']);
  }));

test('reads an old task and its subtasks when a project gets it', () =>
  withAsana(
    async ({ world, connector }) => {
      const { project } = fill(world, ['One']);
      const other = world.addProject('Other');
      const { gid } = world.addTask({ name: 'Old', projects: [other.gid] });
      world.addTask({ name: 'Old subtask', parent: gid });
      const { cursor } = await changesSince(connector, undefined);
      world.now += hourMs;
      world.addToProject(gid, project.gid);
      const { changes } = await changesSince(connector, cursor);
      assert.equal(changedTexts(changes).toSorted(), ['Old', 'Old subtask']);
    },
    { projects: ['Website'] },
  ));

test('reads the old tasks of a project that is new here', () =>
  withAsana(async ({ world, connector }) => {
    fill(world, ['One']);
    const { cursor } = await changesSince(connector, undefined);
    const other = world.addProject('Other');
    const { gid } = world.addTask({ name: 'Old', projects: [other.gid], modifiedAt: 0 });
    world.addTask({ name: 'Old subtask', parent: gid, modifiedAt: 0 });
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedTexts(changes).toSorted(), ['Old', 'Old subtask']);
    assert.not.ok(changes.some((change) => 'reset' in change));
  }));

test('lists everything again when a project is gone', () =>
  withAsana(async ({ world, connector }) => {
    const { project } = fill(world, ['One']);
    const { cursor } = await changesSince(connector, undefined);
    world.deleteProject(project.gid);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.equal(await taskTexts(connector), []);
  }));

test('finds a new status update and a changed project', () =>
  withAsana(async ({ world, connector }) => {
    const { project } = fill(world, ['One']);
    const first = await changesSince(connector, undefined);
    world.addUpdate(project.gid, 'Week 1', 'All is well.');
    const second = await changesSince(connector, first.cursor);
    const titles = second.changes.flatMap((change) =>
      'records' in change ? change.records.map(({ title }) => title) : [],
    );
    assert.equal(titles, ['Website', 'Week 1']);
    assert.ok(
      second.changes.some((change) => 'entry' in change && change.entry.path === 'projects'),
    );
  }));

test('lists changed tasks when the tokens of the events have expired', () =>
  withAsana(async (open) => {
    const { world, connector, service } = open;
    const { project, tasks } = fill(world, ['One', 'Two']);
    const first = await changesSince(connector, undefined);
    world.now += hourMs;
    world.editTask(tasks[0]?.gid ?? '', { name: 'Renamed' });
    world.events.generation++;
    service.forget();
    const second = await changesSince(connector, first.cursor);
    assert.equal(changedTexts(second.changes), ['Renamed']);
    assert.ok(requestsOf(open).includes(`/tasks ${project.gid}`));
    world.editTask(tasks[1]?.gid ?? '', { name: 'Renamed, too' });
    const third = await changesSince(connector, second.cursor);
    assert.equal(changedTexts(third.changes), ['Renamed, too']);
  }));

test('reads more events than one answer has', () =>
  withAsana(async ({ world, connector }) => {
    const names = Array.from({ length: 60 }, (_, at) => `Task ${at}`);
    const { tasks } = fill(world, names);
    const { cursor } = await changesSince(connector, undefined);
    for (const { gid } of tasks) {
      world.comment(gid, 'One more');
      world.complete(gid);
    }
    const { changes } = await changesSince(connector, cursor);
    assert.is(Object.keys(threadsIn(changes)).length, 60);
  }));

test('counts the tasks each week, because the subtasks of a deleted task have no events', () =>
  withAsana(async ({ world, connector }) => {
    const { tasks } = fill(world, ['One', 'Two']);
    const gid = tasks[0]?.gid ?? '';
    world.addTask({ name: 'Subtask', parent: gid });
    const first = await changesSince(connector, undefined);
    world.deleteTask(gid);
    const second = await changesSince(connector, first.cursor);
    assert.equal(threadsIn(second.changes), { [gid]: 0 });
    const third = await changesSince(connector, aged(second.cursor, 8 * dayMs));
    const counted = third.changes.find((change) => 'total' in change && change.path === 'tasks');
    assert.is(counted !== undefined && 'total' in counted ? counted.total : undefined, 1);
    const keys = await recordsAt(connector, 'tasks', { keysOnly: true });
    assert.equal(
      keys.map(({ key }) => key['gid']),
      [tasks[1]?.gid],
    );
  }));

test('leaves out other projects and archived ones as configured', async () => {
  const read = async (config: Readonly<Record<string, unknown>>): Promise<string[]> => {
    let found: string[] = [];
    await withAsana(async ({ world, connector }) => {
      const { project } = fill(world, ['One']);
      const old = world.addProject('Old site', { isArchived: true });
      world.addTask({ name: 'Done', projects: [old.gid] });
      const { gid } = world.addTask({ name: 'Both', projects: [old.gid, project.gid] });
      world.addTask({ name: 'Part of both', parent: gid });
      found = (await taskTexts(connector)).toSorted();
    }, config);
    return found;
  };
  assert.equal(await read({}), ['Both', 'Done', 'One', 'Part of both']);
  assert.equal(await read({ archived: false }), ['Both', 'One', 'Part of both']);
  assert.equal(await read({ projects: ['Old site'] }), ['Both', 'Done', 'Part of both']);
});

test('reads one task, one comment and one thread by their ids', () =>
  withAsana(async (open) => {
    const { world, connector, service } = open;
    const { tasks } = fill(world, ['One', 'Two']);
    const gid = tasks[1]?.gid ?? '';
    const comment = world.comment(gid, 'A comment');
    const texts = async (options: Parameters<typeof recordsAt>[2]): Promise<unknown[]> =>
      (await recordsAt(connector, 'tasks', options)).map(({ title, text }) => title ?? text);
    assert.equal(await texts({ key: { stream: 'tasks', gid } }), ['Two']);
    assert.equal(await texts({ key: { stream: 'comments', gid: comment.gid } }), ['A comment']);
    assert.equal(await texts({ key: { stream: 'tasks', gid: '9' } }), []);
    assert.equal(await texts({ thread: gid }), ['Two', 'A comment']);
    assert.not.ok(service.exchanges.some(({ request }) => request.query.has('project')));
  }));

test('explains a first sync and a sync of changes', () =>
  withAsana(async ({ world, connector }) => {
    fill(world, ['One']);
    const signal = neverAborted();
    const first = await connector.explain?.({ cursor: undefined, signal });
    assert.is(first?.incremental, false);
    const { cursor } = await changesSince(connector, undefined);
    const second = await connector.explain?.({ cursor, signal });
    assert.is(second?.incremental, true);
    const events = second?.requests.find(({ name }) => name === 'events');
    assert.equal(events?.repeats, 'for each of projects');
    assert.match(events?.request ?? '', /\/events\?resource=\{gid\}&sync=\{sync\}$/);
  }));

test.run();
