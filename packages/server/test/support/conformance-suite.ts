import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vendorClientPath } from '@trove/test-support/vendor-clients.js';

export const suitePackage = '@modelcontextprotocol/conformance';

const preload = new URL('../../../test-support/programs/glob-sync.mjs', import.meta.url);

/** One check of a scenario. */
export interface SuiteCheck {
  readonly id: string;
  /** `SUCCESS`, `FAILURE`, `WARNING`, `SKIPPED` or `INFO`. */
  readonly status: string;
  readonly errorMessage?: string;
}

/**
 * Runs all server scenarios of the suite against a URL, with results in `folder`. Returns the checks of each scenario. Throws
 * with the output if the suite does not start.
 */
export async function runSuite(
  url: string,
  folder: string,
): Promise<ReadonlyMap<string, readonly SuiteCheck[]>> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      fileURLToPath(preload),
      vendorClientPath(suitePackage, 'dist/index.js'),
      'server',
      `--url=${url}`,
      '--suite=all',
      `--output-dir=${folder}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => output.push(piece));
  await once(child, 'close');
  const results = await readResults(folder);
  if (results.size === 0) throw new Error(`The suite has no results:\n${output.join('')}`);
  return results;
}

async function readResults(folder: string): Promise<Map<string, readonly SuiteCheck[]>> {
  const results = new Map<string, readonly SuiteCheck[]>();
  for (const entry of await readdir(folder).catch(() => [])) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(entry) ?? [];
    if (scenario === undefined) continue;
    const text = await readFile(join(folder, entry, 'checks.json'), 'utf8');
    results.set(scenario, JSON.parse(text) as SuiteCheck[]);
  }
  return results;
}
