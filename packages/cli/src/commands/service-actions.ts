import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { CommandError } from '@trove/commands';

import { isHealthy } from '../serve/health.js';
import { readRecord } from '../serve/record.js';
import { serviceManager } from '../serve/service-manager.js';
import {
  readService,
  removeService,
  writeService,
  type ServiceRecord,
} from '../serve/service-record.js';
import { checkSettings, serviceProgramOf, startServer } from '../serve/start.js';
import type { Cli } from '../session/cli.js';
import { nameConsole } from '../session/console-link.js';
import { withNotice } from '../terminal/notice.js';
import { optionsOf, stopWithNotice, type StartArguments } from './serve-options.js';

const serviceStartMs = 60_000;
const pollMs = 200;
const noArguments: StartArguments = { text: () => undefined };

/** Installs the service of the home, or replaces it. */
export async function installService(args: StartArguments, cli: Cli): Promise<void> {
  const manager = serviceManager(cli.env);
  const running = readRecord(cli.home);
  const options = await optionsOf(args, cli, running ?? readService(cli.home));
  const { address, config } = options;
  const isAnswering = await isHealthy(address.endpoint);
  if (isAnswering && running === undefined && !existsSync(manager.file)) {
    throw new CommandError('already_running', `another server is running at ${address.endpoint}`, [
      'Stop it, or choose another address with --bind.',
    ]);
  }
  await checkSettings(options, { address: running === undefined && !isAnswering });
  if (running !== undefined) await stopWithNotice(cli, running);
  try {
    await manager.install(serviceProgramOf(options));
  } catch (error) {
    if (running !== undefined) await startServer(await optionsOf(noArguments, cli, running));
    throw error;
  }
  writeService(cli.home, { file: manager.file, ...address, config });
  await waitUntilHealthy(address.endpoint, manager.file);
  if (cli.json) return cli.printJson({ installed: true, file: manager.file, ...address });
  await cli.out.line(`Installed ${cli.out.safeName(manager.file)}, running at ${address.endpoint}`);
  await nameConsole(cli, address.endpoint);
  if (manager.hint !== null) await cli.err.line(manager.hint);
  if (address.endpoint !== cli.endpoint)
    await cli.err.line(`For other commands: export TROVE_ENDPOINT=${address.endpoint}`);
}

export async function uninstallService(cli: Cli): Promise<void> {
  const manager = serviceManager(cli.env);
  removeService(cli.home);
  if (!existsSync(manager.file)) {
    if (cli.json) return cli.printJson({ uninstalled: false });
    return cli.out.line('Not installed');
  }
  await manager.uninstall();
  if (cli.json) return cli.printJson({ uninstalled: true, file: manager.file });
  await cli.out.line(`Removed ${cli.out.safeName(manager.file)}`);
}

/** Starts the service if it does not answer. */
export async function startService(
  args: StartArguments,
  cli: Cli,
  service: ServiceRecord,
): Promise<void> {
  const bind = args.text('bind');
  if (bind !== undefined && bind !== service.bind) {
    throw new CommandError('already_running', `the service of this home uses ${service.endpoint}`, [
      `Move it: trove serve install --bind ${bind}`,
    ]);
  }
  if (await isHealthy(service.endpoint)) return report(cli, service, 'Already running');
  await serviceManager(cli.env).restart();
  await waitUntilHealthy(service.endpoint, service.file);
  await report(cli, service, 'Running');
}

/** Checks the settings, then restarts the service. With options, installs it again. */
export async function restartService(
  args: StartArguments,
  cli: Cli,
  service: ServiceRecord,
): Promise<void> {
  if (args.text('bind') !== undefined || args.text('config') !== undefined)
    return installService(args, cli);
  const options = await optionsOf(args, cli, service);
  await withNotice(cli, 'Checking the settings …', () =>
    checkSettings(options, { address: false }),
  );
  await serviceManager(cli.env).restart();
  await waitUntilHealthy(service.endpoint, service.file);
  await report(cli, service, 'Running');
}

export async function stopService(cli: Cli, service: ServiceRecord): Promise<void> {
  await serviceManager(cli.env).stop();
  if (cli.json) return cli.printJson({ stopped: true, service: service.file });
  await cli.out.line(`Stopped the service ${cli.out.safeName(service.file)} until the next login`);
}

async function report(cli: Cli, service: ServiceRecord, word: string): Promise<void> {
  const { file, endpoint } = service;
  if (cli.json) return cli.printJson({ running: true, healthy: true, endpoint, service: file });
  await cli.out.line(`${word}: the service ${cli.out.safeName(file)} at ${endpoint}`);
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
