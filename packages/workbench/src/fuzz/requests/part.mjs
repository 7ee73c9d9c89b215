import { readContract } from './contract.mjs';
import { makeExchange } from './exchange.mjs';
import { makeRounds } from './rounds.mjs';
import { makeSender } from './send.mjs';
import { settleSources } from './settle.mjs';

const runCount = 50;
const shortRuns = 15;

/** Generated requests to every route of a server. See `campaign.mjs` for parts. */
export async function requestsPart({ server, world, api, corpus, findings, tally, short }) {
  const contract = readContract(await api.get('/openapi.json'));
  const sender = makeSender(server);
  const exchange = makeExchange({
    contract,
    corpus,
    token: server.token,
    canaries: world.canaries,
    sender,
    tally: tally.count,
  });
  const settle = () => settleSources(api, world);
  const rounds = makeRounds({ contract, exchange, findings, settle });
  return {
    step: (seed) => rounds.round(seed, short ? shortRuns : runCount),
    again: rounds.again,
    close: () => sender.close(),
  };
}
