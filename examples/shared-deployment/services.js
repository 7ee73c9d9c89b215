import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const scripts = new URL('../../packages/test-support/programs/', import.meta.url);

/**
 * Starts the shared services on this machine: PostgreSQL, and the gateway of Ceph as an S3 store. Returns the
 * environment that `server.toml` refers to. Throws if Ceph is not installed.
 */
export async function startServices() {
  const started = await Promise.allSettled([
    startService('postgres-server.mjs'),
    startService('ceph-gateway.mjs'),
  ]);
  const running = started.flatMap(({ value }) => value ?? []);
  const stop = () => Promise.all(running.map((service) => service.stop()));
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const [postgres, ceph] = running;
  const store = JSON.parse(ceph.line);
  const environment = {
    DATABASE_URL: `${postgres.line}/postgres`,
    STORE_ENDPOINT: store.endpoint,
    STORE_KEY: store.accessKeyId,
    STORE_SECRET: store.secretAccessKey,
  };
  return { environment, stop };
}

/** Starts a service. It prints one line when it is ready, and ends when its standard input closes. */
async function startService(name) {
  const service = spawn(process.execPath, [fileURLToPath(new URL(name, scripts))], {
    // Ctrl-C reaches the whole process group. The services must outlive it to clean up, so they end with their
    // standard input.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const closed = once(service, 'close');
  let errors = '';
  service.stderr.on('data', (text) => (errors += text));
  for await (const line of createInterface({ input: service.stdout })) {
    const stop = async () => {
      service.stdin.end();
      await closed;
    };
    return { line, stop };
  }
  await closed;
  throw new Error(errors.trim() || `${name} did not start`);
}
