import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError, type JsonSchema, type TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLiteralSecrets, redactConfig, resolveConfig } from '../src/plugins/config.js';
import { checkSchema } from '../src/validation.js';
import { mergeOperatorSettings } from '../src/plugins/operator-secrets.js';
import { redact, redactUrl } from '../src/plugins/redact.js';

const test = suite<{ folder: string }>('configurations of plugins');

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'trove-plugin-config-'));
  process.env['TROVE_TEST_SECRET'] = 'of-the-environment';
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));
test.after(() => void delete process.env['TROVE_TEST_SECRET']);

const secret = { type: 'string', writeOnly: true } as const;
const flat = {
  type: 'object',
  properties: { token: secret, place: { type: 'string' } },
} satisfies JsonSchema;

/** A schema of a plugin in plain JavaScript, with keywords that our types omit. */
function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema));
}

const nested = plain({
  type: 'object',
  properties: {
    name: { type: 'string' },
    login: { type: 'object', properties: { user: { type: 'string' }, password: secret } },
    mailboxes: {
      type: 'array',
      items: { type: 'object', properties: { host: { type: 'string' }, key: secret } },
    },
    way: {
      oneOf: [
        { type: 'object', properties: { anonymous: { const: true } }, required: ['anonymous'] },
        { type: 'object', properties: { phrase: secret }, required: ['phrase'] },
      ],
    },
    headers: { type: 'object', additionalProperties: secret },
    vault: { type: 'object', writeOnly: true },
    pin: { type: 'integer', writeOnly: true },
    proxy: { $ref: '#/$defs/proxy' },
  },
  patternProperties: { '^x-': secret },
  additionalProperties: false,
  $defs: {
    proxy: {
      type: 'object',
      properties: { pass: secret, next: { $ref: '#/$defs/proxy' }, port: { type: 'integer' } },
    },
  },
});

const secrets = {
  name: 'the mail',
  login: { user: 'ann', password: 'canary-1' },
  mailboxes: [{ host: 'a', key: 'canary-2' }, { host: 'b' }],
  way: { phrase: 'canary-3' },
  headers: { authorization: 'canary-4' },
  vault: { deep: ['canary-5'] },
  pin: 123_456,
  proxy: { pass: 'canary-7', port: 80, next: { pass: 'canary-8' } },
  'x-extra': 'canary-9',
};

