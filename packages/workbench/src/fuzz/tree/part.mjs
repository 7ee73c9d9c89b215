import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { randomFrom } from '@trove/test-support/random.js';
import { Violation } from '../findings.mjs';
import { makeAsk } from '../requests/ask.mjs';
import { makeSender } from '../requests/send.mjs';
import { Changes } from './changes.mjs';
import { checkJob, checkResting } from './laws.mjs';

const planted = 120;
const shortPlanted = 40;
const syncs = 3;
const syncMs = 90_000;
const changeEveryMs = 5;

/** Odd files that change during their sync. See `campaign.mjs` for parts. */
export async function treePart({ server, world, api, short }) {
  const sender = makeSender(server);
  const ask = makeAsk({ sender, token: server.token, canaries: world.canaries });
  const root = join(world.sources, 'tree');

  async function step(seed) {
    mkdirSync(root);
    const changes = new Changes({ root, outside: world.outside, random: randomFrom(seed) });
    changes.make(short ? shortPlanted : planted);
    try {
      for (let sync = 0; sync < (short ? 1 : syncs); sync++) await synced(() => changes.make(1));
      await checkResting(ask, root, { isWhole: await synced() });
      await checkCounts();
    } finally {
      try {
        await api.remove(root);
      } finally {
        // Needed to remove folders without permissions. Does not follow links.
        execFileSync('chmod', ['-R', 'u+rwx', root]);
        rmSync(root, { recursive: true, force: true });
      }
    }
    const { status } = await ask('/v1/ls', { path: root });
    if (status !== 404)
      throw new Violation('tree removed', `a removed source still responds with ${status}`);
  }

  /**
   * Syncs the tree and calls `change` repeatedly until the job has ended. Returns false for an incomplete listing,
   * after which nothing counts as deleted.
   */
  async function synced(change) {
    const changing = change !== undefined;
    const { job_id: id } = await api.post('/v1/add', { target: root });
    let over = false;
    const ended = api.ended(id, syncMs).finally(() => {
      over = true;
    });
    while (!over) {
      change?.();
      await new Promise((resolve) => setTimeout(resolve, changeEveryMs));
    }
    const job = await ended;
    if (job === null)
      throw new Violation('tree sync', `a sync has not ended after ${syncMs / 1000} s`, {
        job: await api.job(id),
      });
    checkJob(job);
    if (job.error === null) return true;
    // A folder may vanish during the listing, or be unreadable.
    const isUnread = job.status === 'partial' && job.error === 'listing_incomplete';
    if (!isUnread || !(changing || /permission denied/.test(job.detail)))
      throw new Violation('tree failed', `a sync failed: ${job.error}`, { job });
    return false;
  }

  /** Checks that another sync without changes changes nothing. */
  async function checkCounts() {
    const before = await counts();
    await synced();
    const after = await counts();
    if (before !== after)
      throw new Violation('tree counts', `counts differ: ${before} and ${after}`);
  }

  async function counts() {
    const {
      objects,
      object_count: sum,
      chunk_count: chunks,
    } = await api.get('/v1/connectors/inspect', { target: root });
    return JSON.stringify({ objects, sum, chunks });
  }

  return { step, close: () => sender.close() };
}
