import { between, oneOf, randomFrom } from '@trove/test-support/random.js';
import { Violation } from '../findings.mjs';
import { makeAsk } from '../requests/ask.mjs';
import { makeSender } from '../requests/send.mjs';
import { faultNames } from './hostile-connector.mjs';
import { oddValues } from './odd-values.mjs';

const planCount = 8;
const shortPlans = 2;
const methods = 'list read records browse stat grep check explain close'.split(' ');
const members = (
  'path kind mediaType size modifiedAt fingerprint identity title fields skip bytes key at name type ' +
  'realId indexable lines content notice ok detail url author'
).split(' ');
/** Failures of the server itself. A plugin's failure must not get one of these codes. */
const ours = new Set(['internal_error', 'storage_unavailable']);
/** Callers give up on a hanging plugin long before its own time limit. */
const callTimeLimitMs = 4000;
const jobMs = 5000;
const cancelledMs = 20_000;
const removedMs = 20_000;

/** A connector that breaks its contract in one way at a time. See `campaign.mjs` for parts. */
export async function pluginsPart({ server, world, api, findings, short }) {
  const sender = makeSender({ ...server, maxSockets: 500 });
  const ask = makeAsk({ sender, token: server.token, canaries: world.canaries });
  let number = 0;

  async function step(seed) {
    const random = randomFrom(seed);
    const plans = Array.from({ length: short ? shortPlans : planCount }, () => planFrom(random));
    const again = `npm run fuzz -- --only plugins --seed ${seed}`;
    await Promise.all(plans.map((plan) => runPlan(plan, again)));
  }

  async function runPlan(plan, again) {
    const target = `hostile://plan-${number++}/`;
    try {
      await runLifecycle(target, plan);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      error.key = `${error.key} (${plan.method}: ${plan.fault})`;
      error.facts = { plan, ...error.facts };
      findings.add(error, again);
    }
  }

  /** Probes, adds and syncs a source, reads it in every way, and removes it. */
  async function runLifecycle(target, plan) {
    await withTimeLimit(ask.post('/v1/connectors/probe', { target, config: { plan } }));
    const added = await withTimeLimit(ask.post('/v1/add', { target, config: { plan } }), 15_000);
    if (added?.status === 200) await checkSync(added.body.job_id);
    else if (added !== null) checkRefusal(added.body);
    const path = `${target}one.md`;
    const questions = [
      ['/v1/ls', { path: target }],
      ['/v1/cat', { path }],
      ['/v1/cat', { path, meta: 'true' }],
      ['/v1/head', { path, n: '2' }],
      ['/v1/tail', { path: `${target}rows`, n: '2' }],
      ['/v1/export', { path: `${target}rows` }],
      ['/v1/grep', { pattern: 'fox', path: target }],
      ['/v1/search', { q: 'fox', path: target }],
      ['/v1/connectors/inspect', { target }],
    ];
    await Promise.all(questions.map(([route, query]) => withTimeLimit(ask(route, query))));
    await checkRemoval(target);
  }

  async function checkSync(id) {
    let job = await api.ended(id, jobMs);
    if (job === null) {
      await api.cancel(id);
      job = await api.ended(id, cancelledMs);
      if (job === null) throw new Violation('plugin cancel', 'a cancelled job does not end');
    }
    const { error, failures } = job;
    const codes = [error, ...failures.map(({ code }) => code)];
    const wrongCode = codes.find((code) => ours.has(code));
    if (wrongCode !== undefined) {
      throw new Violation('plugin blame', `a plugin made a job fail with ${wrongCode}`, { job });
    }
    for (const failure of failures) {
      if (failure.code === 'plugin_invalid')
        checkRefusal({ code: failure.code, detail: failure.error });
    }
  }

  async function checkRemoval(target) {
    const answer = await withTimeLimit(ask('/v1/connectors', { target }, 'DELETE'), removedMs);
    if (answer === null) throw new Violation('plugin removal', 'a source is not removed in time');
    if (answer.status !== 200 && answer.status !== 404) {
      throw new Violation('plugin removal', `removing a source answers ${answer.status}`, answer);
    }
  }

  return { step, close: () => sender.close() };
}

/** Returns a method, a fault and a value of a hostile connector. */
function planFrom(random) {
  return {
    method: oneOf(random, methods),
    fault: oneOf(random, faultNames),
    value: oneOf(random, Object.keys(oddValues)),
    member: oneOf(random, members),
    at: between(random, 0, 3),
  };
}

function checkRefusal({ code, detail }) {
  if (code !== 'plugin_invalid' || /hostile/.test(detail)) return;
  throw new Violation('plugin unnamed', `an error names no plugin: ${detail}`);
}

/** Returns the result of a promise, or null after a timeout or a truncated response, such as a failed export. */
function withTimeLimit(promise, ms = callTimeLimitMs) {
  let timer;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const result = promise.catch((error) => {
    if (error.message === 'aborted' || error.name === 'TimeoutError') return null;
    if (error instanceof Violation) throw error;
    throw new Violation('plugin no answer', `no answer: ${error.code ?? error.message}`);
  });
  result.catch(() => {});
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
