import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createFileConnector } from './connector.js';

/** Connector for folders and files of this machine (`file://local/home/me/notes`), and for uploads. */
export default defineConnector({
  keys: ['file'],
  defaultAuthority: 'local',
  capabilities: {
    paths: true,
    grep: { regex: true, ignoreCase: true, context: true, onlyMatching: true, paging: true },
  },
  configSchema,
  create: createFileConnector,
});
