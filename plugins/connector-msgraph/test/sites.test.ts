import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeGraph } from './fake.js';
import {
  changesSince,
  entriesOf,
  listedPaths,
  neverAborted,
  openSites,
  pathsOf,
  requestsOf,
  settingsFor,
  siteTarget,
  textAt,
  withSites,
} from './source.js';

const test = suite('SharePoint connector');

test('lists the libraries of one site', () =>
  withSites(
    async ({ fake: { world }, connector }) => {
      const team = world.addSite('sites/Team', 'The Team');
      const other = world.addSite('sites/Other', 'Other');
      const drive = world.addDrive('Documents', team);
      drive.create({ name: 'plan.txt', parent: drive.createFolder('Q1').id, content: 'plan' });
      world.addDrive('Pictures', team).create({ name: 'a.txt' });
      world.addDrive('Documents', other).create({ name: 'b.txt' });
      assert.equal(await listedPaths(connector), ['Documents/Q1/plan.txt', 'Pictures/a.txt']);
      assert.is(await textAt(connector, 'Documents/Q1/plan.txt'), 'plan');
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.detail, 'Connected to the site The Team.');
    },
    { target: siteTarget },
  ));

test('lists all sites that the search finds', () =>
  withSites(async ({ fake: { world }, connector }) => {
    world.addSite('', 'Home');
    for (const name of ['A', 'B', 'C'])
      world.addDrive('Documents', world.addSite(`sites/${name}`, name)).create({ name: 'a.txt' });
    world.addDrive('Documents', world.addSite('teams/A', 'A')).create({ name: 'a.txt' });
    const paths = await listedPaths(connector);
    assert.match(String(paths[0]), /^A ~\d{6}\/Documents\/a\.txt$/);
    assert.equal(paths.slice(1, 2), ['A/Documents/a.txt']);
    assert.equal(paths.slice(2), ['B/Documents/a.txt', 'C/Documents/a.txt']);
  }));

for (const webUrl of ['', 'no address', 'https://[', undefined])
  test(`keeps the files of a site with the address ${webUrl}`, () =>
    withSites(async ({ fake: { service, world }, connector }) => {
      for (const name of ['', 'sites/A', 'sites/B'])
        world.addDrive('Documents', world.addSite(name, name)).create({ name: 'a.txt' });
      const { cursor } = await changesSince(connector);
      service.addFault({
        matches: ({ path }) => path === '/v1.0/sites',
        times: Infinity,
        apply: async (_request, normal) => {
          const { json, ...answer } = await normal();
          const { value }: { readonly value: readonly { displayName: string }[] } = Object(json);
          const changed = value.map((site) =>
            site.displayName === 'sites/B' ? { ...site, webUrl } : site,
          );
          return { ...answer, json: { ...Object(json), value: changed } };
        },
      });
      const { changes, failure, warnings } = await changesSince(connector, cursor);
      assert.equal([changes, failure], [[], null]);
      assert.equal(warnings, ['Microsoft Graph returned no address of the site "sites/B".']);
      const error = await rejection(() => listedPaths(connector));
      assert.is(error.code, 'listing_incomplete');
    }));

test('names the folder of a site after an address that is badly encoded', () =>
  withSites(async ({ fake: { world }, connector }) => {
    world.addSite('', 'Home');
    for (const path of ['sites/A', 'sites/100%'])
      world.addDrive('Documents', world.addSite(path, path)).create({ name: 'a.txt' });
    assert.equal(await listedPaths(connector), ['100%/Documents/a.txt', 'A/Documents/a.txt']);
  }));

test('fails when no site of the list has an id', () =>
  withSites(async ({ fake: { service, world }, connector }) => {
    world.addSite('', 'Home');
    service.addFault({
      matches: ({ path }) => path === '/v1.0/sites',
      apply: () => ({ json: { value: [{ siteId: 'a' }] } }),
    });
    const error = await rejection(() => listedPaths(connector));
    assert.match(error.message, 'no usable sites');
  }));

