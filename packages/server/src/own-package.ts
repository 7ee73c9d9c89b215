import { fileURLToPath } from 'node:url';

/** Where this package is installed. */
export const ownPackage = new URL('../', import.meta.url);

/** Where Trove's packages are, including this one. */
export const ownPackages = fileURLToPath(new URL('../', ownPackage));
