import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { hitOf } from './support/samples.js';
import { runTrove } from './support/trove.js';

const test = suite('the details of a hit');

test('shows the page, slide or sheet of a hit', async () => {
  await using home = await temporaryHome();
  const { metadata } = hitOf();
  const on = (fields: Readonly<Record<string, unknown>>, mediaType: string | null) =>
    hitOf({ metadata: { ...metadata, title: null, fields, media_type: mediaType } });
  const results = [
    on({ page: 3 }, 'application/pdf'),
    on({ sheet: 'Costs 2026' }, 'a/b'),
    on({ page: 'a field of a record' }, null),
  ];
  await using api = await startApi({ 'GET /v1/search': () => ({ results }) });
  const { stdout } = await runTrove(['search', 'x', '--endpoint', api.endpoint], {
    home: home.path,
  });
  const places = stdout.split('\n').filter((line) => line.startsWith('/'));
  const place = '/data/notes/a.md:4-5';
  assert.equal(places, [
    `${place}  page 3  0.83`,
    `${place}  sheet Costs 2026  0.83`,
    `${place}  0.83`,
  ]);
});

test('names other objects with the same text', async () => {
  await using home = await temporaryHome();
  const { metadata } = hitOf();
  const copies = ['b', 'c', 'd', 'e'].map((name) => `file://local/data/notes/${name}.md`);
  const results = [1, 4].map((count) =>
    hitOf({ content: 'one', metadata: { ...metadata, also: copies.slice(0, count) } }),
  );
  await using api = await startApi({ 'GET /v1/search': () => ({ results }) });
  const { stdout } = await runTrove(['search', 'x', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.equal(
    stdout.split('\n').filter((line) => line.includes('also')),
    ['    also in /data/notes/b.md', '    also in /data/notes/b.md, /data/notes/c.md, 2 more'],
  );
});

test('names the searched sources with errors if nothing is found', async () => {
  await using home = await temporaryHome();
  const source = (name: string, error: string | null) => ({
    root_uri: `db://${name}`,
    error,
    detail: error === null ? null : 'nobody answers',
  });
  const connectors = [
    source('good', null),
    source('down', 'connector_unhealthy'),
    source('other', 'auth_failed'),
  ];
  await using api = await startApi({
    'GET /v1/search': () => ({ results: [] }),
    'GET /v1/status': () => ({ connectors }),
    'GET /v1/connectors/inspect': () => source('down', null),
  });
  const args = ['search', 'x', '--endpoint', api.endpoint];
  const everywhere = await runTrove(args, { home: home.path });
  assert.match(everywhere.stderr, 'Problem db://down: connector_unhealthy: nobody answers');
  assert.match(everywhere.stderr, 'Problem db://other: auth_failed');
  assert.not.match(everywhere.stderr, 'db://good');
  const below = await runTrove([...args, 'db://down/x'], { home: home.path });
  assert.match(below.stderr, 'Problem db://down');
  assert.not.match(below.stderr, 'db://other');
});

test.run();
