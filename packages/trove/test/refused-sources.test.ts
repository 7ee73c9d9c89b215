// test-waits
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '@trove/test-support/listen.js';
import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { noObjectStore, startObjectStore } from '@trove/test-support/object-store.js';
import { withTimeout } from '@trove/test-support/waiting.js';
import { untrustedCertificate } from '@trove/test-support/untrusted-certificate.js';
import { createTrove } from '../src/index.js';

const test = suite('sources that cannot be added');

interface Refused {
  readonly what: string;
  readonly target: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly says: RegExp;
}

const answer: RequestListener = ({ url = '' }, response) => {
  const status = url.startsWith('/private') ? 401 : 404;
  response.writeHead(status, { 'www-authenticate': 'Basic realm="here"' }).end();
};
const site = await listen(answer);
const tls = await listen(createTlsServer(untrustedCertificate, answer));
const silent = await listen(createTcpServer());
const mail = noMailServer === null ? await startMailServer() : null;
const store = noObjectStore === null ? await startObjectStore() : null;
test.after(async () => {
  for (const { stop } of [site, tls, silent]) await stop();
  await mail?.stop();
  await store?.stop();
});

const closed = await listen(createTcpServer());
await closed.stop();
const key = { access_key_id: 'somebody', secret_access_key: 'a-secret' };
const secret = 'tonnerre-de-brest';
const inMail: Refused[] =
  mail === null
    ? []
    : [
        {
          what: 'a wrong password',
          target: `imap://ada@127.0.0.1:${mail.port}`,
          config: { password: secret },
          says: /refused the user or the password/,
        },
        {
          what: 'an untrusted certificate',
          target: `imaps://ada@localhost:${mail.securePort}`,
          config: { password: secret },
          says: /certificate that is not trusted\. Set `ca`/,
        },
        {
          what: 'a folder that is not there',
          target: `imap://ada@127.0.0.1:${mail.port}`,
          config: { password: mail.password, folders: ['Nowhere'] },
          says: /has no folder Nowhere\. It has: INBOX/,
        },
      ];
const inStore: Refused[] =
  store === null
    ? []
    : [
        {
          what: 'a wrong secret',
          target: `s3://${store.bucket}`,
          config: {
            endpoint: store.endpoint,
            access_key_id: store.accessKeyId,
            secret_access_key: secret,
          },
          says: /secret access key is wrong/,
        },
        {
          what: 'a bucket that is not there',
          target: 's3://no-such-bucket',
          config: {
            endpoint: store.endpoint,
            access_key_id: store.accessKeyId,
            secret_access_key: store.secretAccessKey,
          },
          says: /There is no bucket "no-such-bucket"/,
        },
      ];
const refused: readonly Refused[] = [
  ...inMail,
  ...inStore,
  ...(['nobody', 'silence'] as const).flatMap((what): Refused[] => {
    const port = what === 'nobody' ? closed.port : silent.port;
    return [
      {
        what,
        target: `imap://ada@127.0.0.1:${port}`,
        config: { password: secret },
        says: /cannot be reached\. Check its host/,
      },
      {
        what,
        target: 's3://bucket',
        config: { ...key, endpoint: `http://127.0.0.1:${port}` },
        says: what === 'nobody' ? /refuses connections/ : /did not answer within 8 seconds/,
      },
      {
        what,
        target: `http://127.0.0.1:${port}`,
        says: what === 'nobody' ? /refuses connections/ : /did not answer within 8 seconds/,
      },
      {
        what,
        target: `git+http://127.0.0.1:${port}/project`,
        says: what === 'nobody' ? /does not accept connections/ : /did not answer within 8 seconds/,
      },
    ];
  }),
  {
    what: 'an untrusted certificate',
    target: 's3://bucket',
    config: { ...key, endpoint: `https://localhost:${tls.port}` },
    says: /certificate that is not trusted/,
  },
  {
    what: 'an untrusted certificate',
    target: `https://localhost:${tls.port}`,
    says: /certificate/,
  },
  {
    what: 'an untrusted certificate',
    target: `git+https://localhost:${tls.port}/project`,
    says: /certificate/,
  },
  { what: 'no login', target: `http://127.0.0.1:${site.port}/private`, says: /requires a login/ },
  { what: 'no page', target: `http://127.0.0.1:${site.port}/nothing`, says: /There is no page at/ },
  {
    what: 'no login',
    target: `git+http://127.0.0.1:${site.port}/private`,
    says: /requires a user name and a password/,
  },
  {
    what: 'no repository',
    target: `git+http://127.0.0.1:${site.port}/nothing`,
    says: /There is no such repository/,
  },
];

test('are refused with advice and not registered', async () => {
  const root = await mkdtemp(join(tmpdir(), 'trove-refused-'));
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    await Promise.all(
      refused.map(async ({ what, target, config = {}, says }) => {
        const name = `${what}: ${target}`;
        const adding = trove.add({ target, config }).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        const error = await withTimeout(adding, name);
        assert.ok(isTroveError(error), `${name}: ${String(error)}`);
        const told = [error.detail, ...error.suggestions].join(' ');
        // On a busy machine, the wait for a silent server may itself time out.
        if (what === 'silence' && told.includes('check took longer than 10 s')) return;
        assert.is(error.code, 'connector_unhealthy', `${name}: ${told}`);
        assert.match(told, says, `${name}: ${told}`);
        assert.match(
          told,
          /(?:Check|Set|Name|Correct|Write) |If your own (?:certificate )?authority/,
          `${name}: ${told}`,
        );
        assert.not.match(JSON.stringify(error), secret);
      }),
    );
    assert.equal((await trove.status({})).connectors, []);
  } finally {
    await trove.close();
    await rm(root, { recursive: true, force: true });
  }
});

test.run();
