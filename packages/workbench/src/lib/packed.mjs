import { join } from 'node:path';

import { pack } from './pack.mjs';
import { publicPackages, readJson, workspaces } from './workspaces.mjs';

/** A package like those of other authors. */
const exampleFolders = ['examples/smallest-connector'];
export const packedList = 'packed.json';

/** Returns our packages as `pack` packs them, with the examples: those of the test run, or packed into a folder. */
export async function packedPackages(folder) {
  const { TROVE_TEST_PACKED: given } = process.env;
  return given === undefined ? packAll(folder) : readJson(join(given, packedList));
}

export function packAll(folder) {
  const examples = workspaces().filter((one) => exampleFolders.includes(one.folder));
  return pack([...publicPackages(), ...examples], folder);
}
