import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@trove/test-support/free-port.js';
import { root } from './workspaces.mjs';

const readyMs = 60_000;
const stopMs = 15_000;
const pollMs = 100;
const logTail = 20;
const youngHeap = '--max-semi-space-size=4';

/** Returns an environment with the memory settings of `trove serve start`. */
export function withMemorySettings(environment) {
  const { NODE_OPTIONS = '' } = environment;
  return {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    ...environment,
    NODE_OPTIONS: `${youngHeap} ${NODE_OPTIONS}`.trim(),
  };
}

export function hasMemorySettings({ NODE_OPTIONS = '' }) {
  return NODE_OPTIONS.startsWith(youngHeap);
}

/**
 * Starts trove-server on a free loopback port with `home` as its home folder and waits until it responds. `command` is
 * `run` or `api`, with further environment variables. Returns `{ endpoint, environment, pid, stop() }`: `environment`
 * configures the trove command for it, and `stop` returns how the server ended as `{ code, signal, ms }`. Throws with the
 * end of the server's log if it does not start.
 */
export async function startServer(home, { command = 'run', environment: further = {} } = {}) {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const environment = { TROVE_HOME: home, TROVE_ENDPOINT: endpoint };
  const bind = endpoint.slice('http://'.length);
  const program = launch(home, [command, '--bind', bind], { ...further, ...environment });
  await program.started(() => answers(endpoint));
  return { endpoint, environment, pid: program.pid, stop: program.stop };
}

/** Starts a worker that shares the services of its environment, and waits until it works. Returns `{ pid, stop() }`. */
export async function startWorker(home, environment) {
  const { pid, stop, log, started } = launch(home, ['worker'], {
    ...environment,
    TROVE_HOME: home,
  });
  await started(() => readFileSync(log, 'utf8').includes('"msg":"working"'));
  return { pid, stop };
}

function launch(home, args, environment) {
  mkdirSync(home, { recursive: true });
  const log = join(home, 'server.log');
  const output = openSync(log, 'w');
  const child = spawn(
    process.execPath,
    [join(root, 'packages/server/bin/trove-server.js'), ...args],
    {
      cwd: root,
      env: { ...withMemorySettings(process.env), ...environment },
      stdio: ['ignore', output, output],
    },
  );
  closeSync(output);
  const stop = stopFunctionOf(child);
  const onSignal = () => void stop().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, onSignal);
    child.once('exit', () => process.off(signal, onSignal));
  }
  return { pid: child.pid, log, stop, started: (isReady) => untilReady(child, log, stop, isReady) };
}

/** Stops the program and throws with the end of its log if it is not ready in time. */
async function untilReady(child, log, stop, isReady) {
  const deadline = performance.now() + readyMs;
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    if (await isReady()) return;
    await sleep(pollMs);
  }
  await stop();
  const tail = readFileSync(log, 'utf8').split('\n').slice(-logTail).join('\n');
  throw new Error(`the server did not start. The end of ${log}:\n${tail}`);
}

async function answers(endpoint) {
  const response = await fetch(`${endpoint}/healthz`).catch(() => undefined);
  return response?.ok === true;
}

function stopFunctionOf(child) {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return async () => {
    const started = performance.now();
    const force = setTimeout(() => child.kill('SIGKILL'), stopMs);
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await exited;
    clearTimeout(force);
    return { code: child.exitCode, signal: child.signalCode, ms: performance.now() - started };
  };
}
