import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { workspaces } from './workspaces.mjs';

/** The source of each entry of our packages: `@trove/core/store` → `packages/core/src/contracts/store/index.ts`. */
const sources = new Map(workspaces().flatMap(entriesOf));

function entriesOf({ path, manifest: { name, exports = {} } }) {
  return Object.entries(exports)
    .filter(([, { types }]) => types?.startsWith('./dist/'))
    .map(([entry, { types }]) => [
      join(name, entry),
      pathToFileURL(join(path, types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts'))).href,
    ]);
}

/** Resolves our packages and the entry modules of threads and processes to their sources. */
export function resolve(specifier, context, nextResolve) {
  return nextResolve(sources.get(specifier) ?? typescriptOf(specifier) ?? specifier, context);
}

function typescriptOf(specifier) {
  if (!specifier.startsWith('file:') || !specifier.endsWith('.js')) return undefined;
  const source = specifier.replace(/\.js$/, '.ts');
  return !existsSync(fileURLToPath(specifier)) && existsSync(fileURLToPath(source))
    ? source
    : undefined;
}
