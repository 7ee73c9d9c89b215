import { lstatSync, statSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { TroveError, parseUri } from '@trove/core';

import { realPathOf } from './real-path.js';

/** The folder or file that a source stands for, as it is on disk at this moment. */
export interface Root {
  /** Absolute path without any link in it. */
  readonly real: string;
  readonly isFile: boolean;
  /** Real paths in the root that hold Trove's own files. */
  readonly withheld: ReadonlySet<string>;
}

/** A source as its tasks are told of it. */
export interface Source {
  /** Absolute path, perhaps with links in it. */
  readonly root: string;
  /** Patterns of the configuration. */
  readonly ignore: readonly string[];
  /** Real paths that hold Trove's own files: never listed, read or searched. */
  readonly withheld: readonly string[];
}

const LOCAL = 'local';

/** The path on this machine that a target names. Throws `connector_unhealthy` for the files of another machine. */
export function localPath(target: string): string {
  const { authority, path } = parseUri(target);
  if (authority !== '' && authority !== LOCAL) {
    throw new TroveError(
      'connector_unhealthy',
      `The files of "${authority}" are not on this machine.`,
    );
  }
  return path === '' ? '/' : path;
}

/**
 * Finds a source on disk. Throws `connector_unhealthy` when it is not there, or is neither folder nor file, and
 * `path_not_allowed` when Trove keeps its own files there.
 */
export function openRoot({ root: path, withheld }: Pick<Source, 'root' | 'withheld'>): Root {
  const found = findRoot(path);
  if (withheld.some((folder) => isWithin(folder, found.real))) throw notAllowed(path);
  return { ...found, withheld: new Set(withheld.filter((at) => isWithin(found.real, at))) };
}

function findRoot(path: string): Pick<Root, 'real' | 'isFile'> {
  try {
    const real = realPathOf(path);
    const stats = statSync(real);
    if (stats.isFile() || stats.isDirectory()) return { real, isFile: stats.isFile() };
  } catch (cause) {
    throw unhealthy(path, cause);
  }
  throw new TroveError('connector_unhealthy', `${path} is neither a folder nor a regular file.`, {
    suggestions: ['Add a folder or a regular file.'],
  });
}

/**
 * Where a path below the root should lie on disk, or null for one that is not in its plain form: absolute, with `.`,
 * `..` or empty parts, or with a NUL. Links in it are not resolved yet.
 */
export function placeOf(root: Root, path: string): string | null {
  if (path === '') return root.real;
  if (root.isFile || path.includes('\0') || isAbsolute(path)) return null;
  const parts = path.split('/');
  const plain = parts.every(
    (part) => part !== '' && part !== '.' && part !== '..' && (sep === '/' || !part.includes(sep)),
  );
  return plain ? join(root.real, ...parts) : null;
}

/** Whether a real path lies in the root, or is it. */
export function isInside(root: Root, real: string): boolean {
  return isWithin(root.real, real);
}

/** Whether a real path belongs to what Trove keeps for itself. */
export function isWithheld({ withheld }: Root, real: string): boolean {
  if (withheld.size === 0) return false;
  return [...withheld].some((folder) => isWithin(folder, real));
}

function isWithin(folder: string, real: string): boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return real === folder || real.startsWith(start);
}

/**
 * The real place of a path inside the root, or null when there is nothing, or it lies outside. Throws
 * `path_not_allowed` for what Trove keeps for itself.
 */
export function realPlaceOf(root: Root, path: string): string | null {
  const place = placeOf(root, path);
  if (place === null) return null;
  let real: string;
  try {
    real = realPathOf(place);
  } catch {
    return null;
  }
  if (isWithheld(root, real)) throw notAllowed(path);
  return isInside(root, real) ? real : null;
}

/** Whether anything, be it a broken link, is at a place. */
export function isThere(place: string): boolean {
  try {
    lstatSync(place);
    return true;
  } catch {
    return false;
  }
}

export function notFound(path: string): TroveError {
  const shown = path.replaceAll('\0', '\\0');
  return new TroveError('not_found', `There is no "${shown}" in this source.`);
}

/** Whoever reads the token of the server, or its database, gets at every source. */
export function notAllowed(path: string): TroveError {
  return new TroveError('path_not_allowed', `"${path}": ${withheldReason}.`);
}

export const withheldReason = 'Trove keeps its own files here, which are never part of a source';

/** The code of a failed system call, `unknown` for anything else. */
export function systemCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'unknown';
  return typeof error.code === 'string' ? error.code : 'unknown';
}

function unhealthy(path: string, cause: unknown): TroveError {
  switch (systemCode(cause)) {
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
