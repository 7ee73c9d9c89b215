// Runs an OpenSSH server until standard input ends, even if the parent process dies. Prints { port, folder } when it answers.
// `folder` contains the keys `host_ed25519`, `host_rsa`, `user` and `encrypted` (with the passphrase `open-sesame`), and the
// list `authorized_keys` of users. The user of this process can log in. A line on standard input kills and restarts the server
// with all its connections, and it prints another line.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '@trove/test-support/free-port.js';
import { Daemons } from './daemons.mjs';

const startTimeoutMs = 60_000;
const isRoot = process.getuid() === 0;

const daemons = new Daemons();
const commands = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const folder = mkdtempSync(join(tmpdir(), 'trove-ssh-'));
try {
  await Promise.race([serve(), daemons.ended]);
} finally {
  await daemons.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function serve() {
  // The server requires this folder, which Debian creates at boot.
  if (isRoot && !existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 });
  await makeKey('host_ed25519', 'ed25519');
  await makeKey('host_rsa', 'rsa');
  await makeKey('user', 'ed25519');
  copyFileSync(join(folder, 'user.pub'), join(folder, 'authorized_keys'));
  await makeKey('encrypted', 'ed25519', 'open-sesame');
  const port = await freePort();
  writeFileSync(join(folder, 'sshd_config'), configuration(port));
  for (;;) {
    const server = await started(port);
    console.log(JSON.stringify({ port, folder }));
    const line = await commands.next();
    if (line.done) return;
    // Each connection has a process with a session of its own, which survives the server.
    const { error } = spawnSync('pkill', ['-KILL', '-P', String(server.child.pid)]);
    if (error) throw error;
    await daemons.kill(server);
  }
}

async function makeKey(name, type, passphrase = '') {
  const args = ['-q', '-t', type, '-N', passphrase, '-C', '', '-f', join(folder, name)];
  await daemons.run('ssh-keygen', args);
}

/** Retries if the server ends at once, because the killed one may hold the port for a moment. */
async function started(port) {
  const deadline = Date.now() + startTimeoutMs;
  const args = ['-D', '-f', join(folder, 'sshd_config'), '-E', join(folder, 'log')];
  for (;;) {
    const server = daemons.start('/usr/sbin/sshd', args);
    for (; server.child.exitCode === null; await delay(20)) {
      if (await answers(port)) return server;
      if (Date.now() > deadline) break;
    }
    if (Date.now() > deadline)
      throw new Error(`OpenSSH does not answer:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
    await daemons.kill(server);
  }
}

function configuration(port) {
  return `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host_ed25519
HostKey ${folder}/host_rsa
PidFile ${folder}/pid
AuthorizedKeysFile ${folder}/authorized_keys
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
UseDNS no
PrintMotd no
Subsystem sftp internal-sftp
`;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => socket.destroy(resolve(true)));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
