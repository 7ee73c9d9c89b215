import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { oneOf, randomFrom } from '@trove/test-support/random.js';
import { Violation } from '../findings.mjs';
import { internalsIn } from '../oracle/forbidden.mjs';
import { EmbedderServer } from './embedder-server.mjs';
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
    const server = new EmbedderServer(world, oneOf(random, providers));
    try {
      await runPlan(startPlanFrom(random), () => checkFailedStart(server));
      server.behave();
      await server.start();
      for (let count = 0; count < (short ? shortPlans : planCount); count++) {
        const plan = planFrom(random);
        const withRestart = random() < restarts;
        await runPlan(plan, () => runLifecycle(server, plan, withRestart));
      }
      await runPlan(endPlanFrom(random), () => server.stop());
    } finally {
      server.behave();
      await server.stop();
      server.close();
    }

    /** Runs work under a plan. A violation gets the plan and ends the step, because the state of the server is unknown. */
    async function runPlan(plan, work) {
      server.misbehave(plan);
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
async function checkFailedStart(server) {
  try {
    await server.start();
  } catch (error) {
    const [, last] = /\n(?:.*\n)*(.+)$/.exec(error.message.trim()) ?? [];
    if (!/embedder hostile/.test(error.message))
      throw new Violation('embedder unnamed', `the log names no embedder: ${last}`);
    const words = internalsIn(last);
    if (words !== null)
      throw new Violation('embedder internals', `the log says "${words}": ${last}`);
    return;
  }
  await server.stop();
}

/** Indexes and checks a source under a plan, indexes it again with a correct embedder, and removes it. */
async function runLifecycle(server, plan, withRestart) {
  const target = join(server.sources, 'library');
  const files = writeLibrary(target);
  const job = await sync(server, target, jobMs);
  await checkReported(server.ask, { target, files, job, plan });
  server.behave();
  if (withRestart) await server.restart();
  await checkFound(server.ask, { target, files, job });
  const next = await sync(server, target, repairMs);
  await checkRepaired(server.ask, { target, files, job: next });
  await server.api.remove(target);
  rmSync(target, { recursive: true });
}

/** Indexes a source. Cancels the job after the time limit. Returns the ended job. */
async function sync({ api }, target, limitMs) {
  const { job_id: id } = await api.post('/v1/add', { target });
  const job = await api.ended(id, limitMs);
  if (job !== null) return job;
  await api.cancel(id);
  const cancelled = await api.ended(id, cancelledMs);
  if (cancelled === null) throw new Violation('embedder cancel', 'a cancelled job does not end');
  return cancelled;
}
