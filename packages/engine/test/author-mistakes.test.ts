// test-waits
import { defineConnector, TroveError, type Connector, type ConnectorContext } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { sync, World } from './support/engine.js';
import { entry, stream, target, using, usingContext } from './support/plain-connector.js';

const test = suite("an author's mistakes");

test('an invalid path ends the listing, and the log names the member', () =>
  using(
    {
      async *list() {
        yield { ...entry, path: '../outside' };
      },
      check: async () => ({ ok: true, detail: 'reachable' }),
    },
    async (engine, world) => {
      const { status, error } = await sync(engine, { target });
      assert.equal([status, error], ['failed', 'plugin_invalid']);
      assert.match(world.log.join('\n'), '`path`');
    },
  ));

for (const [member, wrong] of [
  ['size', undefined],
  ['size', 5n],
  ['modifiedAt', 'yesterday'],
  ['fingerprint', undefined],
  ['fingerprint', 'x'.repeat(20_000)],
  ['mediaType', 7],
  ['kind', 'novel'],
  ['identity', {}],
  ['title', ['a title']],
  ['url', 'javascript:alert(1)'],
  ['author', 5n],
  ['skip', true],
  ['fields', 'none'],
  ['fields', { deep: { er: 1 } }],
  ['fields', { big: 5n }],
  ['fields', { nan: NaN }],
] as const) {
  test(`an invalid ${member} fails its entry alone with a reason (${typeof wrong})`, () =>
    using(
      {
        async *list() {
          yield { ...entry, path: 'wrong.txt', [member]: wrong };
          yield { ...entry, path: 'right.txt', title: 't'.repeat(10_000), unknown: 5n };
        },
      },
      async (engine) => {
        const job = await sync(engine, { target });
        assert.equal([job.status, job.failed_objects, job.succeeded_objects], ['partial', 1, 1]);
        const [failure] = job.failures;
        assert.equal([failure?.path, failure?.code], ['wrong.txt', 'plugin_invalid']);
        assert.match(failure?.error ?? '', 'connector plain: list yielded an invalid entry: ');
        assert.match(failure?.error ?? '', `\`${member}`);
        const [hit] = (await engine.search({ q: 'text', mode: 'keyword' })).results;
        assert.ok((hit?.metadata.title?.length ?? 0) <= 1000);
      },
    ));
}

test('results of browse, grep, check and read are validated', async () => {
  const ls = (engine: Engine) => engine.ls({ path: target });
  /** A failure in one source becomes a notice of the response. */
  const grep = async (engine: Engine) => {
    const { results } = await engine.grep({ path: target, pattern: 'x' });
    throw new TroveError('plugin_invalid', results.map(({ content }) => content).join());
  };
  const cat = (engine: Engine) => engine.cat({ path: `${target}/a.txt` });
  const level = { name: 'a.txt', type: 'file', size: null, modifiedAt: null };
  const cases: [object, (engine: Engine) => Promise<unknown>, string][] = [
    [{ browse: stream({ ...level, name: '../x' }) }, ls, 'browse yielded an invalid entry: `name`'],
    [{ browse: stream({ ...level, type: 'link' }) }, ls, 'browse yielded an invalid entry: `type`'],
    [{ browse: stream({ ...level, size: 5n }) }, ls, 'browse yielded an invalid entry: `size`'],
    [{ browse: stream({ ...level, skip: 7 }) }, ls, 'browse yielded an invalid entry: `skip`'],
    [
      { grep: stream({ path: 'a.txt', lines: [2, 1], content: 'x' }) },
      grep,
      'invalid item: `lines`',
    ],
    [
      { grep: stream({ path: 'a.txt', lines: [1, 1], content: 5n }) },
      grep,
      'invalid item: `content`',
    ],
    [{ grep: stream({ path: '/a', lines: [1, 1], content: 'x' }) }, grep, 'invalid item: `path`'],
    [{ grep: stream({ notice: {} }) }, grep, 'invalid item: `notice`'],
    [{ stat: async () => ({ ...entry, size: '1' }) }, cat, 'stat yielded an invalid entry: `size`'],
    [
      { read: async () => ({ bytes: Buffer.from('text'), mediaType: 7 }) },
      cat,
      'invalid content: `mediaType`',
    ],
    [
      { read: async () => ({ bytes: Buffer.from('text'), start: 2 }) },
      cat,
      'invalid content: `start`',
    ],
  ];
  for (const [members, call, words] of cases) {
    await using(members, async (engine) => {
      await sync(engine, { target });
      const error = await rejection(() => call(engine));
      assert.equal(
        [error.code, error.message.includes(words)],
        ['plugin_invalid', true],
        error.message,
      );
    });
  }
});

