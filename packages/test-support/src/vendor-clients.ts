import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { skipReason } from './skips.js';

/** The folder in which `npm test -- --all` installs the vendors' own clients. */
const folder = fileURLToPath(new URL('../../workbench/vendor-clients/', import.meta.url));

/** The reason to skip tests with a vendor's client, or null if the client is installed. */
export function missingVendorClient(name: string): string | null {
  if (existsSync(join(folder, 'node_modules', name))) return null;
  return skipReason(`${name} is not installed: npm test -- --all installs it`);
}

/**
 * Imports a vendor's client. `T`: the members of the module that the test uses. `file`: its module, if the package can only be
 * imported.
 */
export async function importVendorClient<T>(name: string, file?: string): Promise<T> {
  const path =
    file === undefined
      ? createRequire(join(folder, 'package.json')).resolve(name)
      : vendorClientPath(name, file);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client and its types may be absent
  return (await import(pathToFileURL(path).href)) as T;
}

/** Returns the path of a file of a vendor's client. */
export function vendorClientPath(name: string, file: string): string {
  return join(folder, 'node_modules', name, file);
}
