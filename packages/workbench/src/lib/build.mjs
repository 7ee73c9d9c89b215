import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { runTool } from './run.mjs';
import { staleFiles } from './stale.mjs';
import { workspaces } from './workspaces.mjs';

const environment = {
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
};

/**
 * Builds all workspaces with turbo's local cache. Removes outputs without a source first, so that they are neither
 * cached nor published. Returns the exit code. With `quiet` only a failed build prints output. With `only`, builds a
 * single package and its dependencies.
 */
export async function build({ quiet = false, only } = {}) {
  for (const { path } of workspaces()) {
    for (const file of staleFiles(path)) rmSync(join(path, file));
  }
  const options = ['--ui=stream', '--output-logs=errors-only', '--log-prefix=task'];
  if (only !== undefined) options.push(`--filter=${only}`);
  const { code, output } = await runTool('turbo/bin/turbo', ['run', 'build', ...options], {
    capture: quiet,
    env: environment,
  });
  if (quiet && code !== 0) console.error(output);
  return code;
}