test('a proxy offers only real methods, and a thenable connector is refused', async () => {
  const answers = (list: object, isThenable: boolean) =>
    new Proxy(list, {
      get: (own, name) =>
        Reflect.get(own, name) ?? (name === 'then' && !isThenable ? undefined : () => {}),
    });
  for (const isThenable of [false, true]) {
    const right = { list: stream(entry), read: async () => ({ bytes: Buffer.from('text') }) };
    const plugin = defineConnector({
      keys: ['plain'],
      configSchema: { type: 'object' },
      create: () => answers(right, isThenable) as Connector,
    });
    const engine = await new World().open({ plugins: [plugin] });
    try {
      if (isThenable) {
        const error = await rejection(() => engine.add({ target }));
        assert.is(error.code, 'plugin_invalid');
        assert.match(error.message, /^connector plain: create .* `then`/);
      } else {
        assert.is((await sync(engine, { target })).status, 'succeeded');
        const { sync: abilities, object } = (await engine.ls({ path: target })).capabilities;
        assert.equal([abilities.incremental, object.records, object.grep], [false, false, false]);
      }
    } finally {
      await engine.close();
    }
  }
});

test('a listing restarts after a retryable error only', async () => {
  for (const [error, ends] of [
    [{ code: 'overloaded', retryable: true, retryAfterMs: 10 }, 'succeeded'],
    [{ code: 'credential_error' }, 'failed'],
  ] as const) {
    let begun = 0;
    await using(
      {
        check: async () => ({ ok: true, detail: '' }),
        async *list() {
          yield { ...entry, path: 'a.txt' };
          const { code, ...options } = error;
          if (++begun <= 2) throw new TroveError(code, 'not now', options);
          yield { ...entry, path: 'b.txt' };
        },
      },
      async (engine) => {
        const job = await sync(engine, { target });
        assert.is(job.status, ends);
        assert.is(begun, ends === 'failed' ? 1 : 3);
        if (ends === 'succeeded') assert.is(job.succeeded_objects, 2);
      },
    );
  }
});

test("a plugin's own code is shown, and its base code decides the behavior", () => {
  const own = (pluginCode: string) =>
    new TroveError('connector_unhealthy', 'No scope.', { pluginCode });
  let failure = own('plain.missing_scope');
  return using(
    {
      check: async () => ({ ok: true, detail: '' }),
      async *list() {
        for (let n = 0; n < 7; n++) yield { ...entry, path: `${n}.txt` };
      },
      read: () => Promise.reject(failure),
    },
    async (engine) => {
      const job = await sync(engine, { target });
      // Five consecutive failures of the source end the job.
      assert.equal([job.status, job.error], ['failed', 'circuit_breaker_tripped']);
      assert.is(job.failures?.[0]?.code, 'plain.missing_scope');
      const error = await rejection(() => engine.cat({ path: `${target}/0.txt` }));
      assert.equal([error.code, error.publicCode], ['connector_unhealthy', 'plain.missing_scope']);
      failure = own('not a code');
      const other = await rejection(() => engine.cat({ path: `${target}/0.txt` }));
      assert.is(other.publicCode, 'plugin_invalid');
      assert.match(
        other.message,
        'connector plain: read: `pluginCode` must be a key of the plugin',
      );
    },
  );
});

test('an unknown error code is reported with the plugin and the method', () => {
  const misspelt: string = 'not_fuond';
  const code = misspelt as 'not_found';
  const places: string[] = [];
  const errors = [
    () => new TroveError(code, 'Gone.'),
    () => new TroveError(code, 'Gone.', { suggestions: ['Look.'] }),
    () => Object.assign(new Error('Gone.'), { code }),
    ({ error }: ConnectorContext<unknown>) => error(code, 'Gone.'),
  ];
  return usingContext(
    (context) => ({ read: () => Promise.reject(errors.shift()?.(context)) }),
    async (engine) => {
      await sync(engine, { target });
      for (let left = errors.length; left > 0; left--) {
        const error = await rejection(() => engine.cat({ path: `${target}/a.txt` }));
        assert.is(error.code, 'plugin_invalid');
        const problem = 'there is no error code `not_fuond`. Did you mean `not_found`?';
        assert.ok(error.message.endsWith(`: ${problem} (message: Gone.)`), error.message);
        places.push(error.message.slice(0, error.message.indexOf(': there')));
      }
      const read = 'connector plain: read';
      assert.equal(places, [read, read, 'connector plain: context.error']);
    },
  );
});

test('a foreign error code is no mistake', () =>
  using(
    { read: () => Promise.reject(Object.assign(new Error('No.'), { code: 'invalid_grant' })) },
    async (engine) => {
      await sync(engine, { target });
      const error = await rejection(() => engine.cat({ path: `${target}/a.txt` }));
      assert.is(error.code, 'connector_unhealthy');
    },
  ));

for (const [kind, result] of [
  ['a promise', async () => []],
  ['an array', () => []],
] as const) {
  test(`a method that returns ${kind} instead of an async iterable is named`, async () => {
    const isNamed = (method: string, text: string | null | undefined) =>
      assert.match(
        text ?? '',
        `connector plain: ${method} must return an async iterable, such as an async generator, not ${kind}`,
      );
    await using({ list: result }, async (engine) =>
      isNamed('list', (await rejection(() => engine.add({ target }))).message),
    );
    await using({ changes: result, browse: result }, async (engine) => {
      isNamed('changes', (await sync(engine, { target })).detail);
      isNamed('browse', (await rejection(() => engine.ls({ path: target }))).message);
    });
    await using({ read: undefined, records: result }, async (engine) =>
      isNamed('records', (await sync(engine, { target })).failures[0]?.error),
    );
  });
}

