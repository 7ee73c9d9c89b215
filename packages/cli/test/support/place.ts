import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { temporaryHome } from './home.js';
import { runTrove } from './trove.js';

/** Creates a home and a folder of notes, and runs commands in them with some variables. */
export async function place(variables: NodeJS.ProcessEnv = {}) {
  const home = await temporaryHome();
  const notes = join(home.path, 'notes');
  await mkdir(join(notes, 'ops'), { recursive: true });
  await writeFile(
    join(notes, 'ops', 'tokens.md'),
    '# Rotation\n\nTokens are rotated every night by a cron job.\n',
  );
  await writeFile(join(notes, 'lunch.txt'), 'Soup on Mondays, pizza on Fridays.\n');
  const env = { ...variables, TROVE_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
  const trove = async (...args: string[]) =>
    runTrove(args, { home: join(home.path, 'home'), cwd: home.path, env });
  /** Runs a command that must succeed. Returns its output. */
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await trove(...args);
    assert.is(code, 0, `trove ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    notes,
    home: join(home.path, 'home'),
    endpoint: env.TROVE_ENDPOINT,
    trove,
    ok,
    async [Symbol.asyncDispose]() {
      await trove('serve', 'stop');
      await home[Symbol.asyncDispose]();
    },
  };
}
