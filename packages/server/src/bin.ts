#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runCommandLine } from './commands/main.js';

// Garbage is collected once the heap has doubled, not grown fourfold: with it goes what it holds outside of the heap, which is
// most of what a server takes. Sooner than that, indexing takes a twentieth longer.
setFlagsFromString('--heap-growing-percent=100');
// What an index lets go of is collected at once, beside the event loop.
setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');
// Databases and an index may be outside the home, and must not be readable by others either.
process.umask(0o077);
const code = await runCommandLine(process.argv.slice(2), process, setNativeVariables);
if (code !== 0) process.exit(code);

/** Libraries read them when the first source is opened. Help and completion start faster without the package. */
async function setNativeVariables(): Promise<void> {
  const { nativeSettings } = await import('trove');
  for (const [name, value] of Object.entries(nativeSettings)) process.env[name] ??= value;
}
