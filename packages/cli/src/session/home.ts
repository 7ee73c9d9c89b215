import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of the settings, the token and the server's data: `TROVE_HOME`, or `~/.trove`. */
export function troveHome(env: NodeJS.ProcessEnv): string {
  const home = env['TROVE_HOME'];
  return home ? resolve(home) : join(homedir(), '.trove');
}
