// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { testUnless } from '@trove/test-support/skips.js';
import { account, accountKey, Azurite, noAzurite, TestContainer } from './azurite.js';
import { calm, listed, textAt } from './source.js';

const test = suite('Azure connector, blobs of Azurite');
const onAzurite = testUnless(noAzurite, test);
let azurite: Azurite;

test.before(async () => {
  if (noAzurite === null) azurite = await Azurite.start();
});
test.after(() => azurite?.stop());

onAzurite('lists a folder or a single blob of a container', async () => {
  const container = await azurite.container();
  for (const name of [
    'docs/a.md',
    'docs/deep/b.md',
    'docs-of-others/c.md',
    'docs/node_modules/d.js',
  ])
    await container.put(name, name);
  const folder = container.open(container.config, '/docs');
  const paths = (await listed(folder)).map(({ path }) => path);
  assert.equal(paths, ['a.md', 'deep/b.md']);
  const level = await collect(folder.browse('', { signal: calm() }));
  assert.equal(level.map(({ name, type }) => `${name} ${type}`).sort(), [
    'a.md file',
    'deep dir',
    'node_modules dir',
  ]);
  const single = container.open(container.config, '/docs/a.md');
  assert.equal(
    (await listed(single)).map(({ path }) => path),
    [''],
  );
  assert.is(await textAt(single, ''), 'docs/a.md');
});

onAzurite('gives a blob the same fingerprint in a listing and alone', async () => {
  const container = await azurite.container();
  await container.put('a.md', 'one');
  const source = container.open();
  const [entry] = await listed(source);
  const alone = await source.stat('a.md', { signal: calm() });
  assert.ok(entry?.fingerprint);
  assert.equal(alone, entry);
  await container.put('a.md', 'two');
  const changed = await source.stat('a.md', { signal: calm() });
  assert.is.not(changed?.fingerprint, entry?.fingerprint);
});

onAzurite('reads ranges', async () => {
  const container = await azurite.container();
  await container.put('a.txt', '0123456789');
  const source = container.open();
  assert.is(await textAt(source, 'a.txt', { start: 7 }), '789');
  assert.is(await textAt(source, 'a.txt', { start: 2, end: 5 }), '234');
  assert.is(await textAt(source, 'a.txt', { start: 20 }), '');
});

onAzurite('logs in with a signature and with a connection string', async () => {
  const container = await azurite.container();
  await container.put('a b/ü+%.md', 'text');
  const { endpoint } = container.config;
  const connection = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${accountKey};BlobEndpoint=${endpoint};`;
  for (const login of [{ sas_token: container.sas('rl') }, { connection_string: connection }]) {
    const source = container.open(login);
    assert.is((await source.check({ signal: calm() })).ok, true);
    assert.is((await listed(source)).length, 1);
    assert.is(await textAt(source, 'a b/ü+%.md'), 'text');
  }
});

onAzurite('explains refused logins and missing containers', async () => {
  const container = await azurite.container();
  const detailOf = async (config: object, target = container): Promise<string> => {
    const { ok, detail } = await target.open(config).check({ signal: calm() });
    assert.is(ok, false);
    return detail;
  };
  const wrong = Buffer.from('wrong').toString('base64');
  assert.match(await detailOf({ account_key: wrong }), 'refuses the login');
  assert.match(
    await detailOf({ sas_token: container.sas('rl', '2020-01-01T00:00:00Z') }),
    'refuses the login',
  );
  assert.match(await detailOf({ sas_token: container.sas('r') }), 'may not list the container');
  const missing = new TestContainer(azurite, 'missing');
  assert.match(await detailOf(missing.config, missing), 'There is no container "missing"');
});

test.run();
