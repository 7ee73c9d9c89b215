import { access } from 'node:fs/promises';
import { parseUri } from '@trove/core';
import { PathReader } from '@trove/runtime';
import type { SourceFinder } from '../../sources/connectors/source-finder.js';

/** Time limit for checking whether a file exists. */
const lookupLimitMs = 500;
const files = new PathReader(lookupLimitMs, async (path) => {
  await access(path);
  return path;
});

/** Tells whether the object at a URI may still exist, without a request to a remote source. */
export type LivenessCheck = (source: string) => Promise<boolean>;

export function createLivenessCheck(finder: Pick<SourceFinder, 'findContaining'>): LivenessCheck {
  return async (source) => {
    const sources = await finder.findContaining(source);
    const isRegistered = sources.some(({ status }) => status !== 'error' && status !== 'removing');
    return isRegistered && (await mayExist(source));
  };
}

/** Returns false only for a local file that certainly does not exist. */
async function mayExist(source: string): Promise<boolean> {
  const { scheme, path } = parseUri(source);
  if (scheme !== 'file') return true;
  try {
    await files.read(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}