async function refusal(work: Promise<unknown>): Promise<TroveError> {
  try {
    await work;
  } catch (error) {
    if (isTroveError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('secrets at any depth are hidden', () => {
  const shown = redactConfig(nested, secrets);
  assert.not.match(JSON.stringify(shown), /canary|123456/);
  assert.equal(shown, {
    name: 'the mail',
    login: { user: 'ann', password: '***' },
    mailboxes: [{ host: 'a', key: '***' }, { host: 'b' }],
    way: { phrase: '***' },
    headers: { authorization: '***' },
    vault: '***',
    pin: '***',
    proxy: { pass: '***', port: 80, next: { pass: '***' } },
    'x-extra': '***',
  });
  assert.is(secrets.login.password, 'canary-1');
});

test('resolves nested secrets and treats them as secrets', async () => {
  const given = {
    ...secrets,
    login: { user: 'env:NOT_A_SECRET', password: 'env:TROVE_TEST_SECRET' },
  };
  const { config, secrets: found } = await resolveConfig(nested, given);
  assert.equal(config['login'], { user: 'env:NOT_A_SECRET', password: 'of-the-environment' });
  assert.equal(given.login.password, 'env:TROVE_TEST_SECRET');
  const message = redact(`refused: ${JSON.stringify(config)}`, found);
  assert.not.match(message, /canary|123456|of-the-environment/);
  assert.match(message, 'the mail');
  assert.equal(redactConfig(nested, given)?.['login'], {
    user: 'env:NOT_A_SECRET',
    password: 'env:TROVE_TEST_SECRET',
  });
  assert.equal(
    findLiteralSecrets(nested, given).filter((place) => place.startsWith('login')),
    [],
  );
  assert.ok(findLiteralSecrets(nested, secrets).includes('login.password'));
});

test('an address with a password counts as a secret in plain text', () => {
  const schema = { type: 'object', properties: { dsn: { type: 'string' } } } as const;
  const of = (dsn: string): string[] => findLiteralSecrets(schema, { dsn });
  assert.equal(of('postgres://reader:canary@db.example.org/shop'), ['dsn']);
  assert.equal(of('postgres://db.example.org/shop'), []);
  assert.equal(of('env:DATABASE_URL'), []);
});

test('accepts addresses in any script', async () => {
  const places = {
    page: { type: 'string', format: 'iri' },
    link: { type: 'string', format: 'iri-reference' },
    name: { type: 'string', format: 'idn-hostname' },
  } as const;
  const schema = plain({ type: 'object', properties: { token: secret, ...places } });
  for (const key of Object.keys(places)) {
    const own = { [key]: 'bücher.example' };
    assert.equal((await resolveConfig(schema, own)).config, own);
    assert.throws(
      () => mergeOperatorSettings(schema, { token: 'env:OPERATOR' }, own),
      new RegExp(`config.${key}: may send`),
    );
  }
});

test('unknown keys are hidden, because they may be misspelt secrets', () => {
  const shown = redactConfig(flat, { tokn: 'canary', token: 'env:A', credential_ref: 'env:B' });
  assert.equal(shown, { tokn: '***', token: 'env:A', credential_ref: 'env:B' });
  assert.equal(redactConfig({ type: 'object', additionalProperties: true }, { free: 'text' }), {
    free: 'text',
  });
});

test('values behind external references and anchors count as secret', () => {
  for (const $ref of ['https://example.org/login.json', '#login', '#/$defs/none']) {
    const schema = plain({ type: 'object', properties: { far: { $ref } } });
    assert.equal(redactConfig(schema, { far: { user: 'canary' } }), { far: '***' }, $ref);
  }
});

test('branches at the top of a schema contribute their keys', async () => {
  const schema: JsonSchema = {
    type: 'object',
    oneOf: [
      { properties: { token: secret }, required: ['token'] },
      { properties: { user: { type: 'string' } }, required: ['user'] },
    ],
  };
  assert.equal((await resolveConfig(schema, { token: 'env:TROVE_TEST_SECRET' })).config, {
    token: 'of-the-environment',
  });
  assert.is((await refusal(resolveConfig(schema, { usr: 'x' }))).code, 'config_invalid');
});

test("an operator's secret is sent only to the operator's address", () => {
  const schema = plain({
    type: 'object',
    properties: {
      token: secret,
      base_url: { type: 'string' },
      site: { type: 'object', properties: { host: { type: 'string', format: 'hostname' } } },
      depth: { type: 'integer' },
      channels: { type: 'array', items: { type: 'string' } },
    },
  });
  const operator = { token: 'env:OPERATOR', base_url: 'https://good', depth: 1 };
  const merged = (own: Record<string, unknown>, of: Record<string, unknown> = operator) =>
    mergeOperatorSettings(schema, of, own);
  for (const harmless of [{}, { base_url: 'https://good' }, { channels: ['a'] }]) {
    assert.equal(merged(harmless), { ...operator, ...harmless });
  }
  const { base_url: _, ...fewer } = operator;
  for (const [own, of] of [
    [{ base_url: 'https://evil' }, operator],
    [{ base_url: 'https://evil' }, fewer],
    [{ base_url: 'evil' }, operator],
    [{ depth: 2 }, operator],
    [{ site: { host: 'evil' } }, operator],
    [{ channels: ['a', 'https://evil'] }, operator],
    [{ base_url: 'https://evil' }, { credential_ref: 'env:OPERATOR' }],
    [{ base_url: 'https:evil' }, fewer],
    [{ base_url: ' \tHTTPS:\\\\evil' }, fewer],
    [{ base_url: 'ht\ntps://evil' }, fewer],
    [{ base_url: '//evil/path' }, fewer],
    [{ base_url: 'env:EVIL' }, fewer],
  ]) {
    const name = Object.keys(own ?? {}).join();
    assert.throws(
      () => merged(own ?? {}, of),
      (error: TroveError) =>
        error.code === 'config_invalid' &&
        error.detail.startsWith(`config.${name}`) &&
        error.detail.includes('secret config.token to another address'),
      name,
    );
    for (const mine of [{ token: 'mine' }, { credential_ref: 'env:MINE' }]) {
      const { token, credential_ref: ref } = merged({ ...own, ...mine }, of);
      assert.is(token ?? ref, Object.values(mine)[0]);
    }
    const {
      token: _token,
      credential_ref: _ref,
      ...open
    } = { credential_ref: '', token: '', ...of };
    assert.equal(merged(own ?? {}, open), { ...open, ...own });
  }
});

test("a source with its own secret does not get the operator's", async () => {
  const schema = plain({
    type: 'object',
    properties: { token: { ...secret, type: ['string', 'null'] }, base_url: { type: 'string' } },
  });
  for (const of of [
    { credential_ref: 'env:TROVE_TEST_SECRET' },
    { token: 'env:TROVE_TEST_SECRET' },
  ])
    for (const mine of [{ token: null }, { credential_ref: null }, { token: '' }]) {
      const own = { base_url: 'https://evil', ...mine };
      const { config } = await resolveConfig(schema, mergeOperatorSettings(schema, of, own));
      assert.equal(config, { base_url: 'https://evil', token: Object.values(mine)[0] ?? null });
    }
});

test('secrets are removed from messages in any encoding', async () => {
  const key = '-----BEGIN KEY-----\nMIIEcanary0\nMIIEcanary1\n-----END KEY-----';
  for (const [value, message] of [
    ['p@ss/canary', 'GET https://host/?k=p%40ss%2Fcanary'],
    ['say "canary"', String.raw`{"token":"say \"canary\""}`],
    ['postgres://ann:can%40ry@host/db', 'password can@ry of ann was refused'],
    ['postgres://ann:can%40ry@host/db', 'canary: no: can%40ry'.replace('canary: ', '')],
    ['host=db password=canary user=ann', 'FATAL: canary'],
    [key, 'no key in line MIIEcanary1'],
    ['canary', 'canary-and-more: canary'],
    ['abc', 'the token "abc" was refused, of abcde'],
  ] as const) {
    const { secrets: found } = await resolveConfig(flat, { token: value });
    const clean = redact(message, found);
    assert.not.match(clean, /canary|can@ry|can%40ry|"abc"/, message);
    assert.match(clean, '***');
    if (value === 'abc') assert.match(clean, 'of abcde');
  }
});

test('hides credentials in a URL that no schema marks as secret', async () => {
  const place = 'https://ann:canary-1@host/a?x=1&api_key=canary-2&sig=canary-3#top';
  assert.equal(redactConfig(flat, { place }), {
    place: 'https://***@host/a?x=1&api_key=***&sig=***#top',
  });
  const { secrets: found } = await resolveConfig(flat, { place });
  assert.not.match(redact(`no answer from ${place}: canary-1`, found), 'canary');
  assert.is(redactUrl('https://host/@ann?q=a@b'), 'https://host/@ann?q=a@b');
  assert.is(redactUrl('postgres://u:p@ss@h/d'), 'postgres://***@h/d');
  assert.is(redactUrl(' https://u:p@h/?a=b?token=c?d'), ' https://***@h/?a=b?token=***');
  const { secrets: spaced } = await resolveConfig(flat, { place: '\thttps://u:canary@h/' });
  assert.is(redact('not canary', spaced), 'not ***');
});

test('a long text is redacted quickly', () => {
  const began = performance.now();
  for (const part of ['?key', '&key', 'key', '?', '?key=', '://', '@', ' '])
    redactUrl(`https://host/${part.repeat(200_000)}`);
  redactUrl(' '.repeat(1_000_000));
  assert.ok(performance.now() - began < 2000);
});

test('only keys that the schema knows are resolved', async ({ folder }) => {
  const there = join(folder, 'there');
  await writeFile(there, 'x');
  const details = new Set<string>();
  for (const value of [`file:${there}`, `file:${folder}/not-there`, 'env:PATH', 'env:NOT_SET']) {
    const { code, detail, suggestions } = await refusal(resolveConfig(flat, { unknown: value }));
    assert.is(code, 'config_invalid');
    assert.equal(suggestions, ['Correct the key that the detail names.']);
    details.add(detail);
  }
  assert.equal([...details], ['config.unknown: is not known']);
});

test('`file:` reads regular files of text', async ({ folder }) => {
  const file = join(folder, 'key');
  await writeFile(file, 'two\nlines\n\n');
  await symlink(file, join(folder, 'link'));
  for (const path of [file, join(folder, 'link')]) {
    const { config, secrets: found } = await resolveConfig(flat, { token: `file:${path}` });
    assert.equal(config, { token: 'two\nlines' });
    assert.not.match(redact('says "two\nlines"', found), 'lines');
  }
  await writeFile(file, 'k'.repeat(64 * 1024));
  await resolveConfig(flat, { token: `file:${file}` });
});

test('`file:` never blocks, reads little and hides which files exist', async ({ folder }) => {
  const path = (name: string): string => join(folder, name);
  execFileSync('mkfifo', [path('fifo')]);
  await writeFile(path('large'), '');
  await truncate(path('large'), 512 * 1024 * 1024);
  await writeFile(path('over'), 'k'.repeat(64 * 1024 + 1));
  await writeFile(path('empty'), ' \n');
  await writeFile(path('locked'), 'x');
  await chmod(path('locked'), 0o000);
  await symlink(path('fifo'), path('link'));
  const targets = [
    ...['fifo', 'link', 'large', 'over', 'empty', 'missing', '.', 'large/below'].map(path),
    ...(process.getuid?.() === 0 ? [] : [path('locked')]),
    '/dev/zero',
    '/dev/tty',
    '/dev/stdin',
    '/proc/self/environ',
    '/proc/self/fd/0',
  ];
  const details = new Set<string>();
  await Promise.all(
    targets.map(async (target) => {
      const error = await refusal(resolveConfig(flat, { token: `file:${target}` }));
      assert.is(error.code, 'credential_error', target);
      details.add(error.detail);
    }),
  );
  assert.is(details.size, 1, [...details].join());
  assert.match([...details].join(), /^config\.token: the file cannot be read/);
});

test('refuses a pipe or a device without opening it', async ({ folder }) => {
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  for (const target of [fifo, '/dev/null', folder]) {
    const { cause } = await refusal(resolveConfig(flat, { token: `file:${target}` }));
    assert.match(cause instanceof Error ? cause.message : '', 'not a regular file', target);
  }
});

test('a hundred references to pipes block no threads', async ({ folder }) => {
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const all = Array.from({ length: 100 }, () =>
    refusal(resolveConfig(flat, { token: `file:${fifo}` })),
  );
  assert.ok((await Promise.all(all)).every(({ code }) => code === 'credential_error'));
});

test('`credential_ref` sets the only secret, and is refused without one', async () => {
  const { config, secrets: found } = await resolveConfig(flat, {
    credential_ref: 'env:TROVE_TEST_SECRET',
  });
  assert.equal(config, { token: 'of-the-environment' });
  assert.ok(found.includes('of-the-environment'));
  assert.equal(redactConfig(flat, { credential_ref: 'literal' }), { credential_ref: '***' });
  const none: JsonSchema = { type: 'object', properties: {} };
  const error = await refusal(resolveConfig(none, { credential_ref: 'env:NOT_SET' }));
  assert.is(error.code, 'config_invalid');
});

test('plugin schemas with the same `$id` do not affect each other', async () => {
  for (const [name, type] of [
    ['a', 'string'],
    ['b', 'number'],
  ]) {
    const schema = plain({ $id: 'config', type: 'object', properties: { [name ?? '']: { type } } });
    checkSchema(schema);
    await resolveConfig(schema, { [name ?? '']: type === 'string' ? 'x' : 1 });
    assert.is((await refusal(resolveConfig(schema, { c: 1 }))).code, 'config_invalid');
  }
});

test('suggests correcting the key in the configuration, not in a request', async () => {
  const schema = { ...flat, required: ['place'], additionalProperties: false } as const;
  const hints = async (given: Record<string, unknown>): Promise<readonly string[] | null> => {
    const error: unknown = await resolveConfig(schema, given).catch((thrown: unknown) => thrown);
    return isTroveError(error) ? error.suggestions : null;
  };
  assert.equal(await hints({}), ['Correct the key that the detail names.']);
  assert.equal(await hints({ plce: 'x' }), ['Did you mean `place`?']);
});

test('a configuration with endless nesting is refused', async () => {
  const endless: Record<string, unknown> = {};
  endless['proxy'] = endless;
  assert.is((await refusal(resolveConfig(nested, endless))).code, 'config_invalid');
});

test('compiles the schema of a plugin once for all its sources', async () => {
  let reads = 0;
  const limit = {
    type: 'integer',
    get maximum(): number {
      reads++;
      return 10;
    },
  } as const;
  const schema: JsonSchema = { type: 'object', properties: { limit } };
  assert.equal((await resolveConfig(schema, { limit: 3 })).config, { limit: 3 });
  const first = reads;
  assert.ok(first > 0);
  assert.equal((await resolveConfig(schema, { limit: 4 })).config, { limit: 4 });
  assert.is(reads, first);
  const error = await resolveConfig(schema, { limit: 11 }).catch((thrown: unknown) => thrown);
  assert.match(String(error), 'config.limit: must be <= 10');
});

test.run();
