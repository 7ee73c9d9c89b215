import { Violation } from '../findings.mjs';
import { internalsIn } from '../oracle/forbidden.mjs';
import { laws } from '../oracle/laws.mjs';

/** The maximum number of folders to walk. */
const maxFolders = 150;

/**
 * Checks a source without a running sync: everything listed can be read or has a reason, and results can be opened.
 * `isWhole`: the listing was complete, so that no removed object may be found.
 */
export async function checkResting(ask, target, { isWhole }) {
  const folders = [target];
  const seen = new Set();
  for (const folder of folders.slice(0)) await walk(folder);

  async function walk(folder) {
    if (seen.size >= maxFolders) return;
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

/** Checks an ended job: every failure has a readable reason. */
export function checkJob(job) {
  const { error, failures } = job;
  if (error === 'internal_error')
    throw new Violation('job internal', 'a job failed with internal_error', { job });
  for (const failure of failures) {
    const words = internalsIn(failure.error);
    if (words !== null)
      throw new Violation('job internals', `a failure says "${words}"`, { failure });
    if (failure.code === 'internal_error')
      throw new Violation('job internal', 'an object failed with internal_error', { failure });
  }
}
