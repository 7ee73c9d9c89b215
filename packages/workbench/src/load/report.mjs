import { machineLine } from '../bench/report/machine.mjs';
import { markdownTable } from '../bench/report/table.mjs';
import { builderText, inMegabytes, tableRows } from './figures.mjs';

/** Returns the figures of a run as a page of Markdown. */
export function reportText(results, { tree, chunks, connections, seconds }) {
  const { figures, memory, grown, growth, jobs } = results;
  const missed = figures.filter(({ passed }) => !passed).length;
  const round = (seconds / 60 / memory.server.length).toFixed(1);
  return `<!-- Written by \`npm run load -- --report docs/benchmarks/load.md\`. -->

# Latency under load

${missed === 0 ? 'Every route keeps to its limit' : `${figures.length - missed} of ${figures.length} rows keep to their limits`}. Each of ${connections} connections sends its next request as soon as it has an answer. Meanwhile the server
indexes another source from scratch (${jobs} times in this run).

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}. The client runs on the same processors.
- The tree: ${tree.files} text files, ${Math.round(tree.bytes / 1e6)} MB, ${chunks} chunks, plus the other source.
- ${Math.round(seconds / 60)} minutes: ${memory.server.length} rounds through all routes, with default settings and over HTTP.
- The limit for p99 is 100 ms on the browse routes (ls, cat, head, tail, export) and 500 ms on searches. The other routes have no limit but must not fail:
  grep reads all ${tree.files} files each time, and the rest is rarely called in a loop.
- Indexing runs for a quarter of the time while callers wait, and for a tenth while they queue. It therefore seldom finishes the other source.
- All answers count, including the first ones after all connections start at the same moment with requests that were not sent for minutes. Searches run longest,
  because they give the fewest answers per second. Before the first measurement, the client warms up with \`/healthz\` for three seconds.
- An error is a broken connection, a timeout, or an unexpected status. 409 is expected for a source that is being synced.

${markdownTable(tableRows(results))}

## Memory

Median resident memory of the server in each round of ${round} minutes: ${inMegabytes(memory.server)}.
${grown === null ? '' : `The last round is ${grown.toFixed(2)} × the second. More than ${growth} × would indicate a leak.`}

In addition, ${builderText(memory)}. Both together used at most ${inMegabytes([memory.most])}.

To repeat the measurement, run \`npm run load\`. \`-- --seconds 60 --files 2000\` gives a quick overview, and \`-- --only search\` measures one part.
`;
}
