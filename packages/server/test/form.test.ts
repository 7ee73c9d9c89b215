import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TroveClient } from '@trove/client';
import { Gate } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testUnless } from '@trove/test-support/skips.js';
import { httpPage } from '../scripts/lib/http-page.js';
import type { Host, HostOptions } from '../src/host.js';
import { openApiDocument } from '@trove/operations';
import type { Route } from '../src/index.js';
import { operationsOf, record } from './support/document.js';
import { formLimit, formRoute } from './support/form-route.js';
import { DocumentSchemas } from './support/schemas.js';
import { call, envelope, token, withHost, type Answer } from './support/server.js';

const test = suite('multipart forms');
const document = record(JSON.parse(JSON.stringify(openApiDocument([formRoute()], '1'))));
const schemas = new DocumentSchemas(document);

let folder = '';
let before: string | undefined;
test.before.each(() => {
  before = process.env['TMPDIR'];
  folder = mkdtempSync(join(tmpdir(), 'trove-forms-'));
  process.env['TMPDIR'] = folder;
});
test.after.each(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(folder, { recursive: true, force: true });
});

const serve = (
  test_: (host: Host) => Promise<void>,
  options: Partial<HostOptions> & { readonly routes?: readonly Route[] } = {},
) => withHost({}, test_, { routes: [formRoute()], ...options });

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function form(...parts: readonly (readonly [string, string | Blob, string?])[]): FormData {
  const data = new FormData();
  for (const [name, value, file] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, file);
  }
  return data;
}

async function send(host: Host, data: FormData): Promise<Answer> {
  const response = await fetch(`${host.url}/kinds/form`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: data,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const isLinux = process.platform === 'linux';
const onLinux = testUnless(isLinux ? null : 'only Linux tells which files are open', test);

/** The open unlinked files of this process, if the system lists them. */
function spools(): number {
  if (!isLinux) return 0;
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}

async function leavesNothing(): Promise<void> {
  await waitUntil(() => spools() === 0, 'the spool is closed');
  assert.equal(readdirSync(folder), []);
}

test('files and fields arrive, whatever their size and name', () =>
  serve(async (host) => {
    const large = randomBytes(3 * 2 ** 20);
    const answer = await send(
      host,
      form(
        ['files', new Blob([large], { type: 'application/pdf' }), 'Größe 1.pdf'],
        ['deep', 'false'],
        ['files', new Blob(['two']), '../folder/two.txt'],
        ['chunk_size', '500'],
        ['files', new Blob([]), 'empty.md'],
      ),
    );
    assert.is(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body, {
      fields: { deep: false, chunk_size: 500, graph: '' },
      files: [
        {
          name: 'Größe 1.pdf',
          type: 'application/pdf',
          size: large.length,
          sha256: sha256(large),
        },
        {
          name: 'two.txt',
          type: 'application/octet-stream',
          size: 3,
          sha256: sha256(Buffer.from('two')),
        },
        {
          name: 'empty.md',
          type: 'application/octet-stream',
          size: 0,
          sha256: sha256(Buffer.from('')),
        },
      ],
    });
    assert.is(schemas.problems('form', answer.status, answer.body), '');
    await leavesNothing();
  }));

test('a form of the TypeScript client arrives', () =>
  serve(async (host) => {
    const { http } = new TroveClient({ baseUrl: host.url, token });
    const files = [new File(['one'], 'one.txt'), new File(['two'], 'two.txt')];
    const sent = { files, deep: false, graph: undefined };
    const answer = record(await http.json({ method: 'POST', path: '/kinds/form', form: sent }));
    assert.equal(answer['fields'], { deep: false, chunk_size: 1000, graph: '' });
    assert.match(JSON.stringify(answer['files']), /one\.txt.*two\.txt/);
  }));

const file = (name = 'a.txt', text = 'x') => ['files', new Blob([text]), name] as const;

test('explains what is wrong with a form', () =>
  serve(async (host) => {
    const tooMany = Array.from({ length: 101 }, (_, n) => [`f${n}`, 'x'] as const);
    for (const [parts, status, detail] of [
      [[['deep', 'true']], 422, 'body.files: is required'],
      [[file('x'.repeat(1025))], 422, 'body.files: a name must be at most 1024 characters'],
      [[['other', new Blob(['x']), 'a']], 422, 'body: files must be in the field `files`'],
      [[['files', 'x']], 422, 'body.files: is not known'],
      [[file(), ['nosuch', '1']], 422, 'body.nosuch: is not known'],
      [[file(), ['deep', 'ja']], 422, 'body.deep: must be boolean'],
      [[file(), ['deep', 'true'], ['deep', 'true']], 422, 'body: has a repeated field'],
      [[file(), ['graph', 'a\0b']], 422, 'body: must not contain a NUL'],
      [[file(), ['__proto__', '1']], 422, 'body: must not have a key `__proto__`'],
      [[file(), file(), file(), file()], 413, 'body: must not contain more than 3 files'],
      [[file(), ...tooMany], 413, 'body: must not contain more than 100 fields'],
      [
        [file(), ['graph', 'x'.repeat(70_000)]],
        413,
        'body: must not contain a field of more than 65536 bytes',
      ],
      [[file('a', 'x'.repeat(formLimit))], 413, `body: must be at most ${formLimit} bytes`],
    ] as const) {
      const answer = await send(host, form(...parts));
      assert.is(answer.status, status, detail);
      assert.is(envelope(answer).detail, detail);
      assert.is(schemas.problems('form', answer.status, answer.body), '');
      await leavesNothing();
    }
  }));

const start = (name: string) =>
  `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;

test('an invalid form is refused, wherever it ends', () =>
  serve(async (host) => {
    const whole = `${start('a')}text\r\n--b--\r\n`;
    const cut = Array.from({ length: whole.length - 4 }, (_, at) => whole.slice(0, at + 1));
    for (const [type, body, status] of [
      ['application/json', '{}', 415],
      ['application/x-www-form-urlencoded', 'a=b', 415],
      ['multipart/form-data', whole, 422],
      ['multipart/form-data; boundary=', whole, 422],
      ['multipart/form-data; boundary=other', whole, 422],
      ['multipart/form-data; boundary=b', '\0'.repeat(1000), 422],
      ['multipart/form-data; boundary=b', `${start('x'.repeat(20_000))}text\r\n--b--\r\n`, 422],
      ...cut.map((text) => ['multipart/form-data; boundary=b', text, 422] as const),
    ] as const) {
      const headers = { 'content-type': type };
      const answer = await call(host, '/kinds/form', { method: 'POST', body, headers });
      assert.is(answer.status, status, `${type} ${body.slice(0, 120)}`);
      envelope(answer);
    }
    const empty = {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    };
    assert.is((await call(host, '/kinds/form', empty)).status, 422);
    await leavesNothing();
  }));

test('ignores the empty nameless file of an unused file input', () =>
  serve(async (host) => {
    const none = await call(host, '/kinds/form', {
      method: 'POST',
      body: `${start('')}\r\n--b--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    assert.is(envelope(none).detail, 'body.files: is required');
  }));

