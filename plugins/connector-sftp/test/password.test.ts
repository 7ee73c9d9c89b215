import { generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ssh2, { type Connection } from 'ssh2';

import { rejection } from '@trove/test-support/rejection.js';
import { fingerprintOf } from '../src/known-hosts.js';
import { calm, open } from './remote-folder.js';

/* Logins that OpenSSH offers only to real users of a machine. */

const test = suite('SFTP connector, passwords');
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const parsed = ssh2.utils.parseKey(privateKey);
if (parsed instanceof Error) throw parsed;
const hostKey = fingerprintOf(parsed.getPublicSSH());

/** Starts a server that accepts one method of login, and answers every request for a folder. */
async function withServer(
  method: 'password' | 'keyboard-interactive',
  run: (target: string) => Promise<void>,
): Promise<void> {
  const ssh = new ssh2.Server({ hostKeys: [privateKey] }, (client: Connection) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      if (context.method !== method) return context.reject([method]);
      if (context.method === 'password')
        return context.password === 'open-sesame' ? context.accept() : context.reject();
      context.prompt([{ prompt: 'Password:', echo: false }], ([answer]) =>
        answer === 'open-sesame' ? context.accept() : context.reject(),
      );
    });
    client.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        sftp.on('REALPATH', (id) =>
          sftp.name(id, [{ filename: '/home/ada', longname: '', attrs: attributes }]),
        );
        sftp.on('STAT', (id) => sftp.attrs(id, attributes));
      });
    });
  });
  await new Promise<void>((resolve) => void ssh.listen(0, '127.0.0.1', resolve));
  try {
    const address = ssh.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port');
    await run(`sftp://ada@127.0.0.1:${address.port}`);
  } finally {
    ssh.close();
  }
}

const attributes = { mode: 0o040_755, uid: 1, gid: 1, size: 0, atime: 1, mtime: 1 };

for (const method of ['password', 'keyboard-interactive'] as const) {
  test(`logs in with a password (${method}), into the home folder`, async () => {
    await withServer(method, async (target) => {
      const good = open(target, { password: 'open-sesame', host_key: hostKey });
      assert.match(
        (await good.check({ signal: calm() })).detail,
        '/home/ada on 127.0.0.1 can be listed',
      );
      await good.close();
      const wrong = open(target, { password: 'wrong', host_key: hostKey });
      assert.match(
        (await wrong.check({ signal: calm() })).detail,
        'refuses the login of the user "ada"',
      );
    });
  });
}

test('refuses targets without a machine or a user', async () => {
  const config = { password: 'x' };
  for (const [target, code] of [
    ['sftp:///srv', 'validation_error'],
    ['sftp://ada:secret@files.example.com', 'validation_error'],
    ['sftp://files.example.com', 'config_invalid'],
  ] as const)
    assert.is((await rejection(async () => open(target, config))).code, code, target);
});

test.run();
