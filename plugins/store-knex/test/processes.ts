import { spawn, type SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Backend } from './support.js';

const attemptProgram = fileURLToPath(new URL('attempt.ts', import.meta.url));

/** Opens a store in a process of its own and returns its output: `ok`, or an error as JSON. */
export function attempt(
  { backend, config }: Backend,
  options: SpawnOptions & { readonly imports?: readonly string[] } = {},
): Promise<string> {
  const { imports = [], ...rest } = options;
  const flags = ['tsx', ...imports].flatMap((name) => ['--import', name]);
  const child = spawn(
    process.execPath,
    [...flags, attemptProgram, backend, JSON.stringify(config)],
    {
      ...rest,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(output.trim()));
  });
}