onLinux('temporary files have no name and are deleted when the handler fails', async () => {
  let names: readonly string[] | null = null;
  const failing = formRoute(async ({ files }) => {
    names = readdirSync(folder);
    assert.is(spools(), 1);
    for (const { read } of files) for await (const piece of read()) assert.ok(piece.length > 0);
    throw new Error('out of order');
  });
  await serve(
    async (host) => {
      assert.is((await send(host, form(file()))).status, 500);
      assert.equal(names, []);
      await leavesNothing();
    },
    { routes: [failing] },
  );
});

onLinux('a client that disconnects during a file leaves nothing behind', () =>
  serve(async (host) => {
    const request = httpRequest(`${host.url}/kinds/form`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
    });
    request.on('error', () => {});
    request.write(start('a') + 'x'.repeat(1000));
    await waitUntil(() => spools() === 1, 'the file has begun');
    request.destroy();
    await leavesNothing();
  }),
);

test('a route with a gate limits running and waiting requests', async () => {
  const gate = new Gate(1, 1);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  await serve(
    async (host) => {
      const silent = httpRequest(`${host.url}/kinds/form`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
      });
      silent.on('error', () => {});
      silent.flushHeaders();
      const first = send(host, form(file()));
      await waitUntil(() => gate.state.running === 1, 'one is running');
      const second = send(host, form(file()));
      await waitUntil(() => gate.state.waiting === 1, 'one waits');
      const third = await send(host, form(file()));
      assert.is(third.status, 503);
      assert.is(envelope(third).code, 'overloaded');
      assert.ok(Number(third.headers.get('retry-after')) >= 1);
      finish();
      assert.equal([(await first).status, (await second).status], [200, 200]);
      assert.is((await send(host, form())).status, 422, 'a bad one leaves its place');
      await waitUntil(() => gate.state.running === 0, 'all have left');
      silent.destroy();
    },
    { routes: [formRoute(() => finished, gate)] },
  );
});

test('a full disk is reported as the cause', () =>
  serve(async (host) => {
    process.env['TMPDIR'] = join(folder, 'nosuch');
    const answer = await send(host, form(file()));
    assert.is(answer.status, 503);
    assert.is(envelope(answer).code, 'storage_unavailable');
    assert.match(envelope(answer).suggestions.join(), 'TMPDIR');
    process.env['TMPDIR'] = folder;
  }));

test('the document and the reference page show the form', () => {
  const [found] = operationsOf(document);
  assert.equal(record(found?.operation['requestBody'])['content'], {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          files: {
            type: 'array',
            items: { type: 'string', format: 'binary' },
            minItems: 1,
            maxItems: 3,
            description: 'The files, each with its name.',
          },
          chunk_size: { type: 'integer', minimum: 1, default: 1000, description: 'In characters.' },
          deep: { type: 'boolean', default: true },
          graph: { type: 'string', default: '' },
        },
        required: ['files'],
        additionalProperties: false,
      },
    },
  });
  const page = httpPage([formRoute()]);
  assert.match(page, '| `files` | form | files | required | The files, each with its name. |');
  assert.match(page, '| `chunk_size` | form | integer | `1000` | In characters. |');
});

test.run();
