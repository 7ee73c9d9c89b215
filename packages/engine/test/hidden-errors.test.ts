import { isTroveError, TroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';
import { entry, target, using } from './support/plain-connector.js';

/* A source may name anything in its errors, also what a caller does not see. */

const test = suite('errors of sources that a caller sees in part');
const root = 'memory://local';

type Reader = Pick<Engine, 'cat' | 'head' | 'tail' | 'export' | 'ls' | 'grep' | 'readBatch'>;

async function withFault(
  fault: TroveError,
  check: (seen: Reader, whole: Reader) => Promise<void>,
): Promise<void> {
  const world = new World();
  world.source.set('open/a.txt', 'A lighthouse.');
  world.source.set('walrus/b.txt', 'A harbour.');
  const engine = await world.open();
  try {
    await sync(engine);
    world.source.onCall = () => {
      throw fault;
    };
    await check(engine.restrictTo({ rights: 'read', paths: [`${root}/open`] }), engine);
  } finally {
    await engine.close();
  }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work);
  } catch (error) {
    if (!isTroveError(error)) throw error;
    return [error.publicCode, error.detail, ...error.suggestions].join(' | ');
  }
}

function readsOf(engine: Reader): Promise<string>[] {
  const path = `${root}/open/a.txt`;
  return [
    engine.cat({ path }),
    engine.head({ path }),
    engine.tail({ path }),
    engine.export({ path }),
    engine.ls({ path: `${root}/open` }),
    engine.grep({ pattern: 'lighthouse', path: `${root}/open` }),
    engine.readBatch({ reads: [{ path }] }),
  ].map(failureOf);
}

test('do not name hidden parts', async () => {
  for (const code of ['connector_unhealthy', 'credential_error', 'not_found'] as const) {
    const fault = new TroveError(code, 'The table walrus may not be read', {
      pluginCode: 'memory.walrus',
      suggestions: ['Grant access to walrus.'],
    });
    await withFault(fault, async (seen, whole) => {
      for (const text of await Promise.all(readsOf(seen))) assert.not.match(text, /walrus/, code);
      const [cat] = readsOf(whole);
      assert.match((await cat) ?? '', 'walrus');
    });
  }
});

test('notices of a search do not name hidden parts', async () => {
  const path = 'open/a.txt';
  const content = 'A lighthouse.';
  async function* list() {
    yield { ...entry, path };
  }
  async function* grep() {
    yield { notice: 'The folder walrus cannot be read.' };
    yield { path, content, lines: [1, 1], match: { lines: [1, 1], column: 3 } };
  }
  await using({ list, grep }, async (engine) => {
    await sync(engine, { target });
    const seen = engine.restrictTo({ rights: 'read', paths: [`${target}/open`] });
    const contents = async (by: Pick<Engine, 'grep'>): Promise<string[]> =>
      (await by.grep({ pattern: 'lighthouse' })).results.map((match) => match.content).sort();
    assert.equal(await contents(seen), [content, `${target}/open was searched only in part.`]);
    assert.match((await contents(engine)).join(), 'walrus');
  });
});

test('keep their code and the time of a retry', async () => {
  const fault = new TroveError('rate_limited', 'The quota of walrus is used up', {
    retryable: true,
    retryAfterMs: 7000,
  });
  await withFault(fault, async (seen) => {
    const error = await seen.cat({ path: `${root}/open/a.txt` }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.ok(isTroveError(error));
    assert.equal([error.code, error.retryable, error.retryAfterMs], ['rate_limited', true, 7000]);
  });
});

test.run();
