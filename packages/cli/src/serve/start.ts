import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { CommandError } from '@trove/commands';
import { messageOf } from '../session/system-errors.js';
import type { ListenAddress } from './bind.js';
import { isHealthy } from './health.js';
import type { ServerCommand } from './server-command.js';
import { serveFiles } from './files.js';
import { logSize, openLog, tailLog } from './log.js';
import { processIdentity } from './processes.js';
import type { ServiceProgram } from './service-file.js';
import { removeRecord, type ServerRecord, writeRecord } from './record.js';

const startMs = 60_000;
const checkMs = 30_000;
const pollMs = 100;
const shownLines = 15;
/**
 * Limits the memory of glibc, which keeps freed blocks in per-thread arenas. With two arenas, and blocks from 64 KiB
 * returned at once, a server takes a quarter less memory.
 */
const mallocSettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(64 * 1024) };
/** MiB per semi-space of the heap. The default, four times as much, takes 50 MB more and saves no time. */
const youngHeapOption = '--max-semi-space-size=4';

export interface StartOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly address: ListenAddress;
  /** Path of a server.toml. */
  readonly config: string | undefined;
  readonly command: ServerCommand;
}

/**
 * Starts a server that outlives this process. Resolves when it answers. Throws a CommandError with its last log lines.
 */
export async function startServer(options: StartOptions): Promise<ServerRecord> {
  const { home } = options;
  const logStart = logSize(home);
  const child = await launch(options);
  const record = createRecord(child, options);
  try {
    writeRecord(home, record);
    await waitUntilHealthy(child, record.endpoint);
    return record;
  } catch (error) {
    if (child.exitCode !== null || child.signalCode !== null) removeRecord(home);
    const words = tailLog(home, shownLines, Math.min(logStart, logSize(home))).trimEnd();
    const detail = messageOf(error);
    throw new CommandError(
      'start_failed',
      words === '' ? detail : `${detail}. The end of its log:\n${words}`,
      ['See the complete log: trove serve logs'],
    );
  }
}

/** Returns the program of a service. It gets no variables of the shell, because they may hold secrets. */
export function serviceProgramOf(options: StartOptions): ServiceProgram {
  const { home, address, command } = options;
  const { log } = serveFiles(home);
  return {
    program: command.program,
    args: [...command.args, 'run', '--bind', address.bind, ...configArgs(options)],
    env: {
      ...mallocSettings,
      NODE_OPTIONS: youngHeapOption,
      TROVE_HOME: home,
      TROVE_LOG_FILE: log,
    },
    home,
    log,
  };
}

/** Throws a CommandError with the server's message if it would refuse to start. `address` also tests the address. */
export async function checkSettings(
  options: StartOptions,
  { address }: { readonly address: boolean },
): Promise<void> {
  const { command } = options;
  const args = [...command.args, 'reload', ...(address ? ['--bind', options.address.bind] : [])];
  try {
    await promisify(execFile)(command.program, [...args, ...configArgs(options)], {
      ...processOptions(options),
      timeout: checkMs,
    });
  } catch (error) {
    const stderrText =
      error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const [detail = '', ...suggestions] = stderrText.replace(/^error: /, '').split('\n');
    throw new CommandError(
      'start_failed',
      `the server was not stopped: ${detail || messageOf(error)}`,
      suggestions.map((line) => line.trim()),
    );
  }
}

/** Runs the server in its home, where it finds its own server.toml. */
function processOptions({ home, env }: StartOptions) {
  return {
    cwd: home,
    env: {
      ...mallocSettings,
      ...env,
      // The last option wins.
      NODE_OPTIONS: [youngHeapOption, env['NODE_OPTIONS'] ?? ''].join(' ').trim(),
      TROVE_HOME: home,
      TROVE_LOG_FILE: serveFiles(home).log,
    },
  };
}

function configArgs({ config }: StartOptions): string[] {
  return config === undefined ? [] : ['--config', config];
}

async function launch(options: StartOptions) {
  const { home, address, command } = options;
  const log = openLog(home);
  const args = [...command.args, 'run', '--bind', address.bind, ...configArgs(options)];
  try {
    const child = spawn(command.program, args, {
      ...processOptions(options),
      detached: true,
      stdio: ['ignore', log, log],
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } catch (error) {
    throw new CommandError('start_failed', `the server could not be started: ${messageOf(error)}`);
  } finally {
    closeSync(log);
  }
}

function createRecord(child: ChildProcess, { address, config }: StartOptions): ServerRecord {
  const pid = child.pid ?? 0;
  return {
    pid,
    bind: address.bind,
    endpoint: address.endpoint,
    config,
    startedAt: new Date().toISOString(),
    identity: processIdentity(pid) ?? '',
  };
}

async function waitUntilHealthy(child: ChildProcess, endpoint: string): Promise<void> {
  const deadline = performance.now() + startMs;
  while (performance.now() < deadline) {
    const healthy = await isHealthy(endpoint);
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server ended with ${child.signalCode ?? `code ${child.exitCode}`}`);
    }
    if (healthy) return;
    await sleep(pollMs);
  }
  throw new Error(`the server does not answer at ${endpoint} after ${startMs / 1000} s`);
}
