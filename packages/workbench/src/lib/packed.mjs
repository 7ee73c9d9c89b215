import { join } from 'node:path';

import { pack } from './pack.mjs';
import { publicPackages, readJson, workspaces } from './workspaces.mjs';

/** A package as somebody else would write it. */
const EXAMPLES = ['examples/smallest-connector'];
export const LIST = 'packed.json';

/** Our packages as `pack` packs them, examples of others' among them: those of the test run, else packed into a folder. */
export async function packedPackages(folder) {
  const { TROVE_TEST_PACKED: given } = process.env;
  return given === undefined ? packAll(folder) : readJson(join(given, LIST));
}

export function packAll(folder) {
  const examples = workspaces().filter((one) => EXAMPLES.includes(one.folder));
  return pack([...publicPackages(), ...examples], folder);
}