test('ends a list of sites that repeats a page', () =>
  withSites(async ({ fake: { service, world }, connector }) => {
    world.addSite('', 'Home');
    service.addFault({
      matches: ({ path }) => path.endsWith('/sites'),
      times: 20,
      apply: ({ path }) => ({
        json: { value: [], '@odata.nextLink': `${service.origin}${path}?$skiptoken=1` },
      }),
    });
    const error = await rejection(() => listedPaths(connector));
    assert.match(error.message, 'repeats a page of a list');
  }));

for (const status of [403, 404, 423])
  test(`lists the other sites when one answers ${status}`, () =>
    withSites(
      async ({ fake: { world }, connector }) => {
        world.addSite('', 'Home');
        const [first, second] = ['A', 'B'].map((name) => world.addSite(`sites/${name}`, name));
        assert.ok(first && second);
        const drive = world.addDrive('Documents', first);
        drive.create({ name: 'a.txt' });
        const other = world.addDrive('Documents', second);
        other.create({ name: 'b.txt' });
        const { cursor } = await changesSince(connector);
        first.failure = status;
        other.create({ name: 'c.txt' });
        const partly = await changesSince(connector, cursor);
        assert.equal(pathsOf(partly.changes), ['B/Documents/c.txt']);
        assert.match(partly.warnings.join(), new RegExp(`HTTP ${status}|locked`));
        const full = await changesSince(connector);
        assert.equal(pathsOf(full.changes), ['B/Documents/b.txt', 'B/Documents/c.txt']);
        assert.is(full.failure?.code, 'listing_incomplete');
        first.failure = null;
        drive.create({ name: 'd.txt' });
        const later = await changesSince(connector, partly.cursor);
        assert.equal(pathsOf(later.changes), ['A/Documents/d.txt']);
      },
      { settings: { sites: ['sites/A', '/sites/B/'] } },
    ));

test('keeps the files of a library that cannot be read', () =>
  withSites(
    async ({ fake: { world }, connector }) => {
      const team = world.addSite('sites/Team', 'Team');
      const [first, second] = ['One', 'Two'].map((name) => world.addDrive(name, team));
      assert.ok(first && second);
      first.create({ name: 'a.txt' });
      second.create({ name: 'b.txt' });
      const { cursor } = await changesSince(connector);
      first.failure = 403;
      second.create({ name: 'c.txt' });
      const { changes, warnings, failure } = await changesSince(connector, cursor);
      assert.equal([pathsOf(changes), failure], [['Two/c.txt'], null]);
      assert.match(warnings.join(), 'HTTP 403');
    },
    { target: siteTarget },
  ));

test('lists only a library whose link has expired or whose folder has moved', () =>
  withSites(
    async ({ fake, connector }) => {
      const { world, service } = fake;
      const team = world.addSite('sites/Team', 'Team');
      const [first, second] = ['One', 'Two'].map((name) => world.addDrive(name, team));
      assert.ok(first && second);
      const gone = first.create({ name: 'gone.txt' });
      first.create({ name: 'a.txt' });
      const folder = second.createFolder('Folder');
      second.create({ name: 'b.txt', parent: folder.id });
      const { cursor } = await changesSince(connector);
      first.remove(gone.id);
      first.expireLinks();
      service.forget();
      const expired = await changesSince(connector, cursor);
      assert.equal(pathsOf(expired.changes), ['One/a.txt', '- One/gone.txt']);
      assert.is(requestsOf(fake).filter((path) => path.includes(second.id)).length, 1);
      second.edit(folder.id, { name: 'Renamed' });
      const moved = await changesSince(connector, expired.cursor);
      assert.equal(pathsOf(moved.changes), ['Two/Renamed/b.txt', '- Two/Folder/b.txt']);
    },
    { target: siteTarget },
  ));

