import { Violation } from '../findings.mjs';

const searchWords = [
  'fox',
  'otter',
  'lions sleep',
  'line 17',
  'name 7',
  'scratch',
  'zoo',
  'hen and fox',
  'a',
];
const indexingMs = 120_000;

/**
 * Indexes the sources of a world and reads paths, hits with locators, and jobs from the server. Generated requests
 * refer to these by position, so they are the same for every run over the same world.
 */
export async function readCorpus(api, world) {
  const targets = [world.steady, ...world.scratch];
  const jobs = [];
  for (const target of targets) jobs.push((await api.post('/v1/add', { target })).job_id);
  for (const id of jobs) {
    const job = await api.ended(id, indexingMs);
    if (!['succeeded', 'partial'].includes(job?.status)) {
      throw new Violation('survey', `indexing ended with ${job?.status ?? 'nothing'}`, { job });
    }
  }
  const { files, dirs } = await listTree(api, world.steady);
  const hits = await hitsOf(api, world.steady, searchWords);
  return {
    target: targets,
    scratch: world.scratch,
    job: [...jobs, '00000000-0000-4000-8000-000000000000'],
    file: files,
    dir: dirs,
    hitSource: hits.map(({ source }) => source),
    hitLocator: hits.map(({ locator }) => JSON.stringify(locator)),
    word: searchWords,
  };
}

async function listTree(api, root) {
  const files = [];
  const dirs = [root];
  const seen = new Set();
  for (const dir of dirs) {
    const { entries } = await api.get('/v1/ls', { path: dir });
    for (const entry of entries) {
      if (entry.path === null || seen.has(entry.real_id ?? entry.path)) continue;
      seen.add(entry.real_id ?? entry.path);
      (entry.type === 'dir' ? dirs : files).push(entry.path);
    }
  }
  return { files: sortByCodeUnits(files), dirs: sortByCodeUnits(dirs) };
}

/** Sorts independently of the locale, so every machine gets the same order. */
function sortByCodeUnits(texts) {
  return texts.sort((a, b) => (a < b ? -1 : 1));
}

async function hitsOf(api, path, words) {
  const hits = [];
  for (const q of words) {
    const { results } = await api.get('/v1/search', { q, path, top_k: 20 });
    hits.push(...results.filter(({ locator }) => locator !== null));
  }
  if (hits.length === 0)
    throw new Violation('survey', 'searches find nothing in the steady source');
  return hits;
}
