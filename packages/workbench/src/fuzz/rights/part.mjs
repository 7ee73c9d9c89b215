import * as fc from 'fast-check';

import { Violation } from '../findings.mjs';
import { readContract } from '../requests/contract.mjs';
import { materialise } from '../requests/draft.mjs';
import { hostileDrafts } from '../requests/hostile.mjs';
import { makeSender } from '../requests/send.mjs';
import { validDrafts } from '../requests/valid.mjs';
import { agentDrafts } from './agent-drafts.mjs';
import { makeHolders, randomOf } from './holders.mjs';
import { writeMarkedSources, wordsOf } from './marked-sources.mjs';
import { checkHolder } from './oracle.mjs';

const holderCount = 10;
const runCount = 300;
const shortRuns = 60;
const lanes = 4;
/** As many requests of agents as those to this many operations. */
const agentWeight = 3;
const indexingMs = 120_000;

/**
 * Requests to every operation and calls of agents by ten tokens with random rights. No answer may name an object that is hidden from its
 * token. See `campaign.mjs` for parts.
 */
export async function rightsPart({ server, world, api, findings, tally, short }) {
  const contract = readContract(await api.get('/openapi.json'));
  const { sources, places } = writeMarkedSources(world.marked);
  const jobs = [];
  for (const target of sources) jobs.push((await api.post('/v1/add', { target })).job_id);
  for (const id of jobs) {
    if ((await api.ended(id, indexingMs)) === null)
      throw new Violation('survey', 'indexing the marked sources did not end');
  }
  await api.post('/add_documents', {
    documents: places.map(
      ({ markers }) => `The otter of ${markers.join(' and ')} is in the harbour.`,
    ),
  });
  const holders = await makeHolders(api, places, holderCount, randomOf(1));
  const corpus = await corpusOf(api, sources, places);
  const sender = makeSender(server);
  const drafts = fc.oneof(
    { weight: agentWeight, arbitrary: agentDrafts() },
    ...contract.operations.map((operation) =>
      fc.oneof(
        { weight: 4, arbitrary: validDrafts(operation) },
        { weight: 1, arbitrary: hostileDrafts(operation) },
      ),
    ),
  );
  const property = fc.asyncProperty(drafts, fc.nat(holderCount - 1), async (draft, number) => {
    const holder = holders[number];
    const request = materialise({ ...draft, token: 'right' }, corpus, holder.token);
    try {
      const answer = await sender.send(request);
      tally.count(draft, answer);
      checkHolder(holder, draft, request, answer);
    } catch (error) {
      if (error instanceof Violation && !findings.knows(error.key)) throw error;
    }
  });

  async function lane(seed, runs, path) {
    const result = await fc.check(property, {
      seed,
      numRuns: runs,
      ...(path === undefined ? {} : { path }),
    });
    const { errorInstance: error, counterexamplePath } = result;
    if (!result.failed || error === null) return;
    if (!(error instanceof Violation)) throw new Error('a lane broke off', { cause: error });
    findings.add(
      error,
      `npm run fuzz -- --only rights --seed ${seed} --path ${counterexamplePath}`,
    );
  }

  return {
    step: (seed) =>
      Promise.all(
        Array.from({ length: lanes }, (_, number) =>
          lane(seed * lanes + number, short ? shortRuns : runCount),
        ),
      ),
    again: (seed, path) => lane(seed, 1, path),
    close: () => sender.close(),
  };
}

async function corpusOf(api, sources, places) {
  const words = wordsOf(places);
  const { results } = await api.get('/v1/search', { q: 'otter', top_k: 200, path: sources[0] });
  const listed = await api.get('/v1/jobs', { limit: 1000 });
  return {
    target: [...sources, ...places.map(({ path }) => path)],
    // No token of this part may remove or add a source, so these stay.
    scratch: sources,
    job: listed.map(({ id }) => id),
    file: places.map(({ path }) => path),
    dir: places.map(({ path }) => path),
    hitSource: results.map(({ source }) => source),
    hitLocator: results.map(({ locator }) => JSON.stringify(locator)),
    word: words,
  };
}
