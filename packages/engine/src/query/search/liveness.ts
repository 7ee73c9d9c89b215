import { access } from 'node:fs/promises';
import { parseUri, relativePath } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import { PathReader } from '@trove/runtime';
import type { Connectors } from '../../sources/connectors/connectors.js';

/** Time limit for checking whether a file exists. */
const lookupLimitMs = 500;
const files = new PathReader(lookupLimitMs, async (path) => {
  await access(path);
  return path;
});

/** Tells whether the object at a URI may still exist, without a request to a remote source. */
export type LivenessCheck = (source: string) => Promise<boolean>;

/** Creates a check for one search. Reads the registered sources on first use. */
export function createLivenessCheck(connectors: Pick<Connectors, 'listSources'>): LivenessCheck {
  let sources: Promise<readonly ConnectorRecord[]> | null = null;
  return async (source) => {
    sources ??= connectors.listSources();
    const isRegistered = (await sources).some(
      ({ rootUri, status }) =>
        status !== 'error' && status !== 'removing' && relativePath(rootUri, source) !== null,
    );
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
