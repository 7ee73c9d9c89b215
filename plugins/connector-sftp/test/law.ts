import { markedFiles } from '@trove/test-support/marked-files.js';
import { noSshServer, startSshServer } from '@trove/test-support/ssh-server.js';
import type { SyncLaw } from '@trove/test-support/sync-law.js';
import { RemoteFolder } from './remote-folder.js';

export const law: SyncLaw = {
  schemes: ['sftp'],
  unavailable: noSshServer,
  async start() {
    const server = await startSshServer();
    const folder = await RemoteFolder.make(server);
    const files = await markedFiles({
      write: (path, text) => folder.put(path, text),
      remove: (path) => folder.removeFile(path),
    });
    return {
      target: folder.target,
      config: folder.config,
      ...files,
      async [Symbol.asyncDispose]() {
        await folder.remove();
        await server.stop();
      },
    };
  },
};
