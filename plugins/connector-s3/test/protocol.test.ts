import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import { googleAccessOf } from '../src/google.js';
import { calm, defaults, listed, open, textAt } from './source.js';

/* Responses that the store of these tests never sends: those of Amazon and other stores, and invalid ones. */

const test = suite('S3 connector, responses of stores');
const key = { access_key_id: 'somebody', secret_access_key: 'a-secret' };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function withStore(
  answer: Answer,
  run: (endpoint: string, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  await using server = await listen((request, response) => {
    const [, region = ''] = /\/([^/]+)\/s3\//.exec(request.headers.authorization ?? '') ?? [];
    asked.push(`${request.method} ${request.url} ${region}`);
    answer(request, response);
  });
  await run(server.origin, asked);
}

const list = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><EncodingType>url</EncodingType>${content.includes('<IsTruncated>') ? '' : '<IsTruncated>false</IsTruncated>'}${content}</ListBucketResult>`;

const object = (name: string, more = ''): string =>
  `<Contents><Key>${name}</Key><LastModified>2024-02-29T12:00:00.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>3</Size>${more}</Contents>`;

test('lists archived objects and impossible keys as skipped', async () => {
  const glacier = '<StorageClass>GLACIER</StorageClass>';
  const page = list(
    [
      object('old+report.pdf', glacier),
      object('older', '<StorageClass>DEEP_ARCHIVE</StorageClass>'),
      object('cold', '<StorageClass>GLACIER_IR</StorageClass>'),
      object('a/../b'),
      object('nul%00.md'),
      object('%D0%B4%2B%26.md'),
    ].join(''),
  );
  await withStore(
    (_, response) => response.end(page),
    async (endpoint) => {
      const entries = await listed(open('s3://bucket', { ...key, endpoint }));
      const known = entries.map(({ path, size, skip }) => [path, size, skip]);
      const archived = (name: string): string =>
        `archived (storage class ${name}): it must be restored to another class before it can be read`;
      assert.equal(known, [
        ['a/%2E%2E/b', null, 'its key has a part "." or "..", which no HTTP request can contain'],
        ['cold', 3, undefined],
        ['nul\0.md', null, 'its key contains a NUL'],
        ['old report.pdf', null, archived('GLACIER')],
        ['older', null, archived('DEEP_ARCHIVE')],
        ['д+&.md', 3, undefined],
      ]);
      assert.is(entries.at(-1)?.fingerprint, '"e"');
      assert.is(entries.at(-1)?.modifiedAt, Date.UTC(2024, 1, 29, 12));
    },
  );
});

test('rejects reading an archived object with `path_not_allowed`', async () => {
  const body = '<Error><Code>InvalidObjectState</Code><Message>No.</Message></Error>';
  await withStore(
    (_, response) => response.writeHead(403).end(body),
    async (endpoint) => {
      const error = await rejection(() => textAt(open('s3://bucket', { ...key, endpoint }), 'a'));
      assert.equal(
        [error.code, error.detail],
        ['path_not_allowed', '"a" is archived and cannot be read.'],
      );
    },
  );
});

test('rejects a list with a long element name early', async () => {
  const long = 'a'.repeat(1_000_000);
  const page = list(`<${long}>${'<b/>'.repeat(20_000)}</${long}>`);
  await withStore(
    (_, response) => response.end(page),
    async (endpoint) => {
      const started = performance.now();
      const error = await rejection(() => listed(open('s3://bucket', { ...key, endpoint })));
      assert.match(error.detail, 'the list of objects cannot be read');
      assert.ok(performance.now() - started < 3000);
    },
  );
});

test('follows a bucket into its region, and remembers the region', async () => {
  const ways: Answer[] = [
    (_, response) => response.writeHead(301, { 'x-amz-bucket-region': 'eu-north-1' }).end(),
    (_, response) =>
      response
        .writeHead(400)
        .end('<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-north-1</Region></Error>'),
  ];
  for (const elsewhere of ways) {
    await withStore(
      (request, response) => {
        const isRight = /\/eu-north-1\/s3\//.test(request.headers.authorization ?? '');
        if (isRight) response.end(list(object('a.md')));
        else elsewhere(request, response);
      },
      async (endpoint, asked) => {
        const source = open('s3://bucket', { ...key, endpoint, region: 'us-east-1' });
        assert.is((await listed(source)).length, 1);
        assert.is((await listed(source)).length, 1);
        const regions = asked.map((request) => request.split(' ')[2]);
        assert.equal(regions, ['us-east-1', 'eu-north-1', 'eu-north-1']);
      },
    );
  }
});

test('stops at a store that redirects to ever new regions or to none', async () => {
  for (const region of ['elsewhere', 'evil.example/?', '']) {
    await withStore(
      (_, response) => response.writeHead(301, { 'x-amz-bucket-region': region }).end(),
      async (endpoint, asked) => {
        const error = await rejection(() => listed(open('s3://bucket', { ...key, endpoint })));
        assert.is(error.code, 'connector_unhealthy');
        assert.ok(asked.length <= 2, asked.join());
      },
    );
  }
});

test('does not follow redirects to other hosts', async () => {
  await withStore(
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    async (endpoint, asked) => {
      const { ok, detail } = await open('s3://bucket', { ...key, endpoint }).check({
        signal: calm(),
      });
      assert.is(ok, false);
      assert.match(detail, 'does not answer like an S3 store (HTTP 302)');
      assert.is(asked.length, 1);
    },
  );
});

test('rejects invalid, hostile and truncated lists', async () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${list(object('&b;'))}`;
  const answers = [
    '<html><body>Welcome</body></html>',
    'hello',
    '',
    bomb,
    list(object('&secret;')),
    list(object('%ff')),
    list('<IsTruncated>true</IsTruncated>'),
    list(object('a')).replace('<IsTruncated>false</IsTruncated>', ''),
    list(object('a')).slice(0, -10),
    list('<Contents><Size>1</Size></Contents>'),
    list('<x>'.repeat(1000)),
    list(object('a').repeat(150_000)),
    list('<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>'),
  ];
  for (const answer of answers) {
    await withStore(
      (_, response) => response.end(answer),
      async (endpoint) => {
        const error = await rejection(() => listed(open('s3://bucket', { ...key, endpoint })));
        assert.is(error.code, 'connector_unhealthy', answer.slice(0, 100));
        assert.match(error.detail, /^The store of the bucket "bucket" does not answer like S3: /);
      },
    );
  }
});

