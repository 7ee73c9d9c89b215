import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const GATEWAY = fileURLToPath(new URL('ceph-gateway.mjs', import.meta.url));

/** Whether `startObjectStore` can start one. Says so where it cannot; throws where that is not allowed. */
export const hasObjectStore = spawnSync('radosgw', ['--version']).status === 0;
if (!hasObjectStore && process.env['TROVE_REQUIRE_CEPH'] === '1') {
  throw new Error('Ceph is required (TROVE_REQUIRE_CEPH=1), but it is not installed');
}
if (!hasObjectStore) console.log('skip: Ceph is not installed, so no object store is tried');

/** An S3 store with an empty bucket. */
export interface ObjectStore {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Removes it with all it holds. */
  stop(): Promise<void>;
}

/** Starts Ceph's gateway, with everything in memory. Stop it in an `after` hook. */
export async function startObjectStore(): Promise<ObjectStore> {
  const gateway = spawn(process.execPath, [GATEWAY], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => gateway.once('exit', resolve));
  for await (const line of createInterface({ input: gateway.stdout })) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own program prints
    const facts = JSON.parse(line) as Omit<ObjectStore, 'stop'>;
    return {
      ...facts,
      stop: async () => {
        gateway.stdin.end();
        await exited;
      },
    };
  }
  throw new Error('The object store for tests did not start.');
}
