import { link, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '@trove/test-support/listen.js';
import { rejection } from '@trove/test-support/rejection.js';
import { createTrove } from '../src/index.js';

const test = suite('secrets of the server');

test('references of a source cannot read them in any form', async () => {
  const root = await mkdtemp(join(tmpdir(), 'trove-own-secrets-'));
  const home = join(root, 'home');
  const heard: string[] = [];
  const listener = await listen((request, response) => {
    heard.push(request.headers.authorization ?? '');
    response.end();
  });
  process.env['TROVE_TEST_OWN_KEY'] = 'the-own-key';
  process.env['TROVE_API_TOKEN'] = 'the-token';
  await mkdir(home);
  await writeFile(join(home, 'server.token'), 'the-token');
  await writeFile(join(root, 'model.key'), 'the-own-key');
  await writeFile(join(root, 'good'), 'a-secret');
  await symlink(join(home, 'server.token'), join(root, 'link'));
  await link(join(home, 'server.token'), join(root, 'hard'));
  await symlink(home, join(root, 'folder'));
  const llm = { provider: 'openai', model: 'm', base_url: 'http://127.0.0.1:1' };
  const trove = await createTrove({
    home,
    settings: {
      llm: { ...llm, api_key: 'env:TROVE_TEST_OWN_KEY' },
      index: { token: `file:${join(root, 'model.key')}` },
    },
  });
  try {
    const probe = (authorization: string) =>
      trove.probe({
        target: `${listener.origin}/`,
        config: { authorization },
      });
    const files = ['link', 'hard', 'folder/server.token', 'home/../home/server.token', 'model.key'];
    const references = [
      ...[join('home', 'server.token'), ...files].map((path) => `file:${join(root, path)}`),
      `file:/proc/self/root${home}/server.token`,
      `file:/proc/${process.pid}/cwd/../..${home}/server.token`,
      'env:TROVE_API_TOKEN',
      'env:TROVE_AUTH_TOKEN',
      'env:TROVE_LLM_API_KEY',
      'env:TROVE_TEST_OWN_KEY',
    ];
    for (const reference of references) {
      const error = await rejection(() => probe(reference));
      assert.is(isTroveError(error) && error.code, 'credential_error', reference);
    }
    assert.equal(heard, []);
    await probe(`file:${join(root, 'good')}`).catch((error: unknown) => {
      assert.ok(!isTroveError(error) || error.code !== 'credential_error', String(error));
    });
    assert.ok((await readdir(home)).length > 0);
  } finally {
    await trove.close();
    await listener.stop();
    delete process.env['TROVE_TEST_OWN_KEY'];
    delete process.env['TROVE_API_TOKEN'];
    await rm(root, { recursive: true, force: true });
  }
});

test.run();
