import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { root } from './workspaces.mjs';

/**
 * Servers and other resources that several test files share, because creating one takes seconds: the helper that files
 * call, the program that creates it, and the variable where the helper finds the program's output.
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

/** Returns the names of the servers that a test file needs. */
export function servicesOf(text) {
  return services.filter(({ call }) => call.test(text)).map(({ given }) => given);
}

/**
 * Runs `work` with the servers that several of the test files need. Passes it a function that resolves with the servers
 * of a file.
 */
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

/** Without a line, each file starts its own server and reports why it cannot. */
async function tellWhere(given, output) {
  const line = await firstLine(output);
  if (line !== undefined) process.env[given] = line;
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}
