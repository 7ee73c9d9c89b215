import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { changesSince, entriesOf, listedPaths, pathsOf, textAt, withDrive } from './source.js';

const test = suite('folders and shared drives of Google Drive');

test('lists a shared drive from its root', () =>
  withDrive(
    async ({ fake: { world }, connector }) => {
      const [driveId = ''] = world.drives.keys();
      const folder = world.createFolder('Team', { driveId });
      world.create({ name: 'plan.txt', driveId, parent: folder.id, content: 'plan' });
      world.create({ name: 'mine.txt' });
      const { cursor } = await changesSince(connector);
      assert.equal(await listedPaths(connector), ['Team/plan.txt']);
      assert.is(await textAt(connector, 'Team/plan.txt'), 'plan');
      world.create({ name: 'new.txt', driveId });
      world.create({ name: 'mine too.txt' });
      assert.equal(pathsOf((await changesSince(connector, cursor)).changes), ['new.txt']);
    },
    ({ world }) => ({ drive_id: world.addDrive('Team') }),
  ));

test('lists only what is below a folder', () =>
  withDrive(
    async ({ fake: { world }, connector }) => {
      const [folder] = world.files.values();
      const below = world.createFolder('Below', { parent: folder?.id ?? '' });
      world.create({ name: 'in.txt', parent: below.id });
      world.create({ name: 'out.txt' });
      assert.equal(await listedPaths(connector), ['Below/in.txt']);
    },
    ({ world }) => ({ folder_id: world.createFolder('Top').id }),
  ));

test('lists files of a shared drive whose folder is not visible', () =>
  withDrive(
    async ({ fake: { world }, connector }) => {
      const [driveId = ''] = world.drives.keys();
      world.create({ name: 'a.txt', driveId });
      world.create({ name: 'b.txt', driveId, parent: null });
      world.create({ name: 'c.txt', driveId, parent: '1limited' });
      assert.equal(await listedPaths(connector), [
        'Shared with me/b.txt',
        'Shared with me/c.txt',
        'a.txt',
      ]);
    },
    ({ world }) => ({ drive_id: world.addDrive('Team') }),
  ));

test('fails when the folder of the source is not visible', () =>
  withDrive(
    async ({ fake: { world }, connector }) => {
      const [folder] = world.files.values();
      const { id = '' } = folder ?? {};
      world.create({ name: 'in.txt', parent: id });
      const { cursor } = await changesSince(connector);
      world.remove(id);
      const error = await rejection(() => entriesOf(connector));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.message, `File not found: ${id}`);
      assert.match((await rejection(() => changesSince(connector, cursor))).message, id);
    },
    ({ world }) => ({ folder_id: world.createFolder('Top').id }),
  ));

test('moves everything below a moved folder without another identity', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const folder = world.createFolder('Folder');
    const file = world.create({ name: 'a.txt', parent: folder.id });
    const other = world.createFolder('Other');
    const { cursor } = await changesSince(connector);
    world.move(folder.id, other.id);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    const entries = changes.flatMap((change) => ('entry' in change ? [change.entry] : []));
    assert.equal(
      entries.map(({ path, identity }) => [path, identity]),
      [['Other/Folder/a.txt', file.id]],
    );
  }));

test('lists everything again when a folder is in the trash', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const folder = world.createFolder('Folder');
    world.create({ name: 'a.txt', parent: folder.id });
    world.create({ name: 'b.txt' });
    const { cursor } = await changesSince(connector);
    world.trash(folder.id);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.equal(pathsOf(changes.slice(1)), ['b.txt']);
  }));

test('finds the files of a folder that is restored from the trash', () =>
  withDrive(async ({ fake: { world }, connector }) => {
    const folder = world.createFolder('Folder');
    world.create({ name: 'a.txt', parent: folder.id });
    world.trash(folder.id);
    const { changes, cursor } = await changesSince(connector);
    assert.equal(pathsOf(changes), []);
    world.restore(folder.id);
    const { changes: restored } = await changesSince(connector, cursor);
    assert.equal(restored[0], { reset: true });
    assert.equal(pathsOf(restored.slice(1)), ['Folder/a.txt']);
  }));

test('does not list everything when a folder is created', () =>
  withDrive(async ({ fake: { world, service }, connector }) => {
    const { cursor } = await changesSince(connector);
    world.now = Date.now() + 3_600_000;
    const folder = world.createFolder('Folder');
    world.create({ name: 'a.txt', parent: folder.id });
    service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(pathsOf(changes), ['Folder/a.txt']);
  }));

test('moves no file when the listing of the folders is incomplete', () =>
  withDrive(async ({ fake: { world, service }, connector }) => {
    world.create({ name: 'a.txt', parent: world.createFolder('Folder').id });
    service.addFault({
      matches: ({ query }) => query.get('q')?.startsWith('mimeType = ') === true,
      apply: () => ({ json: { files: [], incompleteSearch: true } }),
    });
    const error = await rejection(() => entriesOf(connector));
    assert.match(error.message, 'searched only a part of the files');
    assert.equal(await listedPaths(connector), ['Folder/a.txt']);
  }));

test.run();
