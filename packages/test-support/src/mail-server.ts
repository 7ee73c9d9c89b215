import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { missingProgram, skipReason } from './skips.js';
import { untrustedCertificate } from './untrusted-certificate.js';

const program = fileURLToPath(new URL('../programs/dovecot-server.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;

/** The reason why `startMailServer` cannot run, or null. */
export const noMailServer = isRoot
  ? missingProgram('dovecot', 'Dovecot')
  : skipReason('only root can start Dovecot');

/** An IMAP server where all users have the same password and initially no mail. */
export interface MailServer {
  readonly port: number;
  /** With TLS from the first byte. */
  readonly securePort: number;
  readonly password: string;
  /** The address of `oauth-provider.mjs`, whose access tokens the server accepts. */
  readonly oauth: string;
  /** Its self-signed certificate for `localhost`. */
  readonly certificate: string;
  /** Kills the server with all connections and restarts it, optionally with a new password. */
  restart(newPassword?: string): Promise<void>;
  stop(): Promise<void>;
}

type MailServerFacts = Pick<MailServer, 'port' | 'securePort' | 'password' | 'oauth'>;

/** Stop it in an `after` hook. */
export async function startMailServer(): Promise<MailServer> {
  const { cert, key } = untrustedCertificate;
  const server = spawn(process.execPath, [program, cert, key], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const up = async (): Promise<MailServerFacts> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('The mail server for tests did not start.');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own program prints
    return JSON.parse(line.value) as MailServerFacts;
  };
  const facts = await up();
  return {
    ...facts,
    certificate: cert,
    restart: async (newPassword = facts.password) => {
      server.stdin.write(`${newPassword}\n`);
      await up();
    },
    stop: async () => {
      server.stdin.end();
      await exited;
    },
  };
}