test('finds a new library, and removes the files of a deleted one', () =>
  withSites(
    async ({ fake: { world }, connector }) => {
      const team = world.addSite('sites/Team', 'Team');
      const first = world.addDrive('One', team);
      first.create({ name: 'a.txt' });
      world.addDrive('Kept', team);
      const { cursor } = await changesSince(connector);
      world.drives.delete(first.id);
      world.addDrive('Two', team).create({ name: 'b.txt' });
      const { changes } = await changesSince(connector, cursor);
      assert.equal(pathsOf(changes), ['- One/a.txt', 'Two/b.txt']);
    },
    { target: siteTarget },
  ));

test('removes a deleted site, but not one that the search misses', () =>
  withSites(async ({ fake: { world }, connector }) => {
    world.addSite('', 'Home');
    const [first, second] = ['A', 'B'].map((name) => world.addSite(`sites/${name}`, name));
    assert.ok(first && second);
    world.addDrive('Documents', first).create({ name: 'a.txt' });
    world.addDrive('Documents', second).create({ name: 'b.txt' });
    const { cursor } = await changesSince(connector);
    first.isFound = false;
    const missed = await changesSince(connector, cursor);
    assert.equal(missed.changes, []);
    world.removeSite(first);
    const { changes } = await changesSince(connector, missed.cursor);
    assert.equal(pathsOf(changes), ['- A/Documents/a.txt']);
  }));

test('lists only named libraries', () =>
  withSites(
    async ({ fake: { world }, connector }) => {
      const team = world.addSite('sites/Team', 'Team');
      world.addDrive('Documents', team).create({ name: 'a.txt' });
      world.addDrive('Site Assets', team).create({ name: 'b.txt' });
      assert.equal(await listedPaths(connector), ['Documents/a.txt']);
    },
    { target: siteTarget, settings: { libraries: ['Documents'] } },
  ));

test('fails when its only site cannot be read', () =>
  withSites(
    async ({ fake: { world }, connector }) => {
      const team = world.addSite('sites/Team', 'Team');
      world.addDrive('Documents', team).create({ name: 'a.txt' });
      const { cursor } = await changesSince(connector);
      team.failure = 404;
      assert.is((await rejection(() => entriesOf(connector))).code, 'connector_unhealthy');
      assert.match(String((await changesSince(connector, cursor)).failure), 'HTTP 404');
    },
    { target: siteTarget },
  ));

test('continues after the libraries that an interrupted listing has read', async () => {
  await using fake = await startFakeGraph();
  const { world, service } = fake;
  const folder = await mkdtemp(join(tmpdir(), 'trove-sites-'));
  const team = world.addSite('sites/Team', 'Team');
  const drives = ['One', 'Two', 'Three'].map((name) => world.addDrive(name, team));
  for (const drive of drives) for (let at = 0; at < 1500; at++) drive.create({ name: `${at}.txt` });
  const connector = await openSites(settingsFor(fake), siteTarget, { cacheFolder: folder });
  try {
    let resume: unknown;
    for await (const change of connector.changes?.({
      cursor: undefined,
      commit: () => undefined,
      signal: neverAborted(),
    }) ?? []) {
      if (!('checkpoint' in change)) continue;
      resume = change.checkpoint;
      break;
    }
    assert.ok(resume);
    assert.is((await readdir(folder)).length, 1);
    service.forget();
    const rest: string[] = [];
    let cursor: unknown;
    for await (const change of connector.changes?.({
      cursor: undefined,
      resume: structuredClone(resume),
      commit: (value) => (cursor = value),
      signal: neverAborted(),
    }) ?? [])
      if ('entry' in change) rest.push(change.entry.path);
    assert.is(rest.length, 3000);
    assert.not.ok(requestsOf(fake).some((path) => path.includes(`${drives[0]?.id}/root`)));
    assert.equal((await changesSince(connector, cursor)).changes, []);
  } finally {
    await connector.close?.();
    await rm(folder, { recursive: true });
  }
});

test.run();
