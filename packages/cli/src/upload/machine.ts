import { hostname } from 'node:os';

import { machineId } from '@trove/connector-file/local';

import type { Cli } from '../session/cli.js';

/** Whether the server runs on another machine: it cannot read the files of this one. */
export async function isRemote(cli: Cli): Promise<boolean> {
  const { machine_id } = await cli.client.server.getServerInfo();
  return machine_id !== (await machineId(cli.home));
}

/** What the server calls this machine: readable, and different from that of another one with the same name. */
export async function clientId(cli: Cli): Promise<string> {
  const id = await machineId(cli.home);
  const name = hostname()
    .replaceAll(/[^a-zA-Z0-9._-]/g, '-')
    .slice(0, 40);
  return `${name}-${id.slice(0, 8)}`;
}
