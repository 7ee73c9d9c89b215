import { access } from 'node:fs/promises';
import { parseUri, relativePath } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import { PathReader } from '@trove/runtime';
import type { Connectors } from '../../sources/connectors/connectors.js';

/** How long a disk may take to tell whether a file is there. */
const lookupLimitMs = 500;
const files = new PathReader(lookupLimitMs, async (path) => {
  await access(path);
  return path;
});

/** Whether an object, by its URI, can still be opened, as far as that is known without asking a remote source. */
export type LivenessCheck = (source: string) => Promise<boolean>;

/** For one search: the registered sources are read when they are first needed. */
export function createLivenessCheck(connectors: Pick<Connectors, 'listSources'>): LivenessCheck {
  let sources: Promise<readonly ConnectorRecord[]> | null = null;
  return async (source) => {
    sources ??= connectors.listSources();
    const isKept = (await sources).some(
      ({ rootUri, status }) =>
        status !== 'error' && status !== 'removing' && relativePath(rootUri, source) !== null,
    );
    return isKept && (await mayExist(source));
  };
}

/** Only a file of this machine that is certainly gone is not. */
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
