import { lstatSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { TroveError, parseUri, type ConnectorContext } from '@trove/core';

import { assertPathAllowed, isWithin, resolvePath, realPathOf } from '@trove/core/local';

/** The folder or file of a source as it is on disk right now. */
export interface Root {
  /** Absolute path with all links resolved. */
  readonly real: string;
  /** What people call it. */
  readonly name: string;
  readonly isFile: boolean;
  /** Real paths inside the root that hold Trove's own files. */
  readonly deniedRoots: ReadonlySet<string>;
  /** What the files lie in is Trove's, and says nothing about them. */
  readonly isUpload: boolean;
}

/** A source as described to its tasks. */
export interface FileSource {
  /** Absolute path, possibly containing links. */
  readonly root: string;
  /** What people call it: its path, or its URI if the files were sent here from another machine. */
  readonly name: string;
  /** Trove keeps the files, as they were sent from another machine. */
  readonly isUpload: boolean;
  /** The configured patterns. */
  readonly ignore: readonly string[];
  /** Real paths that hold Trove's own files: never listed, read or searched. */
  readonly deniedRoots: readonly string[];
  /** Real paths that the root must lie in; none: anywhere. */
  readonly allowedRoots: readonly string[];
}

const localAuthority = 'local';

/** Where the files of a target are. Throws `connector_unhealthy` for those of another machine that were not sent here. */
export function sourceOf(
  {
    target,
    tree,
    deniedRoots,
    allowedRoots,
  }: Pick<ConnectorContext<unknown>, 'target' | 'tree' | 'deniedRoots' | 'allowedRoots'>,
  ignore: readonly string[],
): FileSource {
  // Trove's own folder holds a stored tree, and nothing in it leads out of it.
  if (tree !== undefined) {
    return { root: tree, name: target, isUpload: true, ignore, deniedRoots: [], allowedRoots: [] };
  }
  const { authority, path } = parseUri(target);
  if (authority !== '' && authority !== localAuthority) {
    throw new TroveError(
      'connector_unhealthy',
      `The files of "${authority}" are not on this machine.`,
      { suggestions: ['Upload them: `trove add --upload` on the machine that has them.'] },
    );
  }
  const root = path === '' ? '/' : path;
  return { root, name: root, isUpload: false, ignore, deniedRoots, allowedRoots };
}

/**
 * Finds a source on disk. Throws `connector_unhealthy` when it does not exist or is neither folder nor file, and
 * `path_not_allowed` when it is inside Trove's own files or outside the folders that may be added.
 */
export function openRoot(source: Omit<FileSource, 'ignore'>): Root {
  const { name, deniedRoots, isUpload } = source;
  const found = findRoot(source);
  assertPathAllowed(found.real, source, name);
  const inside = deniedRoots.filter((at) => isWithin(found.real, at));
  return { ...found, name, deniedRoots: new Set(inside), isUpload };
}

function findRoot({
  root,
  name,
  isUpload,
}: Omit<FileSource, 'ignore'>): Pick<Root, 'real' | 'isFile'> {
  try {
    const { real, stats } = resolvePath(root);
    if (stats.isFile() || stats.isDirectory()) return { real, isFile: stats.isFile() };
  } catch (cause) {
    throw isUpload ? missingTreeError(name) : rootError(name, cause);
  }
  throw new TroveError('connector_unhealthy', `${name} is neither a folder nor a regular file.`, {
    suggestions: ['Add a folder or a regular file.'],
  });
}

/** The cause would show where Trove keeps it. */
function missingTreeError(name: string): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `The stored files of ${name} are not there: they were lost, or [uploads].path of this process is not the folder in which the others keep them.`,
    {
      suggestions: [
        'Give every server and worker the same folder as [uploads].path.',
        'Upload them again: `trove add --upload` on the machine that has them.',
      ],
    },
  );
}

/**
 * Where a path below the root should be on disk, or null if it is not in canonical form: absolute, with `.`, `..` or
 * empty parts, or with a NUL. Links are not resolved yet.
 */
export function diskPathOf(root: Root, path: string): string | null {
  if (path === '') return root.real;
  if (root.isFile || path.includes('\0') || isAbsolute(path)) return null;
  const parts = path.split('/');
  const plain = parts.every(
    (part) => part !== '' && part !== '.' && part !== '..' && (sep === '/' || !part.includes(sep)),
  );
  return plain ? join(root.real, ...parts) : null;
}

/** Whether a real path is the root or inside it. */
export function isInside(root: Root, real: string): boolean {
  return isWithin(root.real, real);
}

/** Whether a real path is one of Trove's own files. */
export function isDenied({ deniedRoots }: Root, real: string): boolean {
  if (deniedRoots.size === 0) return false;
  return [...deniedRoots].some((folder) => isWithin(folder, real));
}

/**
 * The real location of a path inside the root, or null when it does not exist or is outside. Throws `path_not_allowed`
 * for Trove's own files.
 */
export function realPathBelow(root: Root, path: string): string | null {
  const place = diskPathOf(root, path);
  if (place === null) return null;
  let real: string;
  try {
    real = realPathOf(place);
  } catch {
    return null;
  }
  if (isDenied(root, real)) throw notAllowedError(path);
  return isInside(root, real) ? real : null;
}

/** Whether anything exists at a place, even a broken link. */
export function exists(place: string): boolean {
  try {
    lstatSync(place);
    return true;
  } catch {
    return false;
  }
}

export function notFoundError(path: string): TroveError {
  const shown = path.replaceAll('\0', '\\0');
  return new TroveError('not_found', `There is no "${shown}" in this source.`);
}

/** Reading the server's token or its database would give access to every source. */
export function notAllowedError(path: string): TroveError {
  return new TroveError('path_not_allowed', `"${path}": ${deniedReason}.`);
}

export const deniedReason = 'Trove keeps its own files here, which are never part of a source';

/** The code of a failed system call; `unknown` for anything else. */
export function systemCodeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'unknown';
  return typeof error.code === 'string' ? error.code : 'unknown';
}

function rootError(path: string, cause: unknown): TroveError {
  switch (systemCodeOf(cause)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new TroveError('connector_unhealthy', `There is no file or folder at ${path}.`, {
        suggestions: ['Check the spelling of the path, and that its disk is mounted.'],
        cause,
      });
    case 'EACCES':
    case 'EPERM':
      return new TroveError('connector_unhealthy', `${path} may not be read by this user.`, {
        suggestions: ['Give the user that the server runs as the right to read it.'],
        cause,
      });
    default:
      return new TroveError('connector_unhealthy', `${path} cannot be read.`, { cause });
  }
}
