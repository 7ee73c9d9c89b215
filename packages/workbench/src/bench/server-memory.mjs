import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';

import { hasMemorySettings, withMemorySettings } from '../lib/server.mjs';

/** Restarts this program with the memory settings of a server started by `trove serve start`, unless it has them. */
export function restartWithServerMemory() {
  setFlagsFromString('--heap-growing-percent=100');
  if (hasMemorySettings(process.env)) return;
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: withMemorySettings(process.env),
  });
  process.exit(status ?? 1);
}
