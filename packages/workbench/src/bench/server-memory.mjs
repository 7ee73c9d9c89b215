import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';

import { hasMemorySettings, withMemorySettings } from '../lib/server.mjs';

/** Runs this program anew, unless it does already, with its memory as that of a server that `trove serve start` has started. */
export function restartWithServerMemory() {
  setFlagsFromString('--heap-growing-percent=100');
  if (hasMemorySettings(process.env)) return;
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: withMemorySettings(process.env),
  });
  process.exit(status ?? 1);
}
