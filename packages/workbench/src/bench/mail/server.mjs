import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(
  new URL('../../../../test-support/programs/dovecot-server.mjs', import.meta.url),
);

/**
 * Starts an IMAP server without certificates: `{ port, password, folder, stop }`, where the folder contains each user's
 * Maildir.
 */
export async function startMailServer() {
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  for await (const line of createInterface({ input: server.stdout })) {
    return {
      ...JSON.parse(line),
      stop: async () => {
        server.stdin.end();
        await exited;
      },
    };
  }
  throw new Error('The mail server did not start. Install Dovecot and run as root.');
}
