import type { BatchedSearch } from '@trove/client';

import type { Cli } from '../session/cli.js';
import { formatCount } from '../terminal/numbers.js';
import type { AnsweredQuestion } from './run.js';
import type { RunSettings } from './saved-run.js';

/** Returns what the results of a run depend on: the server, its index, and the options. */
export async function settingsOf(
  cli: Cli,
  query: Omit<BatchedSearch, 'q'>,
  answered: readonly AnsweredQuestion[],
): Promise<RunSettings> {
  const [{ version }, { embedding, connectors }] = await Promise.all([
    cli.client.server.getServerInfo(),
    cli.client.server.status(),
  ]);
  const chunks = connectors.reduce((sum, { chunk_count: count }) => sum + count, 0);
  const isReranked = answered.some(({ hits }) =>
    hits.some(({ metadata }) => metadata.scores.rerank !== null),
  );
  const options = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || name === 'mode'
      ? []
      : [[`--${name.replaceAll('_', '-')}`, String(value)] as const],
  );
  return {
    server: `${cli.endpoint}, version ${version}`,
    embedder: embedding.name,
    ...(embedding.switch === null
      ? {}
      : {
          'indexed with it': `${embedding.switch.sources_done} of ${embedding.switch.sources} sources`,
        }),
    reranker: isReranked ? 'yes' : 'no',
    chunks: formatCount(chunks),
    ...Object.fromEntries(options),
  };
}
