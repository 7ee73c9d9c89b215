import { noDavServer, startDavServer } from '@trove/test-support/dav-server.js';
import { markedFiles } from '@trove/test-support/marked-files.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { DavFolder } from './dav-folder.js';

export const law: SyncLaw = {
  schemes: ['webdav'],
  unavailable: noDavServer,
  async start() {
    const server = await startDavServer();
    const folder = new DavFolder(server);
    const files = await markedFiles({
      write: (path, text) => folder.put(path, text),
      remove: (path) => folder.remove(path),
    });
    return {
      target: 'webdav://nas',
      config: { ...folder.login, url: folder.url },
      ...files,
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
};
