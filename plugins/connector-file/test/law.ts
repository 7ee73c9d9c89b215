import { rmSync } from 'node:fs';

import { markedFiles } from '@trove/test-support/marked-files.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { Folder, targetOf } from './folder.js';

export const law: SyncLaw = {
  schemes: ['file'],
  async start() {
    const folder = new Folder();
    const files = await markedFiles({
      write: (path, text) => folder.write(path, text),
      remove: (path) => rmSync(folder.at(path)),
    });
    return {
      target: targetOf(folder.path),
      ...files,
      [Symbol.asyncDispose]: () => folder.remove(),
    };
  },
};
