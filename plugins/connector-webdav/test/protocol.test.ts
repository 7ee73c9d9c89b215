import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { listen } from '@trove/test-support/listen.js';
import { rejection } from '@trove/test-support/rejection.js';
import { normalizeEtag } from '../src/multistatus.js';
import { calm, listed, open, textAt } from './dav-folder.js';

/* Responses that Apache never sends: those of other servers and proxies, and invalid ones. */

const test = suite('WebDAV connector, responses of servers');

interface DavAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Answers by the path of a request. */
async function withServer(
  answers: Readonly<Record<string, DavAnswer | string>>,
  run: (origin: string, requests: readonly string[]) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  await using server = await listen((request, response) => {
    const { method, url = '/', headers } = request;
    requests.push(`${method} ${url} ${String(headers['depth'] ?? '')}`.trim());
    const answer = answers[url] ?? { status: 404 };
    const {
      status = 207,
      headers: sent = {},
      body = '',
    } = typeof answer === 'string' ? { body: answer } : answer;
    response.writeHead(status, sent).end(body);
  });
  await run(server.origin, requests);
}

const multistatus = (...responses: readonly string[]): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns">${responses.join('')}</d:multistatus>`;

const found = (href: string, properties: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;

const collection = '<d:resourcetype><d:collection/></d:resourcetype>';
const file = (more = ''): string =>
  `<d:resourcetype/><d:getlastmodified>Thu, 05 Nov 2026 10:00:00 GMT</d:getlastmodified><d:getcontentlength>3</d:getcontentlength>${more}`;

test('reads the responses of Nextcloud, with the ids of its files', async () => {
  const missing =
    '<d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>';
  const root = '/remote.php/dav/files/ada';
  const folder = (href: string): string =>
    found(
      href,
      `${collection}<d:getetag>&quot;65a&quot;</d:getetag><oc:fileid>1</oc:fileid>`,
    ).replace('</d:response>', missing);
  const answers = {
    [root]: multistatus(
      folder(`${root}/`),
      folder(`${root}/Photos/`),
      found(
        `${root}/caf%c3%a9%20%231.md`,
        file('<d:getetag>&quot;abc&quot;</d:getetag><oc:fileid>42</oc:fileid>'),
      ),
    ),
    [`${root}/Photos/`]: multistatus(folder(`${root}/Photos/`)),
  };
  await withServer(answers, async (origin, requests) => {
    assert.equal(await listed(open(`${origin}${root}/`)), [
      {
        path: 'café #1.md',
        size: 3,
        modifiedAt: Date.UTC(2026, 10, 5, 10),
        fingerprint: 'abc',
        identity: '42',
      },
    ]);
    assert.equal(requests, [`PROPFIND ${root} 1`, `PROPFIND ${root}/Photos/ 1`]);
  });
});

test('finds members by whole, unescaped and proxied addresses', async () => {
  await withServer(
    {
      '/dav': multistatus(
        found('http://backend:8080/srv/', collection),
        found('http://backend:8080/srv/a b.md', file()),
        found('/srv/%61%C3%BC.md', file()),
        found('/elsewhere/x.md', file()),
        found('/srv/sub/deep.md', file()),
      ),
    },
    async (origin) => {
      const paths = (await listed(open(`${origin}/dav`))).map(({ path }) => path);
      assert.equal(paths, ['a b.md', 'aü.md']);
    },
  );
});

/** Answers requests for collections below `/d/`, each of which contains the others, as by links on the server. */
async function withLoops(
  members: readonly string[],
  run: (origin: string, requests: readonly string[]) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  await using server = await listen((request, response) => {
    const path = (request.url ?? '').replace(/\/$/, '');
    requests.push(path);
    const inside = members.map((member) =>
      found(`${path}/${member}`, member.endsWith('/') ? collection : file()),
    );
    response.writeHead(207).end(multistatus(found(`${path}/`, collection), ...inside));
  });
  await run(server.origin, requests);
}

test('cuts loops of collections that contain themselves', async () => {
  await withLoops(['self/', 'again/', 'a.md'], async (origin, requests) => {
    const warnings: string[] = [];
    const entries = await listed(open(`${origin}/d`), warnings);
    assert.equal(
      entries.map(({ path }) => path),
      ['a.md'],
    );
    assert.equal(warnings, [
      '"self" leads back to "/". It is left out.',
      '"again" leads back to "/". It is left out.',
    ]);
    assert.equal(requests, ['/d', '/d/self', '/d/again']);
  });
});

test('cuts loops without files after three rounds', async () => {
  await withLoops(['one/', 'two/'], async (origin, requests) => {
    const warnings: string[] = [];
    assert.equal(await listed(open(`${origin}/d`), warnings), []);
    assert.equal([warnings.length, requests.length], [8, 1 + 2 + 4 + 8]);
  });
});

test('lists parts that failed as skipped, and drops missing ones', async () => {
  const failed = (href: string, status: string): string =>
    `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 ${status}</d:status></d:response>`;
  const refused = `<d:response><d:href>/d/c.md</d:href><d:propstat><d:prop><d:resourcetype/></d:prop><d:status>HTTP/1.1 403 Forbidden</d:status></d:propstat></d:response>`;
  const body = multistatus(
    found('/d/', collection),
    failed('/d/a.md', '403 Forbidden'),
    failed('/d/b', '423 Locked'),
    refused,
    found('/d/%ff.md', file()),
    found('/d/x%2Fy.md', file()),
  );
  await withServer({ '/d': body }, async (origin) => {
    const skips = (await listed(open(`${origin}/d`))).map(({ path, skip }) => [path, skip]);
    assert.equal(skips, [
      ['%ff.md', 'its name is not valid UTF-8'],
      ['a.md', 'the server refuses it (HTTP 403)'],
      ['b', 'the server refuses it (HTTP 423)'],
      ['c.md', 'the server refuses it (HTTP 403)'],
      ['x%2Fy.md', 'its name contains a slash or is not a file name'],
    ]);
  });
});

test('does not take a failed description for an empty folder', async () => {
  const failed = (href: string, status: string): string =>
    `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 ${status}</d:status></d:response>`;
  const answers = {
    '/nothing': multistatus(),
    '/refused': multistatus(failed('/refused/', '403 Forbidden')),
    '/busy': multistatus(failed('/busy/', '503 Service Unavailable')),
    '/d': multistatus(
      found('/d/', collection),
      found('/d/a.md', file()),
      failed('/d/remote', '503 Service Unavailable'),
      found('/d/sub/', collection),
    ),
    '/d/sub/': multistatus(failed('/d/sub/', '500 Internal Server Error')),
  };
  await withServer(answers, async (origin) => {
    for (const [path, problem] of [
      ['nothing', 'it describes nothing'],
      ['refused', 'The user may not list'],
      ['busy', 'could not answer (HTTP 503)'],
    ] as const) {
      const error = await rejection(() => listed(open(`${origin}/${path}`)));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.detail, problem);
    }
    const error = await rejection(() => listed(open(`${origin}/d`)));
    assert.is(error.code, 'listing_incomplete');
    assert.match(error.detail, '"remote": the server could not describe it (HTTP 503)');
    assert.match(error.detail, '"sub": ');
  });
});

