import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { root } from './workspaces.mjs';

/**
 * Servers, and what else several test files share, since each would take seconds to make its own: the helper that files call for
 * one, the program that makes it, and where the helper looks for what that program prints.
 */
const services = [
  {
    call: /\bstartPostgres\(/,
    program: 'test-support/programs/postgres-server.mjs',
    given: 'TROVE_TEST_PG_URL',
  },
  {
    call: /\bstartObjectStore\(/,
    program: 'test-support/programs/ceph-gateway.mjs',
    given: 'TROVE_TEST_OBJECT_STORE',
  },
  {
    call: /\bpackedPackages\(/,
    program: 'workbench/src/lib/packed-packages.mjs',
    given: 'TROVE_TEST_PACKED',
  },
];

/** Names of the servers that a test file needs. */
export function servicesOf(text) {
  return services.filter(({ call }) => call.test(text)).map(({ given }) => given);
}

/** Runs `work` beside the servers that more than one of the test files need; it is given a promise of those of a file. */
export async function withServices(files, work) {
  const started = services
    .filter(({ given }) => files.filter(({ needs }) => needs.includes(given)).length > 1)
    .filter(({ given }) => process.env[given] === undefined)
    .map(start);
  const ready = ({ needs }) =>
    Promise.all(started.filter(({ given }) => needs.includes(given)).map(({ up }) => up));
  try {
    return await work(ready);
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
}

function start({ program, given }) {
  const path = join(root, 'packages', program);
  const server = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const up = tellWhere(given, server.stdout);
  const stop = async () => {
    server.stdin.end();
    await exited;
    delete process.env[given];
  };
  return { given, up, stop };
}

/** Without a line, each file starts its own server, and says why it cannot. */
async function tellWhere(given, output) {
  const line = await firstLine(output);
  if (line !== undefined) process.env[given] = line;
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}
