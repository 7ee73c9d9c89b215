import { fileURLToPath } from 'node:url';

/** The URL of the folder of this package. */
export const ownPackage = new URL('../', import.meta.url);

/** The path of the folder that contains Trove's packages. */
export const ownPackages = fileURLToPath(new URL('../', ownPackage));
