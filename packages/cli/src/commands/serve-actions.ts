import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type Arguments, CommandError } from '@trove/commands';

import { type ListenAddress, readBind, bindOf, parseBind } from '../serve/bind.js';
import { serveFiles } from '../serve/files.js';
import { assertReachable, isHealthy } from '../serve/health.js';
import { locateServer } from '../serve/server-command.js';
import { readRecord, type ServerRecord } from '../serve/record.js';
import { serviceManager } from '../serve/service-manager.js';
import { checkSettings, serviceProgramOf, type StartOptions, startServer } from '../serve/start.js';
import { stopServer } from '../serve/stop.js';
import type { Cli } from '../session/cli.js';
import { withNotice } from '../terminal/notice.js';

const serviceStartMs = 60_000;
const pollMs = 200;

type StartArguments = Pick<Arguments<'bind' | 'config'>, 'text'>;

/**
 * Restarts the server, or starts it if it is not running. Checks the settings first and stops nothing if they are
 * invalid.
 */
export async function restart(args: StartArguments, cli: Cli): Promise<void> {
  const before = readRecord(cli.home);
  if (before !== undefined) {
    const options = await optionsOf(args, cli, before);
    const moves = options.address.bind !== before.bind;
    const text = 'Checking the settings …';
    await withNotice(cli, text, () => checkSettings(options, { address: moves }));
    await stopWithNotice(cli, before);
  }
  await startIfNeeded(args, cli, before);
}

export async function startIfNeeded(
  args: StartArguments,
  cli: Cli,
  before?: ServerRecord,
): Promise<void> {
  const requestedBind = args.text('bind');
  const running = readRecord(cli.home);
  if (running !== undefined) {
    if (requestedBind !== undefined && parseBind(requestedBind).bind !== running.bind) {
      throw new CommandError(
        'already_running',
        `a server is already running at ${running.endpoint}`,
        [`Move it: trove serve restart --bind ${requestedBind}`],
      );
    }
    return reportServer(cli, running, 'Already running');
  }
  const options = await optionsOf(args, cli, before);
  const { address } = options;
  if (await isHealthy(address.endpoint)) {
    if (cli.json) return cli.printJson(describe(cli, undefined, address.endpoint, true));
    return cli.out.line(
      `A server that \`trove serve\` did not start is already running at ${address.endpoint}`,
    );
  }
  if (!cli.json) await cli.err.line(`Starting a server at ${address.endpoint} …`);
  const record = await startServer(options);
  await reportServer(cli, record, 'Running');
}

async function optionsOf(
  args: StartArguments,
  cli: Cli,
  before: ServerRecord | undefined,
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
  before: ServerRecord | undefined,
  config: string | undefined,
): ListenAddress {
  if (requestedBind !== undefined) return parseBind(requestedBind);
  if (before !== undefined) return before;
  const { TROVE_SERVER_BIND: ofEnvironment, TROVE_SERVER_CONFIG: named } = cli.env;
  const file = config ?? (named ? resolve(cli.cwd, named) : join(cli.home, 'server.toml'));
  const bind = ofEnvironment || readBind(file);
  return bind ? parseBind(bind) : bindOf(cli.endpoint);
}

export async function installService(args: StartArguments, cli: Cli): Promise<void> {
  const manager = serviceManager(cli.env);
  const running = readRecord(cli.home);
  const options = await optionsOf(args, cli, running);
  const isAnswering = await isHealthy(options.address.endpoint);
  if (isAnswering && running === undefined && !existsSync(manager.file)) {
    throw new CommandError(
      'already_running',
      `another server is running at ${options.address.endpoint}`,
      ['Stop it, or choose another address with --bind.'],
    );
  }
  await checkSettings(options, { address: running === undefined && !isAnswering });
  if (running !== undefined) await stopWithNotice(cli, running);
  const { address } = options;
  await manager.install(serviceProgramOf(options));
  await waitUntilHealthy(address.endpoint, manager.file);
  if (cli.json) return cli.printJson({ installed: true, file: manager.file, ...address });
  await cli.out.line(`Installed ${cli.out.safeName(manager.file)}, running at ${address.endpoint}`);
  if (manager.hint !== null) await cli.err.line(manager.hint);
}

export async function uninstallService(cli: Cli): Promise<void> {
  const manager = serviceManager(cli.env);
  if (!existsSync(manager.file)) {
    if (cli.json) return cli.printJson({ uninstalled: false });
    return cli.out.line('Not installed');
  }
  await manager.uninstall();
  if (cli.json) return cli.printJson({ uninstalled: true, file: manager.file });
  await cli.out.line(`Removed ${cli.out.safeName(manager.file)}`);
}

async function waitUntilHealthy(endpoint: string, file: string): Promise<void> {
  const deadline = performance.now() + serviceStartMs;
  while (!(await isHealthy(endpoint))) {
    if (performance.now() > deadline) {
      throw new CommandError('start_failed', `the service of ${file} does not answer`, [
        'See its log: trove serve logs',
      ]);
    }
    await delay(pollMs);
  }
}

export async function stopIfRunning(cli: Cli): Promise<void> {
  const record = readRecord(cli.home);
  if (record === undefined) return reportNotRunning(cli);
  const graceful = await stopWithNotice(cli, record);
  if (cli.json) return cli.printJson({ stopped: true, pid: record.pid, killed: !graceful });
  const how = graceful ? '' : ' (killed after 15 s)';
  await cli.out.line(`Stopped process ${record.pid}${how}`);
}

function stopWithNotice(cli: Cli, record: ServerRecord): Promise<boolean> {
  const text = `Stopping process ${record.pid}. It finishes its current work …`;
  return withNotice(cli, text, () => stopServer(cli.home, record));
}

export async function reportNotRunning(cli: Cli): Promise<void> {
  if (cli.json) return cli.printJson({ stopped: false });
  await cli.out.line('Not running');
}

async function reportServer(cli: Cli, record: ServerRecord, word: string): Promise<void> {
  if (cli.json) return cli.printJson(describe(cli, record, record.endpoint, true));
  await cli.out.line(`${word}: process ${record.pid} at ${record.endpoint}`);
  if (record.endpoint !== cli.endpoint) {
    await cli.err.line(`For other commands: export TROVE_ENDPOINT=${record.endpoint}`);
  }
}

export function describe(
  cli: Cli,
  record: ServerRecord | undefined,
  endpoint: string,
  healthy: boolean,
) {
  return {
    running: record !== undefined || healthy,
    healthy,
    endpoint,
    pid: record?.pid ?? null,
    started_at: record?.startedAt ?? null,
    log: serveFiles(cli.home).log,
  };
}
