import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { CommandError } from '@trove/commands';
import { errorCode, messageOf, readFileIfAny } from '../session/system-errors.js';
import {
  agentLabel,
  launchdPlist,
  systemdUnit,
  unitName,
  type ServiceProgram,
} from './service-file.js';

const commandLimitMs = 30_000;
/** An agent has 15 s for its end, as its property list states. */
const unloadMs = 16_000;
const pollMs = 200;

/** The service manager of a user. */
export interface ServiceManager {
  /** The path of the service's file. */
  readonly file: string;
  /** Writes the file, and starts the service now and at each login. After a failure, everything is as before. */
  install(program: ServiceProgram): Promise<void>;
  /** Starts an installed service. Stops it first if it is running. */
  restart(): Promise<void>;
  /** Stops the service until the next login. */
  stop(): Promise<void>;
  /** Stops the service, and removes the file. */
  uninstall(): Promise<void>;
  /** How to start the service without a login, or null. */
  readonly hint: string | null;
}

/** Returns the manager of this machine. Throws a CommandError on a system without one. */
export function serviceManager(
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): ServiceManager {
  if (platform === 'linux') return systemd(env);
  if (platform === 'darwin') return launchd(env);
  throw new CommandError('not_supported', `services are not supported on ${platform}`, [
    'Start the server with `trove serve start`.',
  ]);
}

function systemd(env: NodeJS.ProcessEnv): ServiceManager {
  const { XDG_CONFIG_HOME: config } = env;
  const folder = join(config || join(homeOf(env), '.config'), 'systemd', 'user');
  const file = join(folder, unitName);
  const run = (...args: string[]) => runTool(env, 'systemctl', ['--user', ...args]);
  const start = async (): Promise<void> => {
    await run('daemon-reload');
    await run('enable', unitName);
    await run('restart', unitName);
  };
  const disable = () => run('disable', '--now', unitName);
  return {
    file,
    hint: 'To run it without a login: loginctl enable-linger',
    install: (program) =>
      replaceService(file, systemdUnit(program), {
        start,
        stop: disable,
        forget: () => run('daemon-reload'),
      }),
    restart: () => run('restart', unitName),
    stop: () => run('stop', unitName),
    async uninstall() {
      await disable();
      rmSync(file, { force: true });
      await run('daemon-reload');
    },
  };
}

function launchd(env: NodeJS.ProcessEnv): ServiceManager {
  const file = join(homeOf(env), 'Library', 'LaunchAgents', `${agentLabel}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const agent = `${domain}/${agentLabel}`;
  const run = (...args: string[]) => runTool(env, 'launchctl', args);
  const isLoaded = () =>
    run('print', agent).then(
      () => true,
      () => false,
    );
  /** `bootout` may return before the agent has ended, and loading an agent fails until then. */
  const unload = async (): Promise<void> => {
    await run('bootout', agent).catch(ignore);
    const deadline = performance.now() + unloadMs;
    while ((await isLoaded()) && performance.now() < deadline) await sleep(pollMs);
  };
  const start = async (): Promise<void> => {
    await unload();
    // A disabled agent cannot be loaded.
    await run('enable', agent);
    await run('bootstrap', domain, file);
  };
  return {
    file,
    hint: null,
    install: (program) =>
      replaceService(file, launchdPlist(program), {
        start,
        stop: unload,
        forget: async () => undefined,
      }),
    restart: () => run('kickstart', '-k', agent),
    stop: () => run('kill', 'SIGTERM', agent),
    async uninstall() {
      await unload();
      rmSync(file, { force: true });
    },
  };
}

/** The steps of a service manager. */
interface ServiceSteps {
  /** Starts the service of the file, now and at each login. */
  readonly start: () => Promise<unknown>;
  readonly stop: () => Promise<unknown>;
  /** Called after the file was removed. */
  readonly forget: () => Promise<unknown>;
}

/** Writes the file of a service and starts it. After a failure, restores the previous service or none. */
async function replaceService(
  file: string,
  text: string,
  { start, stop, forget }: ServiceSteps,
): Promise<void> {
  const previous = readFileIfAny(file);
  write(file, text);
  try {
    await start();
  } catch (error) {
    // The cause of the failure may prevent these steps, too.
    if (previous === undefined) {
      await stop().catch(ignore);
      rmSync(file, { force: true });
      await forget().catch(ignore);
    } else {
      write(file, previous);
      await start().catch(ignore);
    }
    throw notInstalled(error);
  }
}

function notInstalled(error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  const { code, message, suggestions } = error;
  return new CommandError(code, `the service was not installed: ${message}`, suggestions);
}

function ignore(): void {}

function homeOf({ HOME: home }: NodeJS.ProcessEnv): string {
  return home || homedir();
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

async function runTool(
  env: NodeJS.ProcessEnv,
  tool: string,
  args: readonly string[],
): Promise<void> {
  try {
    await promisify(execFile)(tool, [...args], { env, timeout: commandLimitMs });
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason =
      errorCode(error) === 'ENOENT' ? 'the program is not installed' : messageOf(error);
    throw new CommandError('service_failed', `${tool} ${args.join(' ')}: ${stderr || reason}`, [
      'Start the server without a service: trove serve start',
      ...adviceOn(stderr),
    ]);
  }
}

/** Returns advice on frequent errors of service managers. */
function adviceOn(stderr: string): string[] {
  if (/connect to (?:the )?(?:user scope )?bus/i.test(stderr))
    return [
      'Services need a login session of this user, which `su` and `sudo` do not start. Log in as the user, for example with ssh.',
    ];
  if (/Domain does not support/i.test(stderr))
    return ['Agents need a login of this user at the screen of the Mac.'];
  return [];
}
