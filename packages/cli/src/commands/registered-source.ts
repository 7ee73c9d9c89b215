import type { ConnectorRow } from '@trove/client';

import { localPathOf } from '../paths/large-target.js';
import type { Cli } from '../session/cli.js';

/** Returns the registered source of a target, or undefined. */
export async function findRegisteredSource(
  target: string,
  cli: Cli,
): Promise<ConnectorRow | undefined> {
  const { connectors } = await cli.client.server.status();
  const path = localPathOf(target);
  return connectors.find(({ root_uri: uri }) =>
    path === null ? uri === target : localPathOf(uri) === path,
  );
}
