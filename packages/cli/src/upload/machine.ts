import { hostname } from 'node:os';

import { machineId } from '@trove/connector-file/local';

import type { Cli } from '../session/cli.js';

/** Tests if the server runs on another machine and cannot read local files. */
export async function isRemote(cli: Cli): Promise<boolean> {
  const { machine_id } = await cli.client.server.getServerInfo();
  return machine_id !== (await machineId(cli.home));
}

/** Returns a readable id of this machine, distinct from machines with the same host name. */
export async function clientId(cli: Cli): Promise<string> {
  const id = await machineId(cli.home);
  const name = hostname()
    .replaceAll(/[^a-zA-Z0-9._-]/g, '-')
    .slice(0, 40);
  return `${name}-${id.slice(0, 8)}`;
}
