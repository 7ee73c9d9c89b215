import { noObjectStore, startObjectStore } from '@trove/test-support/object-store.js';
import { markedFiles } from '@trove/test-support/marked-files.js';
import type { LawSource, SyncLaw } from '@trove/test-support/sync-law.js';
import { Corner } from './source.js';

async function startBucket(scheme: string): Promise<LawSource> {
  const store = await startObjectStore();
  const corner = new Corner(store);
  const files = await markedFiles({
    write: (path, text) => corner.put(path, text),
    remove: (path) => corner.remove(path),
  });
  return {
    target: corner.target.replace('s3:', scheme),
    config: corner.config,
    ...files,
    [Symbol.asyncDispose]: () => store.stop(),
  };
}

export const laws: readonly SyncLaw[] = ['s3', 'gs'].map((scheme) => ({
  schemes: [scheme],
  unavailable: noObjectStore,
  start: () => startBucket(`${scheme}:`),
}));
