import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '@trove/engine';
import { withLocalPaths } from '../src/local-paths.js';

const test = suite('local paths');

/** An engine that records the arguments of each call. */
function recorder(): { readonly engine: Engine; readonly calls: Map<string, unknown[]> } {
  const calls = new Map<string, unknown[]>();
  const engine = new Proxy({} as Engine, {
    get:
      (_target, name) =>
      (...args: unknown[]) => {
        calls.set(String(name), args);
        return Promise.resolve(name);
      },
  });
  return { engine, calls };
}

test('every call resolves relative paths against the working directory', async () => {
  const { engine, calls } = recorder();
  const local = withLocalPaths(engine);
  const at = join(process.cwd(), 'docs');
  const options = {};
  await local.add({ target: './docs', full: true }, options);
  assert.equal(calls.get('add'), [{ target: at, full: true }, options]);
  await local.probe({ target: 'docs' });
  await local.estimate({ target: 'docs' });
  await local.inspect({ target: 'docs' });
  await local.remove({ target: 'docs/' });
  await local.jobs({ target: 'docs' });
  for (const name of ['probe', 'estimate', 'inspect', 'remove', 'jobs']) {
    assert.equal(calls.get(name)?.[0], { target: at }, name);
  }
  await local.search({ q: 'x', path: 'docs' });
  assert.equal(calls.get('search')?.[0], { q: 'x', path: at });
  await local.grep({ pattern: 'x', path: 'docs' });
  assert.equal(calls.get('grep')?.[0], { pattern: 'x', path: at });
  for (const name of ['ls', 'cat', 'head', 'tail', 'export', 'exportStream'] as const) {
    await local[name]({ path: 'docs' }, options);
    assert.equal(calls.get(name), [{ path: at }, options], name);
  }
});

test('absolute paths, URIs and blank values stay unchanged', async () => {
  const { engine, calls } = recorder();
  const local = withLocalPaths(engine);
  for (const path of ['/a', 'file:///a', 'S3://b/c', '', ' ']) {
    await local.ls({ path });
    assert.equal(calls.get('ls')?.[0], { path });
  }
  await local.search({ q: 'x' });
  assert.equal(calls.get('search')?.[0], { q: 'x' });
  await local.jobs();
  assert.equal(calls.get('jobs'), [undefined]);
});

test('other calls are passed through', async () => {
  const { engine, calls } = recorder();
  const local = withLocalPaths(engine);
  await local.serverInfo();
  await local.status();
  await local.job('j');
  await local.cancel('j');
  await local.waitForJob('j');
  local.startWorker();
  await local.close();
  await local[Symbol.asyncDispose]();
  assert.is(calls.size, 8);
});

test.run();
