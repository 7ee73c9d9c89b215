import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { missingProgram } from './skips.js';

const program = fileURLToPath(new URL('../programs/openssh-server.mjs', import.meta.url));

/** The reason why `startSshServer` cannot run, or null. */
export const noSshServer = missingProgram('sshd', 'OpenSSH', '-V');

/** OpenSSH, into which the user of this process can log in. */
export interface SshServer {
  readonly port: number;
  /** The folder with the keys. */
  readonly folder: string;
  /** Kills the server with all connections and restarts it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Stop it in an `after` hook. */
export async function startSshServer(): Promise<SshServer> {
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const up = async (): Promise<Pick<SshServer, 'port' | 'folder'>> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('OpenSSH for tests did not start.');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own program prints
    return JSON.parse(line.value) as Pick<SshServer, 'port' | 'folder'>;
  };
  const facts = await up();
  return {
    ...facts,
    restart: async () => {
      server.stdin.write('restart\n');
      await up();
    },
    stop: async () => {
      server.stdin.end();
      await exited;
    },
  };
}
