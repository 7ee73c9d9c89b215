// Runs an IMAP server until standard input ends, even if the parent process dies. Prints { port, securePort,
// password, folder, oauth } when it answers. The folder contains each user's Maildir. A line on standard input kills
// and restarts the server, with that line as the password of all users, and it prints another line. `oauth` is the
// address of `oauth-provider.mjs`, whose access tokens the server accepts.
import {
  chmodSync,
  chownSync,
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
import { startOAuthProvider } from './oauth-provider.mjs';

const startTimeoutMs = 120_000;
/** Without these, the server offers no TLS. */
const [certificate, key] = process.argv.slice(2);
let password = 'open-sesame';
/** Processes of users do not run as root. */
const nobodyUid = 65534;

const daemons = new Daemons();
const commands = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const folder = mkdtempSync(join(tmpdir(), 'trove-dovecot-'));
try {
  await Promise.race([serve(), daemons.ended]);
} finally {
  await daemons.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function serve() {
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'mail'));
  chownSync(join(folder, 'mail'), nobodyUid, nobodyUid);
  writeFileSync(join(folder, 'cert.pem'), certificate ?? '');
  writeFileSync(join(folder, 'key.pem'), key ?? '');
  const [port, securePort] = [await freePort(), await freePort()];
  const oauth = await startOAuthProvider();
  writeFileSync(join(folder, 'oauth2.conf'), introspection(oauth));
  for (;;) {
    writeFileSync(join(folder, 'dovecot.conf'), configuration(port, securePort));
    const server = await started(port);
    const facts = { port, securePort, password, folder: join(folder, 'mail'), oauth };
    console.log(JSON.stringify(facts));
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
    const server = daemons.start('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')]);
    for (; server.child.exitCode === null; await delay(20)) {
      if (await answers(port)) return server;
      if (Date.now() > deadline) break;
    }
    if (Date.now() > deadline)
      throw new Error(`Dovecot does not answer:\n${readFileSync(join(folder, 'log'), 'utf8')}`);
    await daemons.kill(server);
  }
}

function configuration(port, securePort) {
  const files = `ssl_cert = <${folder}/cert.pem\nssl_key = <${folder}/key.pem`;
  const tls = certificate === undefined ? 'ssl = no' : `ssl = yes\n${files}`;
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
disable_plaintext_auth = no
auth_failure_delay = 0
${tls}
mail_location = maildir:${folder}/mail/%u:LAYOUT=fs
first_valid_uid = 1
first_valid_gid = 1
auth_mechanisms = plain login xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
passdb {
  driver = static
  mechanisms = plain login
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${nobodyUid} gid=${nobodyUid} home=${folder}/mail/%u
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

function introspection(oauth) {
  return `
introspection_mode = post
introspection_url = ${oauth}/introspect
username_attribute = username
active_attribute = active
active_value = true
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
