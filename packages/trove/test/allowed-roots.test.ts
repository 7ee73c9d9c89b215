import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf } from '@trove/test-support/rejection.js';
import { createTrove, type Trove } from '../src/index.js';

const test = suite<{ root: string; trove: Trove }>('allowed roots');
const mail = 'From a@x Thu Jan  1 00:00:00 2026\nSubject: secret\n\nsecret words\n';

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-allowed-'));
  for (const folder of ['secret', 'allowed/notes']) {
    await mkdir(join(context.root, folder), { recursive: true });
    await writeFile(join(context.root, folder, 'a.md'), `${folder} words`);
    await writeFile(join(context.root, folder, 'mail.mbox'), mail);
  }
  context.trove = await createTrove({
    home: join(context.root, 'home'),
    settings: { server: { allowed_roots: [join(context.root, 'allowed')] } },
  });
});
test.after.each(async ({ root, trove }) => {
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

test('no host name in a URI leads out of the allowed roots', async ({ root, trove }) => {
  const secret = join(root, 'secret');
  for (const scheme of ['file', 'sqlite', 'mbox', 'git+file', 'git']) {
    for (const authority of ['', 'local', 'x', 'localhost', 'LOCAL', '127.0.0.1']) {
      const target = `${scheme}://${authority}${secret}`;
      const call = () => trove.add({ target, process: true });
      const code = await codeOf(call());
      const refusals = ['path_not_allowed', 'connector_unhealthy', 'not_available'];
      assert.ok(refusals.includes(String(code)), `${target}: ${code}`);
    }
  }
  assert.equal((await trove.status()).connectors, []);
});

test('a link that replaces an added folder is not followed', async ({ root, trove }) => {
  const folder = join(root, 'allowed', 'notes');
  await trove.add({ target: folder, process: true });
  await trove.add({ target: `mbox://${join(folder, 'mail.mbox')}`, process: true });
  await rename(folder, join(root, 'allowed', 'before'));
  await symlink(join(root, 'secret'), folder);
  const path = join(folder, 'a.md');
  assert.is(await codeOf(trove.cat({ path })), 'path_not_allowed');
  assert.is(await codeOf(trove.ls({ path: folder })), 'path_not_allowed');
  const { results } = await trove.grep({ pattern: 'secret', path: folder });
  assert.equal(
    results.map(({ via }) => via),
    ['notice'],
  );
  for (const target of [folder, `mbox://${join(folder, 'mail.mbox')}`]) {
    assert.is(await codeOf(trove.add({ target, process: true })), 'path_not_allowed', target);
  }
});

test.run();
