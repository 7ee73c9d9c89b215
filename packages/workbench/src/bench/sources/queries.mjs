import { median } from '../statistics.mjs';

const runCount = 30;
const warmUp = 5;

/** Returns the median milliseconds of `status`, and of keyword and hybrid searches in everything. */
export async function measureQueries(client, texts) {
  return {
    status: await medianMs(() => client.get('/v1/status')),
    keyword: await medianMs((run) => searchFor(client, 'keyword', texts[run % texts.length])),
    hybrid: await medianMs((run) => searchFor(client, 'hybrid', texts[run % texts.length])),
  };
}

/** Returns the median milliseconds of a listing of a folder with `count` entries. */
export function measureListing(client, folder, count) {
  return medianMs(async () => {
    const { entries } = await client.get(`/v1/ls?${new URLSearchParams({ path: folder })}`);
    if (entries.length !== count) throw new Error(`${entries.length} entries, not ${count}`);
  });
}

async function searchFor(client, mode, text) {
  const query = new URLSearchParams({ q: text, mode, top_k: '10' });
  const { results } = await client.get(`/v1/search?${query}`);
  if (results.length === 0) throw new Error(`no result for "${text}" (${mode})`);
}

async function medianMs(call) {
  const times = [];
  for (let run = 0; run < warmUp + runCount; run++) {
    const started = performance.now();
    await call(run);
    times.push(performance.now() - started);
  }
  return median(times.slice(warmUp));
}
