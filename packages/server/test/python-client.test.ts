import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { makeWorld, removeWorld, startReal } from './support/real-server.js';
import { token } from './support/server.js';

const test = suite('the Python client');
const folder = fileURLToPath(new URL('../../client-python', import.meta.url));

const check = testUnless(missingProgram('python3'), test);

/** Runs a file of Python's unittest and returns the number of its tests. Throws if one fails. */
async function unittest(name: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn('python3', ['-W', 'error', '-m', 'unittest', `tests.${name}`], {
    cwd: folder,
    env: { ...process.env, ...env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
  });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`tests.${name}\n${said}`);
  return Number(/^Ran (\d+) tests?/m.exec(said)?.[1] ?? 0);
}

check('sends requests and reports failures as it should', async () => {
  assert.ok((await unittest('test_http')) >= 15);
});

check('calls every operation of a live server', async () => {
  const world = await makeWorld();
  const server = await startReal(world);
  try {
    const env = {
      TROVE_TEST_URL: server.host.url,
      TROVE_TEST_TOKEN: token,
      TROVE_TEST_DOCS: world.docs,
    };
    assert.ok((await unittest('test_live', env)) >= 5);
  } finally {
    await server.close();
    await removeWorld(world);
  }
});

test.run();
