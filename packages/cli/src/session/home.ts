import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Returns the folder of settings, token and server data: `TROVE_HOME`, or `~/.trove`. */
export function troveHome(env: NodeJS.ProcessEnv): string {
  const home = env['TROVE_HOME'];
  return home ? resolve(home) : join(homedir(), '.trove');
}
