import type { JobResponse } from 'trove';
import { setTimeout as delay } from 'node:timers/promises';
import { maxWaitMs, waitUntil } from '@trove/test-support/waiting.js';
import { token } from './server-process.js';

const ended = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/** Calls a running server. Throws the response if it is not a success. */
export async function call<T>(url: string, path: string, body?: unknown): Promise<T> {
  const response = await send(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer}`);
  return JSON.parse(answer) as T;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error ? String(error.cause) : String(error);
    throw new Error(`${url} does not answer: ${cause}`, { cause: error });
  }
}

/** Queues a sync and returns the id of its job. */
export async function add(
  url: string,
  target: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { job_id: id } = await call<{ job_id: string }>(url, '/v1/add', { target, ...more });
  return id;
}

/** Queues a sync when no other one of the source runs, such as one that repairs the index. */
export async function addWhenFree(url: string, target: string): Promise<string> {
  let id: string | null = null;
  const isAdded = async (): Promise<boolean> => {
    id = await addUnless(url, target, 'sync_already_running');
    return id !== null;
  };
  await waitUntil(isAdded, `a sync of ${target} is queued`);
  return id ?? '';
}

export function jobOf(url: string, id: string): Promise<JobResponse> {
  return call<JobResponse>(url, `/v1/jobs/${id}`);
}

export function hasEnded(job: JobResponse): boolean {
  return ended.has(job.status);
}

/**
 * Waits until the job or a later sync has succeeded. A read that failed repeatedly is done at the next sync.
 * Retries if the source is reported as unhealthy, because a kill may be noticed late.
 */
export async function success(
  url: string,
  id: string,
  target: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<JobResponse> {
  let job = await jobEnd(url, id);
  const isDone = async (): Promise<boolean> => {
    if (job.status === 'succeeded') return true;
    const next = await addUnless(url, target, 'connector_unhealthy', more);
    if (next !== null) job = await jobEnd(url, next);
    return job.status === 'succeeded';
  };
  await waitUntil(isDone, `a sync succeeds: ${JSON.stringify(job)}`);
  return job;
}

/** Returns null if the request is refused with that code. */
async function addUnless(
  url: string,
  target: string,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string | null> {
  try {
    return await add(url, target, more);
  } catch (error) {
    if (String(error).includes(code)) return null;
    throw error;
  }
}

/** Waits until the job has ended. */
export async function jobEnd(url: string, id: string): Promise<JobResponse> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const job = await jobOf(url, id);
    if (hasEnded(job)) return job;
    if (performance.now() > deadline) throw new Error(`the job goes on: ${JSON.stringify(job)}`);
    await delay(25);
  }
}
