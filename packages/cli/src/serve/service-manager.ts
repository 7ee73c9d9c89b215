import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { CommandError } from '@trove/commands';
import { messageOf } from '../session/system-errors.js';
import {
  agentLabel,
  launchdPlist,
  systemdUnit,
  unitName,
  type ServiceProgram,
} from './service-file.js';

const commandLimitMs = 30_000;

/** The service manager of a user. */
export interface ServiceManager {
  /** The path of the service's file. */
  readonly file: string;
  /** Writes the file, and starts the service now and at each login. */
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
  return {
    file,
    hint: 'To run it without a login: loginctl enable-linger',
    async install(program) {
      write(file, systemdUnit(program));
      await run('daemon-reload');
      await run('enable', unitName);
      await run('restart', unitName);
    },
    restart: () => run('restart', unitName),
    stop: () => run('stop', unitName),
    async uninstall() {
      await run('disable', '--now', unitName);
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
  const unload = () => run('bootout', agent).catch(() => undefined);
  return {
    file,
    hint: null,
    async install(program) {
      write(file, launchdPlist(program));
      await unload();
      await run('bootstrap', domain, file);
    },
    restart: () => run('kickstart', '-k', agent),
    stop: () => run('kill', 'SIGTERM', agent),
    async uninstall() {
      await unload();
      rmSync(file, { force: true });
    },
  };
}

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
    throw new CommandError(
      'service_failed',
      `${tool} ${args.join(' ')}: ${stderr || messageOf(error)}`,
      ['Start the server with `trove serve start` instead.'],
    );
  }
}
