import { defineConnector } from '@trove/core';

import { configSchema } from './mbox/config.js';
import { createMboxConnector } from './mbox/connector.js';

/** Mail in files of this machine (`mbox:///home/me/Mail`): mbox files, Maildirs, and folders of them. */
const mbox = defineConnector({
  keys: ['mbox'],
  defaultAuthority: 'local',
  capabilities: { costlyListing: true, threads: true },
  configSchema,
  create: createMboxConnector,
});

export default mbox;
