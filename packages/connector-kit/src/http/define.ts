import { defineConnector, type ConnectorPlugin, type Infer, type JsonSchema } from '@trove/core';

import { createHttpConnector } from './connector.js';
import { loginMethod } from './login/oauth-login.js';
import type { HttpConnectorDescription } from './description/index.js';
import { assertHttpDescription } from './schema/index.js';

/**
 * Makes a connector of the description of a web service. `list`, `changes`, `records`, `check` and resumption follow from the
 * description. Throws `plugin_invalid` if the description is invalid.
 */
export function defineHttpConnector<const S extends JsonSchema>(
  description: HttpConnectorDescription<S, Infer<S>>,
): ConnectorPlugin<S> {
  const { keys, configSchema, ...service } = description;
  assertHttpDescription(service);
  return defineConnector({
    keys,
    configSchema,
    ...loginMethod(service.auth),
    create: (context) => createHttpConnector(service, { keys, configSchema }, context),
  });
}
