import { Violation } from '../findings.mjs';
import { internalsIn } from '../oracle/forbidden.mjs';

/** Failures of the server itself. An embedder's failure must not get one of these codes. */
const ours = new Set(['internal_error', 'storage_unavailable', 'engine_closed']);
/** Reasons are for readers, so they must not be huge. */
const maxReasonChars = 2000;
/** Requests that do not need the embedder must not wait for it. */
const promptMs = 5000;
const many = '1000';

/** Checks the state after a job with a misbehaving embedder. */
export async function checkReported(ask, { target, files, job, plan }) {
  checkFailures(job);
  checkCounts(job);
  const entries = await listed(ask, target);
  for (const { name, word } of files) {
    const { status, reason } = entries.get(name);
    const isFound = (await hitsOf(ask, { target, q: word, mode: 'keyword' })).some(isOf(name));
    if (isFound !== (status === 'indexed' || status === 'partial')) {
      const said = `${name} is ${status}, and keyword search ${isFound ? 'finds' : 'misses'} it`;
      throw new Violation('embedder keyword', said, { reason, job });
    }
    if (status !== 'indexed' && reason === null && !isCutShort(job))
      throw new Violation('embedder reason', `${name} is ${status} without a reason`, { job });
  }
  if (plan.fault === 'hang') return;
  const { status, body } = await ask('/v1/search', { q: 'otter', path: target });
  if (status !== 200 && body.code !== 'embedding_unavailable')
    throw new Violation('embedder query', `a search responds with ${status} ${body.code}`);
}

/** Checks the state after the embedder behaves again: a search finds the chunks reported with a vector. */
export async function checkFound(ask, { target, files, job }) {
  const entries = await listed(ask, target);
  const byVector = await hitsOf(ask, { target, q: 'otter', mode: 'semantic' });
  const byWord = await hitsOf(ask, { target, q: 'otter', mode: 'keyword' });
  const missing = byWord.length - byVector.length;
  if (!isCutShort(job) && missing !== job.chunks_without_vector) {
    const said = `${missing} chunks have no vector, but ${job.chunks_without_vector} are reported without one`;
    throw new Violation('embedder vectors', said, { job });
  }
  for (const { name, word } of files) {
    if (entries.get(name).status !== 'indexed') continue;
    const [best] = await hitsOf(ask, { target, q: word, mode: 'semantic' });
    if (best !== undefined && isOf(name)(best)) continue;
    const said = `${name} is indexed, but its own word finds ${best?.source ?? 'nothing'} first`;
    throw new Violation('embedder best', said, { best, job });
  }
}

/** Checks that nothing is missing after the next sync. */
export async function checkRepaired(ask, { target, files, job }) {
  const { status, failed_objects: failed, chunks_without_vector: missing } = job;
  if (status !== 'succeeded' || failed !== 0 || missing !== 0)
    throw new Violation('embedder repair', `the next sync ${status}`, { job });
  const entries = await listed(ask, target);
  for (const { name } of files) {
    if (entries.get(name).status === 'indexed') continue;
    throw new Violation('embedder repair', `${name} is not repaired`, { job });
  }
  await checkFound(ask, { target, files, job });
}

/** Each object has exactly one outcome, and the status follows from the counts. */
function checkCounts(job) {
  const { total_objects: total, failed_objects: failed, cancelled_objects: cancelled } = job;
  const sum = job.added + job.changed + job.removed + job.unchanged + job.left_out;
  if (sum + failed + cancelled !== total)
    throw new Violation('embedder counts', `the counts of a job are not its total`, { job });
  if (failed > 0 && job.failures.length === 0)
    throw new Violation('embedder reason', 'objects failed without a reason', { job });
  const expected = failed > 0 ? 'partial' : 'succeeded';
  if (!isCutShort(job) && job.status !== expected)
    throw new Violation('embedder status', `${failed} objects failed, and a job ${job.status}`, {
      job,
    });
}

function checkFailures(job) {
  const reasons = job.failures.map(({ code, error }) => ({ code, text: error }));
  if (job.error !== null) reasons.push({ code: job.error, text: job.detail ?? '' });
  for (const { code, text } of reasons) {
    if (ours.has(code))
      throw new Violation('embedder blame', `an embedder made something fail with ${code}`, {
        job,
      });
    const words = internalsIn(text);
    if (words !== null)
      throw new Violation('embedder internals', `a failure says "${words}"`, { job });
    if (text.trim() === '' || text.length > maxReasonChars)
      throw new Violation('embedder reason', `a reason of ${text.length} characters`, { job });
  }
}

/** Whether a cancelled or failed job has skipped objects. */
function isCutShort({ status }) {
  return status === 'cancelled' || status === 'failed';
}

/** Returns by name whether a file is indexed, and the reason. An unprocessed one has no status. */
async function listed(ask, target) {
  const { body } = await prompt('ls', () => ask('/v1/ls', { path: target }));
  return new Map(
    body.entries.map(({ name, search_status: status, reason }) => [name, { status, reason }]),
  );
}

async function hitsOf(ask, { target, q, mode }) {
  const query = { q, path: target, mode, top_k: many };
  const { status, body } = await prompt(`${mode} search`, () => ask('/v1/search', query));
  if (status === 200) return body.results;
  throw new Violation('embedder search', `a ${mode} search responds with ${status} ${body.code}`);
}

function isOf(name) {
  return ({ source }) => source.endsWith(`/${name}`);
}

async function prompt(what, work) {
  const started = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - started);
  if (ms > promptMs) throw new Violation('embedder slow', `${what} took ${ms} ms`);
  return result;
}
