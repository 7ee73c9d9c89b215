import { CommandError } from '@trove/commands';

import { parseBind } from '../serve/bind.js';
import { serveFiles } from '../serve/files.js';
import { isHealthy } from '../serve/health.js';
import { readRecord, type ServerRecord } from '../serve/record.js';
import { readService } from '../serve/service-record.js';
import { checkSettings, startServer } from '../serve/start.js';
import type { Cli } from '../session/cli.js';
import { nameConsole } from '../session/console-link.js';
import { withNotice } from '../terminal/notice.js';
import { optionsOf, stopWithNotice, type StartArguments } from './serve-options.js';
import { restartService, startService, stopService } from './service-actions.js';

/**
 * Restarts the server, or starts it if it is not running. Checks the settings first and stops nothing if they are
 * invalid.
 */
export async function restart(args: StartArguments, cli: Cli): Promise<void> {
  const before = readRecord(cli.home);
  const service = before === undefined ? readService(cli.home) : undefined;
  if (service !== undefined) return restartService(args, cli, service);
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
  const service = readService(cli.home);
  if (service !== undefined) return startService(args, cli, service);
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

export async function stopIfRunning(cli: Cli): Promise<void> {
  const record = readRecord(cli.home);
  if (record === undefined) {
    const service = readService(cli.home);
    return service === undefined ? reportNotRunning(cli) : stopService(cli, service);
  }
  const graceful = await stopWithNotice(cli, record);
  if (cli.json) return cli.printJson({ stopped: true, pid: record.pid, killed: !graceful });
  const how = graceful ? '' : ' (killed after 15 s)';
  await cli.out.line(`Stopped process ${record.pid}${how}`);
}

async function reportNotRunning(cli: Cli): Promise<void> {
  if (cli.json) return cli.printJson({ stopped: false });
  await cli.out.line('Not running');
}

async function reportServer(cli: Cli, record: ServerRecord, word: string): Promise<void> {
  if (cli.json) return cli.printJson(describe(cli, record, record.endpoint, true));
  await cli.out.line(`${word}: process ${record.pid} at ${record.endpoint}`);
  await nameConsole(cli, record.endpoint);
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