test('reports the shortened message of an unsuccessful response', async () => {
  const body = `<Error><Code>Odd</Code><Message>${'long '.repeat(500)}</Message></Error>`;
  await withStore(
    (_, response) => response.writeHead(418).end(body),
    async (endpoint) => {
      const error = await rejection(() => listed(open('s3://bucket', { ...key, endpoint })));
      assert.match(error.detail, /refused the request \(HTTP 418, Odd\): long long/);
      assert.ok(error.detail.length < 400);
      assert.is(error.retryable, false);
    },
  );
});

test('sends temporary credentials with their token', async () => {
  const tokens: unknown[] = [];
  await withStore(
    (request, response) => {
      tokens.push(request.headers['x-amz-security-token']);
      response.writeHead(400).end('<Error><Code>ExpiredToken</Code></Error>');
    },
    async (endpoint) => {
      const config = { ...key, endpoint, session_token: 'for-an-hour' };
      const error = await rejection(() => listed(open('s3://bucket', config)));
      assert.match(error.detail, 'session token of the access key has expired');
      assert.equal(tokens, ['for-an-hour']);
    },
  );
});

test('reads a range from stores with and without range support', async () => {
  const whole = 'abcdefghij';
  const partAt = async (answer: Answer, start: number, end?: number): Promise<unknown> => {
    let got: unknown;
    await withStore(answer, async (endpoint) => {
      const { read } = open('s3://bucket', { ...key, endpoint });
      const range = end === undefined ? { start } : { start, end };
      const { bytes, start: from } = await read('a.md', { range, signal: calm() });
      const pieces = bytes instanceof Uint8Array ? [bytes] : await collect(bytes);
      got = [from, Buffer.concat(pieces).toString()];
    });
    return got;
  };
  const honest: Answer = ({ headers }, response) => {
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const last = to === '' ? whole.length - 1 : Number(to);
    if (Number(from) >= whole.length) return void response.writeHead(416).end('<Error/>');
    const range = `bytes ${from}-${last}/${whole.length}`;
    response.writeHead(206, { 'content-range': range }).end(whole.slice(Number(from), last + 1));
  };
  assert.equal(await partAt(honest, 2, 5), [2, 'cde']);
  assert.equal(await partAt(honest, 7), [7, 'hij']);
  assert.equal(await partAt(honest, 10, 20), [10, '']);
  assert.equal(await partAt(honest, 3, 3), [3, '']);
  const simple: Answer = (_, response) => response.end(whole);
  assert.equal(await partAt(simple, 2, 5), [undefined, whole]);
  const zipped: Answer = ({ headers }, response) => {
    const bytes = gzipSync(whole);
    const encoding = { 'content-encoding': 'gzip' };
    if (headers.range === undefined) return void response.writeHead(200, encoding).end(bytes);
    const range = { 'content-range': `bytes 2-4/${bytes.length}` };
    response.writeHead(206, { ...encoding, ...range }).end(bytes.subarray(2, 5));
  };
  assert.equal(await partAt(zipped, 2, 5), [undefined, whole]);
});

test('signs requests for gs:// only with keys of Google', async () => {
  const target = 'gs://bucket';
  process.env['AWS_ACCESS_KEY_ID'] = 'amazon';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'amazon-secret';
  try {
    const health = await open(target, {}).check({ signal: calm() });
    assert.match(health.detail, /no HMAC key.*Interoperability/);
    await withStore(
      ({ headers }, response) => {
        assert.match(headers.authorization ?? '', 'Credential=somebody/');
        response.end(list(object('a.md')));
      },
      async (endpoint, asked) => {
        const entries = await listed(open(target, { ...key, endpoint }));
        assert.equal(
          entries.map(({ path }) => path),
          ['a.md'],
        );
        assert.match(asked[0] ?? '', / auto$/);
      },
    );
    assert.equal(googleAccessOf({ ...defaults, anonymous: true }), {
      credentials: null,
      region: 'auto',
      endpoint: 'https://storage.googleapis.com',
    });
  } finally {
    delete process.env['AWS_ACCESS_KEY_ID'];
    delete process.env['AWS_SECRET_ACCESS_KEY'];
  }
});

test.run();
