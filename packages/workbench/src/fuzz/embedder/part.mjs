import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { oneOf, randomFrom } from '@trove/test-support/random.js';
import { Violation } from '../findings.mjs';
import { insidesIn } from '../oracle/forbidden.mjs';
import { House } from './house.mjs';
import { checkFound, checkRepaired, checkReported } from './laws.mjs';
import { writeLibrary } from './library.mjs';
import { endPlanFrom, planFrom, startPlanFrom } from './plans.mjs';

const planCount = 6;
const shortPlans = 2;
const restarts = 0.25;
const providers = ['hostile', 'hostile-local'];
/** A job that takes longer, because its embedder hangs, is cancelled. */
const jobMs = 15_000;
const cancelledMs = 5000;
const repairMs = 60_000;

/** An embedder on its own server that breaks its contract in one way at a time. See `campaign.mjs` for parts. */
export function embedderPart({ world, short }) {
  async function step(seed) {
    const random = randomFrom(seed);
    const house = new House(world, oneOf(random, providers));
    try {
      await blamed(startPlanFrom(random), () => started(house));
      house.behave();
      await house.start();
      for (let count = 0; count < (short ? shortPlans : planCount); count++) {
        const plan = planFrom(random);
        const withRestart = random() < restarts;
        await blamed(plan, () => lived(house, plan, withRestart));
      }
      await blamed(endPlanFrom(random), () => house.stop());
    } finally {
      house.behave();
      await house.stop();
      house.close();
    }

    /** Adds the plan to the violation and ends the step, because the server's state is unknown afterwards. */
    async function blamed(plan, work) {
      house.misbehave(plan);
      try {
        await work();
      } catch (error) {
        if (error instanceof Violation) {
          error.key = `${error.key} (${plan.method}: ${plan.fault ?? plan.member})`;
          error.facts = { plan, ...error.facts };
        }
        throw error;
      }
    }
  }

  return { step };
}

/** A server whose embedder cannot be created must report that instead of starting. */
async function started(house) {
  try {
    await house.start();
  } catch (error) {
    const [, last] = /\n(?:.*\n)*(.+)$/.exec(error.message.trim()) ?? [];
    if (!/embedder hostile/.test(error.message))
      throw new Violation('embedder unnamed', `the log names no embedder: ${last}`);
    const words = insidesIn(last);
    if (words !== null) throw new Violation('embedder insides', `the log says "${words}": ${last}`);
    return;
  }
  await house.stop();
}

/** The life of one source under a plan: indexed, checked, and indexed again with a good embedder. */
async function lived(house, plan, withRestart) {
  const target = join(house.sources, 'library');
  const files = writeLibrary(target);
  const job = await synced(house, target, jobMs);
  await checkReported(house.ask, { target, files, job, plan });
  house.behave();
  if (withRestart) await house.restart();
  await checkFound(house.ask, { target, files, job });
  const next = await synced(house, target, repairMs);
  await checkRepaired(house.ask, { target, files, job: next });
  await house.api.remove(target);
  rmSync(target, { recursive: true });
}

/** Returns the ended or cancelled job. */
async function synced({ api }, target, limitMs) {
  const { job_id: id } = await api.post('/v1/add', { target });
  const job = await api.ended(id, limitMs);
  if (job !== null) return job;
  await api.cancel(id);
  const cancelled = await api.ended(id, cancelledMs);
  if (cancelled === null) throw new Violation('embedder cancel', 'a cancelled job does not end');
  return cancelled;
}
