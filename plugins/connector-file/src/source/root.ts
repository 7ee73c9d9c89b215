import { lstatSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { TroveError, parseUri, type ConnectorContext } from '@trove/core';

import { assertPathAllowed, isWithin, resolvePath, realPathOf } from '@trove/core/local';

/** The folder or file of a source on disk. */
export interface Root {
  /** Absolute path with all links resolved. */
  readonly real: string;
  /** Name for messages. */
  readonly name: string;
  readonly isFile: boolean;
  /** Real paths inside the root that hold Trove's own files. */
  readonly deniedRoots: ReadonlySet<string>;
  /** Whether the root is an upload. Folders around an upload have no ignore rules for it. */
  readonly isUpload: boolean;
}

/** The description of a source for tasks. */
export interface FileSource {
  /** Absolute path, possibly containing links. */
  readonly root: string;
  /** Name for messages: the path, or the URI of an upload. */
  readonly name: string;
  /** Whether the files were uploaded from another machine. */
  readonly isUpload: boolean;
  /** The configured patterns. */
  readonly ignore: readonly string[];
  /** Real paths of Trove's own files, which are never listed, read or searched. */
  readonly deniedRoots: readonly string[];
  /** Real paths that the root must lie in. Empty allows any root. */
  readonly allowedRoots: readonly string[];
}

const localAuthority = 'local';

/** Describes the source of a target. Throws `connector_unhealthy` for files of another machine without an upload. */
export function sourceOf(
  {
    target,
    tree,
    deniedRoots,
    allowedRoots,
  }: Pick<ConnectorContext<unknown>, 'target' | 'tree' | 'deniedRoots' | 'allowedRoots'>,
  ignore: readonly string[],
): FileSource {
  // The tree of an upload lies in Trove's own folder and has no links to the outside.
  if (tree !== undefined) {
    return { root: tree, name: target, isUpload: true, ignore, deniedRoots: [], allowedRoots: [] };
  }
  const { authority, path } = parseUri(target);
  if (authority !== '' && authority !== localAuthority) {
    throw new TroveError(
      'connector_unhealthy',
      `The files of "${authority}" are not on this machine.`,
      { suggestions: ['To upload them, run `trove add --upload` on that machine.'] },
    );
  }
  const root = path === '' ? '/' : path;
  return { root, name: root, isUpload: false, ignore, deniedRoots, allowedRoots };
}

/**
 * Finds a source on disk. Throws `connector_unhealthy` unless it is an existing folder or file, and `path_not_allowed`
 * inside denied roots or outside allowed roots.
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

/** Has no cause, because the cause would reveal the path of the tree. */
function missingTreeError(name: string): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `The uploaded files of ${name} are missing. They were deleted, or [uploads].path of this process is not the folder that the other processes use.`,
    {
      suggestions: [
        'Set [uploads].path to the same folder for every server and worker.',
        'Upload them again: `trove add --upload` on the machine that has them.',
      ],
    },
  );
}

/**
 * Converts a path below the root to a path on disk, without resolving links. Returns null for an absolute path and for
 * paths with `.`, `..`, empty names or NUL.
 */
export function diskPathOf(root: Root, path: string): string | null {
  if (path === '') return root.real;
  if (root.isFile || path.includes('\0') || isAbsolute(path)) return null;
  const names = path.split('/');
  const isCanonical = names.every(
    (name) => name !== '' && name !== '.' && name !== '..' && (sep === '/' || !name.includes(sep)),
  );
  return isCanonical ? join(root.real, ...names) : null;
}

/** Returns whether a real path is the root or inside it. */
export function isInside(root: Root, real: string): boolean {
  return isWithin(root.real, real);
}

/** Returns whether a real path is one of Trove's own files. */
export function isDenied({ deniedRoots }: Root, real: string): boolean {
  if (deniedRoots.size === 0) return false;
  return [...deniedRoots].some((folder) => isWithin(folder, real));
}

/**
 * Resolves a path below the root. Returns null if it does not exist or leads out of the root. Throws `path_not_allowed`
 * for Trove's own files.
 */
export function realPathBelow(root: Root, path: string): string | null {
  const at = diskPathOf(root, path);
  if (at === null) return null;
  let real: string;
  try {
    real = realPathOf(at);
  } catch {
    return null;
  }
  if (isDenied(root, real)) throw notAllowedError(path);
  return isInside(root, real) ? real : null;
}

/** Returns whether anything exists at a path on disk, even a broken link. */
export function exists(at: string): boolean {
  try {
    lstatSync(at);
    return true;
  } catch {
    return false;
  }
}

export function notFoundError(path: string): TroveError {
  const shown = path.replaceAll('\0', '\\0');
  return new TroveError('not_found', `There is no "${shown}" in this source.`);
}

/** Reading the token or the database of the server would give access to every source. */
export function notAllowedError(path: string): TroveError {
  return new TroveError('path_not_allowed', `"${path}": ${deniedReason}.`);
}

export const deniedReason = 'Trove keeps its own files here, which are never part of a source';

/** Returns the code of a failed system call, and `unknown` for other errors. */
export function systemCodeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'unknown';
  return typeof error.code === 'string' ? error.code : 'unknown';
}

function rootError(path: string, cause: unknown): TroveError {
  switch (systemCodeOf(cause)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new TroveError('connector_unhealthy', `There is no file or folder at ${path}.`, {
        suggestions: ['Check the spelling of the path and that its disk is mounted.'],
        cause,
      });
    case 'EACCES':
    case 'EPERM':
      return new TroveError('connector_unhealthy', `${path} may not be read by this user.`, {
        suggestions: ['Allow the user that runs the server to read it.'],
        cause,
      });
    default:
      return new TroveError('connector_unhealthy', `${path} cannot be read.`, { cause });
  }
}
