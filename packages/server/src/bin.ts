#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runCommandLine } from './commands/main.js';

// Collects garbage when the heap has doubled instead of quadrupled. This frees memory outside the heap too,
// which is most of a server's memory. A lower percentage slows indexing by 5 %.
setFlagsFromString('--heap-growing-percent=100');
// The index calls the collector to free its memory immediately.
setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');
// Databases and an index may be outside the home, and must not be readable by other users.
process.umask(0o077);
const code = await runCommandLine(process.argv.slice(2), process, setNativeVariables);
if (code !== 0) process.exit(code);

/**
 * Sets variables that native libraries read when the first source is opened. Imported on demand, because help
 * and completion start faster without the package.
 */
async function setNativeVariables(): Promise<void> {
  const { nativeSettings } = await import('trove');
  for (const [name, value] of Object.entries(nativeSettings)) process.env[name] ??= value;
}
