import { defineConnector } from '@trove/core';

import { configSchema as imapSchema } from './imap/config.js';
import { createImapConnector } from './imap/connector.js';
import { configSchema as mboxSchema } from './mbox/config.js';
import { createMboxConnector } from './mbox/connector.js';

/** Mail in local files (`mbox:///home/me/Mail`): mbox files, Maildirs and folders of them. */
const mbox = defineConnector({
  keys: ['mbox'],
  defaultAuthority: 'local',
  capabilities: { costlyListing: true, threads: true },
  configSchema: mboxSchema,
  create: createMboxConnector,
});

/** Read-only access to mail on a server: `imaps://ada@example.org@imap.example.org`. */
const imap = defineConnector({
  keys: ['imap', 'imaps'],
  capabilities: { costlyListing: true, threads: true, grep: { ignoreCase: true } },
  configSchema: imapSchema,
  create: createImapConnector,
});

export { imap, mbox };
export default [mbox, imap];
