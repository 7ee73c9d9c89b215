import { sep } from 'node:path';

import type { ConnectorContext } from '../contracts/connector-context.js';
import { TroveError } from '../errors.js';

/** Absolute real paths: what Trove keeps for itself, and what local files must lie in (none: anywhere). */
export type PathAccess = Pick<ConnectorContext<unknown>, 'deniedRoots' | 'allowedRoots'>;

/**
 * Throws `path_not_allowed` unless files at a real path may be read. Call it whenever files are opened: a link may have taken the
 * place of a folder since the source was added. `name` is what people call the place.
 */
export function assertPathAllowed(
  real: string,
  { deniedRoots, allowedRoots }: PathAccess,
  name = real,
): void {
  if (deniedRoots.some((folder) => isWithin(folder, real))) {
    throw new TroveError(
      'path_not_allowed',
      `Trove keeps its own files at ${name}: they are never part of a source`,
    );
  }
  if (allowedRoots.length === 0 || allowedRoots.some((folder) => isWithin(folder, real))) return;
  throw new TroveError('path_not_allowed', `${name} lies outside the folders that may be added`);
}

/** Whether a real path is the folder or inside it. */
export function isWithin(folder: string, real: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
