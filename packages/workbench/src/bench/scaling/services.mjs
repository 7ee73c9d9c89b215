import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { childrenOf } from '../measure/memory.mjs';
import { sourceVariable } from './rows.mjs';

const programs = new URL('../../../../test-support/programs/', import.meta.url);
/** The settings of an ordinary server, where the test server saves time. */
const safeSettings = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'autovacuum=on'];
const gib = 2 ** 30;
/** By default, Ceph keeps the data of deleted objects for two hours. */
const cephSettings = {
  'memstore device bytes': 14 * gib,
  'rgw gc obj min wait': 60,
  'rgw gc processor period': 60,
  'rgw gc processor max time': 60,
};

/** The index's folder in the bucket. */
export const indexFolder = 'index';

const running = new Set();

/** Starts PostgreSQL for the rows to index. With the metadata's server, each of its commits would count as a change. */
export async function startSource() {
  const source = await startService('postgres-server.mjs', safeSettings);
  return { ...source, url: `${source.line}/postgres` };
}

/** Starts PostgreSQL for the metadata and an object store, both empty. */
export async function startShared() {
  const [metadata, store] = await Promise.all([
    startService('postgres-server.mjs', safeSettings),
    startService('ceph-gateway.mjs', [JSON.stringify(cephSettings)]),
  ]);
  return {
    metadata: { ...metadata, url: `${metadata.line}/postgres` },
    store: { ...store, ...JSON.parse(store.line), stop: store.stop },
  };
}

/** Stops every service that still runs. */
export async function stopServices() {
  await Promise.all([...running].map((stop) => stop()));
}

/** Returns the environment of every server and worker. */
export function environmentOf({ metadata, source, store }, uploads) {
  return {
    TROVE_API_TOKEN: randomBytes(32).toString('base64url'),
    TROVE_METADATA_BACKEND: 'postgres',
    TROVE_METADATA_DSN: metadata.url,
    TROVE_INDEX_URI: `s3://${store.bucket}/${indexFolder}`,
    TROVE_UPLOADS_PATH: uploads,
    AWS_ENDPOINT_URL: store.endpoint,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    [sourceVariable]: source.url,
  };
}

/** Returns the requests to the object store so far, and the bytes of its answers and of the writes. */
export function storeTraffic({ configuration }) {
  const socket = join(dirname(configuration), 'run', 'client.admin.asok');
  const output = execFileSync('ceph', ['--admin-daemon', socket, 'perf', 'dump', 'rgw'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { req, get, get_b, put, put_b } = JSON.parse(output).rgw;
  return { requests: req, reads: get, readBytes: get_b, writes: put, writtenBytes: put_b };
}

async function startService(name, args) {
  const service = spawn(process.execPath, [fileURLToPath(new URL(name, programs)), ...args], {
    // Ctrl-C reaches the whole process group. The services end with their standard input.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(service, 'close');
  const stop = async () => {
    service.stdin.end();
    await closed;
    running.delete(stop);
  };
  running.add(stop);
  for await (const line of createInterface({ input: service.stdout }))
    return { line, stop, pids: childrenOf(service.pid) };
  throw new Error(`${name} did not start`);
}
