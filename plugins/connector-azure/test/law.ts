import { markedFiles } from '@trove/test-support/marked-files.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { Azurite, noAzurite } from './azurite.js';

export const law: SyncLaw = {
  schemes: ['azure'],
  unavailable: noAzurite,
  async start() {
    const azurite = await Azurite.start();
    const container = await azurite.container();
    const files = await markedFiles({
      write: (path, text) => container.put(path, text),
      remove: (path) => container.remove(path),
    });
    return {
      target: container.target,
      config: container.config,
      ...files,
      [Symbol.asyncDispose]: () => azurite.stop(),
    };
  },
};
