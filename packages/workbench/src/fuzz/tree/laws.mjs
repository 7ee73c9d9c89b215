import { Violation } from '../findings.mjs';
import { insidesIn } from '../oracle/forbidden.mjs';
import { laws } from '../oracle/laws.mjs';

/** Folders of a tree that are walked; the rest is more of the same. */
const walked = 150;

/**
 * What must hold for a source that rests: everything listed can be read or says why not, and what is found reopens.
 * `isWhole`: all of it was listed, so that nothing is found that is gone.
 */
export async function checkResting(ask, target, { isWhole }) {
  const folders = [target];
  const seen = new Set();
  for (const folder of folders.slice(0)) await walk(folder);

  async function walk(folder) {
    if (seen.size >= walked) return;
    const { status, body } = await ask('/v1/ls', { path: folder });
    if (status !== 200) throw new Violation('tree ls', `ls ${folder}: ${status} ${body.code}`);
    await laws.ls({ body, ask, gone: () => false });
    for (const entry of body.entries) {
      const identity = entry.real_id ?? entry.path;
      if (entry.type !== 'dir' || entry.path === null || seen.has(identity)) continue;
      if (entry.reason !== null || entry.indexable === false) continue;
      seen.add(identity);
      await walk(entry.path);
    }
  }

  for (const q of ['fox', 'hen', 'word', 'canary']) {
    const query = { q, path: target, top_k: '20' };
    const { status, body } = await ask('/v1/search', query);
    if (status !== 200) throw new Violation('tree search', `search: ${status} ${body.code}`);
    await laws.search({ body, query, ask, gone: () => !isWhole });
  }
  for (const pattern of ['fox', 'canary', 'x']) {
    const query = { pattern, path: target, limit: '50' };
    const { status, body } = await ask('/v1/grep', query);
    if (status !== 200) throw new Violation('tree grep', `grep: ${status} ${body.code}`);
    await laws.grep({ body, query, ask, gone: () => !isWhole });
  }
}

/** What must hold for a job that has ended: every failure has a reason fit for people. */
export function checkJob(job) {
  const { error, failures } = job;
  if (error === 'internal_error')
    throw new Violation('job internal', 'a job failed with internal_error', { job });
  for (const failure of failures) {
    const words = insidesIn(failure.error);
    if (words !== null)
      throw new Violation('job insides', `a failure says "${words}"`, { failure });
    if (failure.code === 'internal_error')
      throw new Violation('job internal', 'an object failed with internal_error', { failure });
  }
}
