import { lstatSync, statSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { TroveError, parseUri } from '@trove/core';

import { realPathOf } from './real-path.js';

/** The folder or file that a source stands for, as it is on disk at this moment. */
export interface Root {
  /** Absolute path without any link in it. */
  readonly real: string;
  readonly isFile: boolean;
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

/** Finds a source on disk. Throws `connector_unhealthy` when it is not there, or is neither folder nor file. */
export function openRoot(path: string): Root {
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
  const folder = root.real.endsWith(sep) ? root.real : root.real + sep;
  return real === root.real || real.startsWith(folder);
}

/** The real place of a path inside the root, or null when there is nothing, or it lies outside. */
export function realPlaceOf(root: Root, path: string): string | null {
  const place = placeOf(root, path);
  if (place === null) return null;
  try {
    const real = realPathOf(place);
    return isInside(root, real) ? real : null;
  } catch {
    return null;
  }
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
