import { HttpService, serviceLogin } from '@trove/connector-kit/http';
import { createMailboxConnector } from '@trove/connector-kit/mail';
import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { description } from './description.js';
import { GmailMailbox } from './mailbox.js';
import { setup } from './setup.js';

const keys = ['gmail'];

/** Connector for Gmail (`gmail://NAME`): messages with their labels and threads, and attachments. */
export default defineConnector({
  keys,
  capabilities: { costlyListing: true, keysOnly: true, threads: true },
  configSchema,
  setup,
  ...serviceLogin(description),
  create(context) {
    const { config, cacheFolder } = context;
    const { label, attachments, account } = config;
    const http = new HttpService(description, { keys, configSchema }, context);
    const webUrl = `https://mail.google.com/mail/u/${account === undefined ? '0/' : `?authuser=${encodeURIComponent(account)}`}`;
    return createMailboxConnector({
      http,
      service: new GmailMailbox(http, { label, attachments, webUrl }),
      title: 'Gmail',
      settings: JSON.stringify([label, attachments, account]),
      attachments,
      cacheFolder,
      explain: (isIncremental) => {
        const root = `GET ${http.base}/gmail/v1/users/me`;
        const message = { name: 'message', request: `${root}/messages/{id}?format=raw` };
        return isIncremental
          ? [
              { name: 'history', request: `${root}/history?startHistoryId={id}`, paged: true },
              { ...message, repeats: 'for each changed message' },
            ]
          : [
              { name: 'profile', request: `${root}/profile` },
              { name: 'messages', request: `${root}/messages`, paged: true },
              { ...message, repeats: 'for each message' },
            ];
      },
    });
  },
});
