import {
  defineConnector,
  TroveError,
  type ConnectorPlugin,
  type Infer,
  type JsonSchema,
} from '@trove/core';

import { createHttpConnector } from './connector.js';
import { loginMethod } from './login/oauth-login.js';
import type { HttpConnectorDescription, HttpDescription } from './description/index.js';
import { assertHttpDescription } from './schema/index.js';

const descriptions = new WeakMap<object, HttpDescription>();

/**
 * Makes a connector of the description of a web service. `list`, `changes`, `records`, `check` and resumption follow from the
 * description. Throws `plugin_invalid` if the description is invalid.
 */
export function defineHttpConnector<const S extends JsonSchema>(
  description: HttpConnectorDescription<S, Infer<S>>,
): ConnectorPlugin<S> {
  const { keys, configSchema, setup, ...service } = description;
  assertHttpDescription(service);
  const plugin = defineConnector({
    keys,
    configSchema,
    ...(setup === undefined ? {} : { setup }),
    ...loginMethod(service.auth),
    create: (context) => createHttpConnector(service, { keys, configSchema }, context),
  });
  descriptions.set(plugin, service);
  return plugin;
}

/** Returns the description that a connector was made of. Throws for other connectors. */
export function descriptionOf(plugin: object): HttpDescription {
  const description = descriptions.get(plugin);
  if (description !== undefined) return description;
  throw new TroveError(
    'plugin_invalid',
    'The connector is not one that `defineHttpConnector` made',
  );
}
