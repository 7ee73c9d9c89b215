import { spawnSync } from 'node:child_process';

import { mallocSettings } from '../lib/server.mjs';

/** Runs this program anew, unless it runs already, with its memory allocated as that of a server that `trove serve start` has started. */
export function runLikeAServer() {
  if (Object.keys(mallocSettings).every((name) => process.env[name] !== undefined)) return;
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...mallocSettings, ...process.env },
  });
  process.exit(status ?? 1);
}
