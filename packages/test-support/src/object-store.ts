import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { AwsClient } from 'aws4fetch';

import { missingProgram } from './skips.js';

const gatewayProgram = fileURLToPath(new URL('../programs/ceph-gateway.mjs', import.meta.url));
const secondGatewayProgram = fileURLToPath(
  new URL('../programs/ceph-second-gateway.mjs', import.meta.url),
);

/** The reason why `startObjectStore` cannot run, or null. */
export const noObjectStore = missingProgram('radosgw', 'Ceph');

/** An S3 store with an empty bucket. */
export interface ObjectStore {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Path of the cluster's configuration. */
  readonly configuration: string;
  /**
   * Removes the store with its objects. Leaves a store that was already running as it is, because its data is in
   * memory.
   */
  stop(): Promise<void>;
}

/** A gateway of a store without other clients. */
export interface SecondGateway {
  readonly endpoint: string;
  /** Kills it with all connections and restarts it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

type ObjectStoreFacts = Omit<ObjectStore, 'stop'>;

/**
 * Starts Ceph's gateway with all data in memory, or creates a bucket in the store of TROVE_TEST_OBJECT_STORE. Stop it
 * in an `after` hook.
 */
export async function startObjectStore(): Promise<ObjectStore> {
  const given = process.env['TROVE_TEST_OBJECT_STORE'];
  return given === undefined ? startOwn() : bucketIn(parseFacts(given));
}

async function bucketIn(running: ObjectStoreFacts): Promise<ObjectStore> {
  const { endpoint, accessKeyId, secretAccessKey } = running;
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'here' });
  const bucket = `trove-${randomUUID()}`;
  const made = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`There is no bucket: ${await made.text()}`);
  return { ...running, bucket, stop: async () => undefined };
}

async function startOwn(): Promise<ObjectStore> {
  const gateway = spawn(process.execPath, [gatewayProgram], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => gateway.once('exit', resolve));
  for await (const line of createInterface({ input: gateway.stdout })) {
    return {
      ...parseFacts(line),
      stop: async () => {
        gateway.stdin.end();
        await exited;
      },
    };
  }
  throw new Error('The object store for tests did not start.');
}

/** Stop it in an `after` hook before the store. */
export async function startSecondGateway({ configuration }: ObjectStore): Promise<SecondGateway> {
  const gateway = spawn(process.execPath, [secondGatewayProgram, configuration], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => gateway.once('exit', resolve));
  const lines = createInterface({ input: gateway.stdout })[Symbol.asyncIterator]();
  const up = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true)
      throw new Error('The second gateway of the object store did not start.');
    return line.value;
  };
  return {
    endpoint: await up(),
    restart: async () => {
      gateway.stdin.write('restart\n');
      await up();
    },
    stop: async () => {
      gateway.stdin.end();
      await exited;
    },
  };
}

function parseFacts(line: string): ObjectStoreFacts {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own program prints
  return JSON.parse(line) as ObjectStoreFacts;
}
