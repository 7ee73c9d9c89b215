import { HttpService, serviceLogin } from '@trove/connector-kit/http';
import { createMailboxConnector } from '@trove/connector-kit/mail';
import { defineConnector, type JsonSchema } from '@trove/core';

import { describeGraph } from '../graph/description.js';
import { graphSettings } from '../graph/settings.js';
import { OutlookMailbox } from './outlook-mailbox.js';
import { outlookSetup } from './setup.js';

const keys = ['outlook'];
const permission = 'Mail.Read';
/** The ids of messages then stay the same when they move. */
const headers = { prefer: 'IdType="ImmutableId"' };

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...graphSettings,
    user: {
      type: 'string',
      pattern: '^[^/\\s]+$',
      description:
        'Id or mail address of the user whose mail is indexed. Required with `client_secret`. Default: the user who logs in.',
    },
    folders: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Paths of folders: ["Inbox", "Projects/Rocket"]. Default: all, without deleted items and junk.',
    },
    attachments: { type: 'boolean', default: true, description: 'Index attachments.' },
  },
} as const satisfies JsonSchema;

/** The mail of a user of Microsoft 365 or Outlook.com (`outlook://NAME`). */
export const outlook = defineConnector({
  keys,
  capabilities: { costlyListing: true, keysOnly: true, threads: true },
  configSchema,
  setup: outlookSetup,
  ...serviceLogin(describeGraph(permission, {})),
  create(context) {
    const { config, cacheFolder } = context;
    const { user, folders, attachments } = config;
    const root = user === undefined ? '/v1.0/me' : `/v1.0/users/${encodeURIComponent(user)}`;
    const check = {
      get: () => `${root}/mailFolders/inbox`,
      query: { $select: 'id,displayName,totalItemCount' },
      say: 'Connected to the mailbox. The inbox has {totalItemCount} messages.',
    };
    const description = describeGraph(permission, check, headers);
    const http = new HttpService(description, { keys, configSchema }, context);
    const selected = folders.map((folder) => folder.replaceAll(/^\/+|\/+$/g, ''));
    return createMailboxConnector({
      http,
      service: new OutlookMailbox(http, { root, folders: selected }),
      title: 'Outlook',
      settings: JSON.stringify([user, selected, attachments]),
      attachments,
      cacheFolder,
      explain: (isIncremental) => {
        const base = `GET ${http.base}${root}`;
        const delta = `${base}/mailFolders/{id}/messages/delta`;
        return [
          { name: 'folders', request: `${base}/mailFolders`, paged: true },
          { name: 'messages', request: delta, repeats: 'for each folder', paged: true },
          {
            name: 'message',
            request: `${base}/messages/{id}/$value`,
            repeats: isIncremental ? 'for each changed message' : 'for each message',
          },
        ];
      },
    });
  },
});
