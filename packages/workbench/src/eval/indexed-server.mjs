import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { startServer } from '../lib/server.mjs';

const jobPollMs = 100;

/**
 * Starts a server in a temporary folder, calls `use({ call, work })`, and removes both afterwards. `configure` may write
 * the home folder before the start.
 */
export async function withServer(use, configure = async () => {}) {
  const work = await mkdtemp(join(tmpdir(), 'trove-eval-'));
  try {
    const home = join(work, 'home');
    await configure(home);
    const server = await startServer(home);
    try {
      const token = (await readFile(join(home, 'server.token'), 'utf8')).trim();
      return await use({ call: callerOf(server.endpoint, token), work });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Adds a source and waits until it is indexed. Returns the job. Throws unless it ends in one of `accepted`. */
export async function index(call, target, accepted = ['succeeded']) {
  const { job_id: id } = await call('POST', '/v1/add', { target, process: false });
  for (;;) {
    const job = await call('GET', `/v1/jobs/${id}`);
    if (accepted.includes(job.status)) return job;
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new Error(
        `indexing ended as ${job.status}: ${JSON.stringify(job.failures.slice(0, 3))}`,
      );
    }
    await sleep(jobPollMs);
  }
}

function callerOf(endpoint, token) {
  return async (method, path, body) => {
    const response = await fetch(endpoint + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}
