import { join, resolve } from 'node:path';

import type { Arguments } from '@trove/commands';

import { bindOf, parseBind, readBind, type ListenAddress } from '../serve/bind.js';
import { assertReachable } from '../serve/health.js';
import type { ServerRecord } from '../serve/record.js';
import { locateServer } from '../serve/server-command.js';
import type { StartOptions } from '../serve/start.js';
import { stopServer } from '../serve/stop.js';
import type { Cli } from '../session/cli.js';
import { withNotice } from '../terminal/notice.js';

export type StartArguments = Pick<Arguments<'bind' | 'config'>, 'text'>;

/** The address and the configuration of an earlier start. */
type Before = Pick<ServerRecord, 'bind' | 'endpoint' | 'config'>;

/** Returns the options of a server to start. Those of `before` are the defaults. */
export async function optionsOf(
  args: StartArguments,
  cli: Cli,
  before: Before | undefined,
): Promise<StartOptions> {
  const file = args.text('config');
  const config = file === undefined ? before?.config : resolve(cli.cwd, file);
  const address = addressOf(args.text('bind'), cli, before, config);
  await assertReachable(address);
  return {
    home: cli.home,
    env: withAbsoluteConfig(cli),
    address,
    config,
    command: locateServer(cli.env),
  };
}

/** Makes the path absolute, because the server runs in its home. */
function withAbsoluteConfig({ env, cwd }: Cli): NodeJS.ProcessEnv {
  const { TROVE_SERVER_CONFIG: file } = env;
  return file ? { ...env, TROVE_SERVER_CONFIG: resolve(cwd, file) } : env;
}

/** Returns the address to listen on: the option, else the previous address, the server's settings or the endpoint. */
function addressOf(
  requestedBind: string | undefined,
  cli: Cli,
  before: Before | undefined,
  config: string | undefined,
): ListenAddress {
  if (requestedBind !== undefined) return parseBind(requestedBind);
  if (before !== undefined) return before;
  const { TROVE_SERVER_BIND: ofEnvironment, TROVE_SERVER_CONFIG: named } = cli.env;
  const file = config ?? (named ? resolve(cli.cwd, named) : join(cli.home, 'server.toml'));
  const bind = ofEnvironment || readBind(file);
  return bind ? parseBind(bind) : bindOf(cli.endpoint);
}

export function stopWithNotice(cli: Cli, record: ServerRecord): Promise<boolean> {
  const text = `Stopping process ${record.pid}. It finishes its current work …`;
  return withNotice(cli, text, () => stopServer(cli.home, record));
}