test('changed records of an object that was never listed add a warning', () =>
  using(
    {
      async *changes() {
        yield { entry };
        yield { path: 'gone', records: [{ key: { id: 1 }, fields: {} }], removedKeys: [] };
      },
      stat: async () => null,
    },
    async (engine) => {
      const job = await sync(engine, { target });
      assert.is(job.status, 'succeeded');
      assert.equal(job.warnings, [
        'connector plain: changes yielded records of gone, which was never listed. Yield the `entry` of the object first.',
      ]);
    },
  ));

test('a call waits a limited time for a source that requests a pause', async () => {
  let left = 1;
  let retryAfterMs = 10;
  const level = { name: 'a.txt', type: 'file', size: null, modifiedAt: null };
  await using(
    {
      async *browse() {
        if (left-- > 0)
          throw new TroveError('overloaded', 'not now', { retryable: true, retryAfterMs });
        yield level;
      },
    },
    async (engine) => {
      await sync(engine, { target });
      assert.is((await engine.ls({ path: target })).entries.length, 1);
      left = 1;
      retryAfterMs = 60_000;
      assert.is((await rejection(() => engine.ls({ path: target }))).code, 'overloaded');
    },
  );
});

test('texts of a source are redacted: health, reasons, notices', () =>
  using(
    {
      check: async () => ({ ok: true, detail: 'logged in with s3cret' }),
      async *browse() {
        yield { name: 'a', type: 'file', size: null, modifiedAt: null, skip: 'hidden by s3cret' };
      },
      async *grep() {
        yield { notice: 'asked with s3cret' };
      },
    },
    async (engine) => {
      const config = { key: 's3cret' };
      const said = [
        await engine.probe({ target, config }),
        await sync(engine, { target, config }),
        await engine.ls({ path: target }),
        await engine.grep({ path: target, pattern: 'x' }),
      ];
      assert.not.match(JSON.stringify(said), 's3cret');
      assert.match(
        JSON.stringify(said),
        /logged in with \*\*\*.*hidden by \*\*\*.*asked with \*\*\*/,
      );
    },
    { type: 'object', properties: { key: { type: 'string', writeOnly: true } } },
  ));

test('invalid bytes fail their object, and the engine can be closed', async () => {
  for (const bytes of [() => 'text', stream('text')]) {
    await using({ read: async () => ({ bytes: bytes() }) }, async (engine) => {
      const [failure] = (await sync(engine, { target })).failures;
      assert.is(failure?.code, 'plugin_invalid');
      const error = await rejection(() => engine.cat({ path: `${target}/a.txt` }));
      assert.is(error.code, 'plugin_invalid');
    });
  }
});

test('a result that cannot be sent to a thread fails its object alone', () =>
  using(
    {
      list: async function* () {
        yield { ...entry, path: 'wrong' };
        yield { ...entry, path: 'right' };
      },
      read: async (path: string) => ({
        bytes: Buffer.from('text'),
        ...(path === 'wrong' ? { mediaType: () => 'text/plain' } : {}),
      }),
    },
    async (engine) => {
      const job = await sync(engine, { target });
      assert.equal([job.status, job.failed_objects, job.succeeded_objects], ['partial', 1, 1]);
      assert.match(job.failures[0]?.error ?? '', '`mediaType` is neither null nor a string');
    },
  ));

test('an interrupted read fails its object with a redacted reason', () =>
  using(
    {
      list: async function* () {
        yield { ...entry, path: 'broken' };
        yield { ...entry, path: 'gone' };
      },
      read: async (path: string) => ({
        bytes: (async function* () {
          yield Buffer.from('the beginning');
          throw Object.assign(new Error(`lost ${path} of key s3cret`), {
            code: path === 'gone' ? 'not_found' : 'plugin_invalid',
          });
        })(),
      }),
    },
    async (engine) => {
      const job = await sync(engine, { target, config: { key: 's3cret' } });
      assert.equal([job.status, job.failed_objects, job.succeeded_objects], ['partial', 1, 0]);
      assert.is(job.failures[0]?.code, 'plugin_invalid');
      assert.match(job.failures[0]?.error ?? '', /lost broken of key \*\*\*/);
    },
    {
      type: 'object',
      properties: { key: { type: 'string', writeOnly: true } },
    },
  ));

test('a check that resolves to nothing refuses the add', () =>
  using({ check: async () => undefined }, async (engine) => {
    const error = await rejection(() => engine.add({ target }));
    assert.is(error.code, 'plugin_invalid');
    assert.match(error.message, 'check resolved to an invalid health');
  }));

test.run();
