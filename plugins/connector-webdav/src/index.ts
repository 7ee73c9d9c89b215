import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createWebdavConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for folders of WebDAV servers (`webdav://cloud.example.com/remote.php/dav/files/ada`). */
export default defineConnector({
  keys: ['webdav'],
  capabilities: { since: true },
  configSchema,
  setup,
  create: createWebdavConnector,
});
