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
    variable: 'TROVE_TEST_PG_URL',
  },
  {
    call: /\bstartObjectStore\(/,
    program: 'test-support/programs/ceph-gateway.mjs',
    variable: 'TROVE_TEST_OBJECT_STORE',
  },
  {
    call: /\bpackedPackages\(/,
    program: 'workbench/src/lib/packed-packages.mjs',
    variable: 'TROVE_TEST_PACKED',
  },
];

/** Returns the names of the servers that a test file needs. */
export function servicesOf(text) {
  return services.filter(({ call }) => call.test(text)).map(({ variable }) => variable);
}

/**
 * Runs `work` with the servers that several of the test files need. Passes it a function that resolves with the servers
 * of a file.
 */
export async function withServices(files, work) {
  const started = services
    .filter(({ variable }) => files.filter(({ needs }) => needs.includes(variable)).length > 1)
    .filter(({ variable }) => process.env[variable] === undefined)
    .map(start);
  const ready = ({ needs }) =>
    Promise.all(started.filter(({ variable }) => needs.includes(variable)).map(({ up }) => up));
  try {
    return await work(ready);
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
}

function start({ program, variable }) {
  const path = join(root, 'packages', program);
  const server = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const up = publishAddress(variable, server.stdout);
  const stop = async () => {
    server.stdin.end();
    await exited;
    delete process.env[variable];
  };
  return { variable, up, stop };
}

/** Sets the variable to the first line of output. Without one, each file starts its own server and reports failures. */
async function publishAddress(variable, output) {
  const line = await firstLine(output);
  if (line !== undefined) process.env[variable] = line;
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}