test('lists a folder that the server does not describe itself', async () => {
  await withServer({ '/d': multistatus(found('/d/a.md', file())) }, async (origin) => {
    const paths = (await listed(open(`${origin}/d`))).map(({ path }) => path);
    assert.equal(paths, ['a.md']);
  });
});

test('recognises a file behind the changes of proxies', () => {
  for (const etag of [
    '"abc"',
    'W/"abc"',
    'abc',
    '"abc-gzip"',
    'W/"abc--gzip"',
    '"abc;gzip"',
    ' "abc-br" ',
  ])
    assert.is(normalizeEtag(etag), 'abc', etag);
  assert.is(normalizeEtag('""'), null);
  assert.is(normalizeEtag(undefined), null);
  assert.is(normalizeEtag('"a-b"'), 'a-b');
});

test('compares size and time of files without an ETag', async () => {
  const body = multistatus(
    found('/d/', collection),
    found('/d/a.md', file()),
    found('/d/b.md', '<d:resourcetype/>'),
  );
  await withServer({ '/d': body }, async (origin) => {
    const entries = await listed(open(`${origin}/d`));
    assert.equal(
      entries.map(({ fingerprint }) => fingerprint),
      [`3 ${Date.UTC(2026, 10, 5, 10)}`, null],
    );
  });
});

test('reads a whole file from a server without ranges', async () => {
  await withServer({ '/d/a.txt': { status: 200, body: '0123456789' } }, async (origin) => {
    const source = open(`${origin}/d`);
    assert.is(await textAt(source, 'a.txt', { start: 5 }), '0123456789');
    assert.is((await source.read('a.txt', { range: { start: 5 }, signal: calm() })).start, 0);
  });
});

test('refuses responses that are no lists of files', async () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "x">]><d:multistatus xmlns:d="DAV:">&b;</d:multistatus>';
  const answers = {
    '/page': { status: 200, body: '<html>' },
    '/other': '<a/>',
    '/cut': multistatus(found('/cut/', collection)).slice(0, -30),
    '/bomb': bomb,
    '/wrong': { status: 405 },
    '/digest': { status: 401, headers: { 'www-authenticate': 'Digest realm="x"' } },
  };
  const expected = {
    '/page': 'it answers PROPFIND with HTTP 200',
    '/other': 'it is not a multi-status response',
    '/cut': 'the list of files cannot be read',
    '/bomb': 'it has a document type',
    '/wrong': 'There is no WebDAV server at',
    '/digest': 'accepts only logins that Trove does not support: Digest',
  };
  await withServer(answers, async (origin) => {
    for (const [path, problem] of Object.entries(expected)) {
      const error = await rejection(() => listed(open(origin + path)));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.detail, problem);
    }
  });
});

test('pauses when the server asks for it', async () => {
  const root = multistatus(found('/d/', collection), found('/d/sub/', collection));
  const pause = { status: 429, headers: { 'retry-after': '60' } };
  await withServer({ '/d': root, '/d/sub/': pause }, async (origin) => {
    const error = await rejection(() => listed(open(`${origin}/d`)));
    assert.equal([error.retryable, error.retryAfterMs], [true, 60_000]);
  });
});

test('shows one level of the tree', async () => {
  const body = multistatus(
    found('/d/', collection),
    found('/d/a.md', file()),
    found('/d/sub/', collection),
    found('/d/node_modules/', collection),
  );
  await withServer({ '/d': body }, async (origin) => {
    const level = await collect(open(`${origin}/d`).browse('', { signal: calm() }));
    assert.equal(
      level.map(({ name, type, skip }) => [name, type, skip !== undefined]),
      [
        ['a.md', 'file', false],
        ['sub', 'dir', false],
        ['node_modules', 'dir', true],
      ],
    );
  });
});

test('refuses half a login', async () => {
  for (const config of [{ user: 'ada' }, { password: 'x' }]) {
    const error = await rejection(async () => open('https://nas.example', config));
    assert.is(error.code, 'config_invalid');
  }
});

test.run();
