import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createFeishuConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for Feishu and Lark: `feishu://acme`, or a link such as `feishu://acme.feishu.cn/wiki/TOKEN`. */
export default defineConnector({
  keys: ['feishu', 'lark'],
  configSchema,
  setup,
  capabilities: { costlyListing: true },
  create: createFeishuConnector,
});
