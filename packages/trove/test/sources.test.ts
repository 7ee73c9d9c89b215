import { readFile } from 'node:fs/promises';
import { listSourceKinds, PluginRegistry, readSourceKinds, recogniseAddress } from '@trove/runtime';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sourceFiles, sourceKinds } from '../scripts/lib/sources.js';
import { builtinPackages } from '../src/builtin-packages.js';

const test = suite('kinds of sources');
const kinds = await sourceKinds();

for (const [name, text] of Object.entries(await sourceFiles()))
  test(`${name} is up to date (npm run sources -w trove)`, async () => {
    const url = new URL(`../../../${name}`, import.meta.url);
    assert.is(await readFile(url, 'utf8'), text);
  });

test('are described for each scheme once', () => {
  const schemes = kinds.flatMap((kind) => kind.schemes).map((scheme) => `connector:${scheme}`);
  const catalogue = Object.keys(builtinPackages).filter((key) => key.startsWith('connector:'));
  assert.equal(schemes.toSorted(), catalogue.toSorted());
});

test('are listed without loading their connectors', async () => {
  const registry = new PluginRegistry({ builtinPackages, builtinRoot: import.meta.url });
  const listed = await listSourceKinds(registry);
  // The examples of this repository are installed, too.
  const builtin = listed.filter(({ content }) => content !== undefined);
  const described = kinds.map(({ folder: _, ...kind }) => kind);
  assert.equal(builtin, described);
});

test('recognise their examples', () => {
  for (const { name, addresses } of kinds)
    for (const { example } of addresses) {
      const names = recogniseAddress(kinds, example).map(({ kind }) => kind.name);
      assert.ok(names.includes(name), `${example} is ${names.join(', ')}, not ${name}`);
    }
});

const recognised = [
  ['https://acme.atlassian.net/browse/OPS-1', 'Jira', null],
  ['https://acme.atlassian.net/wiki/spaces/OPS/pages/7', 'Confluence', null],
  ['https://acme.slack.com/archives/C0123/p1700000000', 'Slack', null],
  ['https://github.com/acme/rocket/issues/7', 'GitHub', null],
  ['https://gitlab.com/acme/tools/rocket/-/issues/1', 'GitLab', null],
  ['https://www.notion.so/acme/Plan-1a2b', 'Notion', 'notion://acme'],
  [
    'https://console.cloud.google.com/storage/browser/docs;tab=objects',
    'Google Cloud Storage',
    'gs://docs',
  ],
  [
    'https://s3.console.aws.amazon.com/s3/buckets/docs?region=x',
    'Amazon S3 and compatible buckets',
    's3://docs',
  ],
  ['postgres://reader@db.example.org/shop', 'PostgreSQL', 'postgres://reader@db.example.org/shop'],
  ['/srv/data.db', 'SQLite', 'sqlite://local/srv/data.db'],
  ['/home/me/notes', 'Folder or file', '/home/me/notes'],
  ['https://docs.example.com/a?b=c', 'Web site', 'https://docs.example.com/a?b=c'],
] as const;

test('recognise the most specific source first', () => {
  for (const [address, name, target] of recognised) {
    const [first] = recogniseAddress(kinds, ` ${address}\n`);
    assert.equal([first?.kind.name, first?.target], [name, target], address);
  }
});

test('take settings from an address', () => {
  const [drive] = recogniseAddress(kinds, 'https://drive.google.com/drive/u/0/folders/1aB-c?usp=x');
  assert.equal([drive?.scheme, drive?.config], ['gdrive', { folder_id: '1aB-c' }]);
});

test('recognise nothing in other texts', () => {
  for (const text of ['', 'notes', 'jira', 'acme/rocket'])
    assert.equal(recogniseAddress(kinds, text), [], text);
});

test('name the missing fact of a description', () => {
  const manifest = {
    trove: { connector: ['desk'], sources: [{ schemes: ['desk'], name: 'Desk' }] },
  };
  assert.throws(
    () => readSourceKinds(manifest, 'plugins/desk/package.json'),
    /plugins\/desk\/package\.json: .*trove\.sources.*content: is required/,
  );
});

test.run();
