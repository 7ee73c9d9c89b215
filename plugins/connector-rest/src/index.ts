import { createHttpConnector } from '@trove/connector-kit/http';
import { defineConnector } from '@trove/core';

import { configSchema, descriptionOf } from './config.js';
import { limitHosts } from './hosts.js';
import { askRestConfig } from './wizard/ask-config.js';
import { secretsOf } from './secrets.js';

const keys = ['rest'];

/** Connector for any web API (`rest://name`). The configuration of a source describes the requests and the fields. */
export default defineConnector({
  keys,
  configSchema,
  askConfig: askRestConfig,
  create: (context) => {
    const { description, hosts } = descriptionOf(context.config, context.error);
    return createHttpConnector(
      description,
      { keys, configSchema },
      {
        ...context,
        // Placeholders cannot reach the secrets of the configuration.
        config: {},
        credentials: secretsOf(context.credentials),
        http: limitHosts(context.http, description, hosts),
      },
    );
  },
});
