import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { missingProgram, skipReason } from './skips.js';

const program = fileURLToPath(new URL('../programs/apache-dav.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;

/** The reason why `startDavServer` cannot run, or null. */
export const noDavServer = isRoot
  ? missingProgram('apache2', 'Apache', '-v')
  : skipReason('only root can start Apache as another user');

/** Apache with WebDAV, with the user `ada`. */
export interface ApacheDav {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly password: string;
  /** The folder with its files. Others must be able to read them. */
  readonly folder: string;
  /** Kills the server with all connections and restarts it, optionally with a new password. */
  restart(newPassword?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Stop it in an `after` hook. */
export async function startDavServer(): Promise<ApacheDav> {
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const up = async (): Promise<{ readonly port: number; readonly folder: string }> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('Apache for tests did not start.');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own program prints
    return JSON.parse(line.value) as { readonly port: number; readonly folder: string };
  };
  const { port, folder } = await up();
  const password = 'open-sesame';
  return {
    origin: `http://127.0.0.1:${port}`,
    password,
    folder,
    restart: async (newPassword = password) => {
      server.stdin.write(`${newPassword}\n`);
      await up();
    },
    stop: async () => {
      server.stdin.end();
      await exited;
    },
  };
}
