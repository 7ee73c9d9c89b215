import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from './patience.js';
import { untrustedCertificate } from './untrusted-certificate.js';

const isInstalled = spawnSync('dovecot', ['--version']).status === 0;
const isRoot = process.getuid?.() === 0;

/** Whether `startMailServer` can start one. Says so where it cannot; throws where that is not allowed. */
export const hasMailServer = isInstalled && isRoot;
if (!hasMailServer) {
  const why = isInstalled ? 'Dovecot is started by root only' : 'Dovecot is not installed';
  if (process.env['TROVE_REQUIRE_DOVECOT'] === '1')
    throw new Error(`A mail server is required (TROVE_REQUIRE_DOVECOT=1), but ${why}`);
  console.log(`skip: ${why}, so no mail server is tried`);
}

/** An IMAP server on which every user has the same password and, to begin with, no mail. */
export interface MailServer {
  readonly port: number;
  /** With TLS from the first byte. */
  readonly securePort: number;
  readonly password: string;
  /** The certificate that it shows, signed by itself, for `localhost`. */
  readonly certificate: string;
  /** Ends all connections, and starts anew. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const password = 'open-sesame';
/** Nothing of a user runs as root. */
const nobody = 65534;

export async function startMailServer(): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'trove-dovecot-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'mail'));
  chownSync(join(folder, 'mail'), nobody, nobody);
  writeFileSync(join(folder, 'cert.pem'), untrustedCertificate.cert);
  writeFileSync(join(folder, 'key.pem'), untrustedCertificate.key);
  const [port, securePort] = [await freePort(), await freePort()];
  writeFileSync(join(folder, 'dovecot.conf'), configuration(folder, port, securePort));
  let server = await start(folder, port);
  return {
    port,
    securePort,
    password,
    certificate: untrustedCertificate.cert,
    restart: async () => {
      await end(server);
      server = await start(folder, port);
    },
    stop: async () => {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number, securePort: number): string {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
disable_plaintext_auth = no
auth_failure_delay = 0
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
mail_location = maildir:${folder}/mail/%u:LAYOUT=fs
first_valid_uid = 1
first_valid_gid = 1
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${nobody} gid=${nobody} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Trash {
    special_use = \\Trash
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${securePort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
`;
}

async function start(folder: string, port: number): Promise<ChildProcess> {
  const server = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' });
  await until(async () => {
    if (server.exitCode !== null)
      throw new Error(`Dovecot ended: ${readFileSync(join(folder, 'log'), 'utf8')}`);
    return answers(port);
  }, 'Dovecot answers');
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port, not on a path
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
