import { sep } from 'node:path';

import type { ConnectorContext } from '../contracts/connector-context.js';
import { TroveError } from '../errors.js';

/** Absolute real paths of the denied roots and of the allowed roots (empty: anywhere). */
export type PathAccess = Pick<ConnectorContext<unknown>, 'deniedRoots' | 'allowedRoots'>;

/**
 * Throws `path_not_allowed` unless files at a real path may be read. Call it whenever a file is opened, because a
 * folder may have been replaced by a link since the source was added. Messages use `name` for the path.
 */
export function assertPathAllowed(
  real: string,
  { deniedRoots, allowedRoots }: PathAccess,
  name = real,
): void {
  if (deniedRoots.some((folder) => isWithin(folder, real))) {
    throw new TroveError(
      'path_not_allowed',
      `${name} contains files of Trove, which are never part of a source`,
    );
  }
  if (allowedRoots.length === 0 || allowedRoots.some((folder) => isWithin(folder, real))) return;
  throw new TroveError('path_not_allowed', `${name} lies outside the allowed roots`);
}

/** Whether a real path is the folder or inside it. */
export function isWithin(folder: string, real: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
