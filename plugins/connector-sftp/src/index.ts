import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createSftpConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for folders of other machines over SSH (`sftp://ada@files.example.com/srv/docs`). */
export default defineConnector({
  keys: ['sftp'],
  capabilities: { since: true },
  configSchema,
  setup,
  create: createSftpConnector,
});
