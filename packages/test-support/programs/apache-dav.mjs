// Runs an Apache server with WebDAV until standard input ends, even if the parent process dies. Prints { port, folder }
// when it answers. `folder` contains its files. A line on standard input kills and restarts the server with that line as
// the password of its user `ada`, and it prints another line.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '@trove/test-support/free-port.js';
import { Daemons } from './daemons.mjs';

const startTimeoutMs = 60_000;
const moduleFolder = '/usr/lib/apache2/modules';
const modules = [
  'mpm_event',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_user',
  'auth_basic',
  'dav',
  'dav_fs',
  'deflate',
  'dir',
  'filter',
  'headers',
  'mime',
];
let password = 'open-sesame';

const daemons = new Daemons();
const commands = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const folder = mkdtempSync(join(tmpdir(), 'trove-apache-'));
try {
  await Promise.race([serve(), daemons.ended]);
} finally {
  await daemons.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function serve() {
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'files'));
  const port = await freePort();
  writeFileSync(join(folder, 'apache.conf'), configuration(port));
  for (;;) {
    const hash = createHash('sha1').update(password).digest('base64');
    writeFileSync(join(folder, 'users'), `ada:{SHA}${hash}\n`);
    const server = await started(port);
    console.log(JSON.stringify({ port, folder: join(folder, 'files') }));
    const line = await commands.next();
    if (line.done) return;
    password = line.value;
    await daemons.kill(server);
  }
}

/** Retries if the server ends at once, because the killed one may hold the port for a moment. */
async function started(port) {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    rmSync(join(folder, 'pid'), { force: true });
    const args = ['-d', folder, '-f', join(folder, 'apache.conf'), '-DFOREGROUND'];
    const server = daemons.start('apache2', args);
    for (; server.child.exitCode === null; await delay(20)) {
      if (await answers(port)) return server;
      if (Date.now() > deadline) break;
    }
    if (Date.now() > deadline)
      throw new Error(`Apache does not answer:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
    await daemons.kill(server);
  }
}

function configuration(port) {
  return `
${modules.map((name) => `LoadModule ${name}_module ${moduleFolder}/mod_${name}.so`).join('\n')}
Listen 127.0.0.1:${port}
ServerName localhost
User nobody
Group nogroup
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/log
TypesConfig /dev/null
DocumentRoot ${folder}/files
DavLockDB ${folder}/locks
SetOutputFilter DEFLATE
<Directory ${folder}/files>
  Dav On
  DirectorySlash On
  Options FollowSymLinks
  AuthType Basic
  AuthName files
  AuthUserFile ${folder}/users
  Require valid-user
</Directory>
`;
}

async function answers(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'OPTIONS' });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
