import { machineLine } from '../bench/report/machine.mjs';
import { markdownTable } from '../bench/report/table.mjs';
import { builderText, inMegabytes, tableRows } from './figures.mjs';

/** The figures of a run as a page of Markdown. */
export function reportText(results, { tree, chunks, connections, seconds }) {
  const { figures, memory, grown, growth, jobs } = results;
  const missed = figures.filter(({ passed }) => !passed).length;
  const round = (seconds / 60 / memory.server.length).toFixed(1);
  return `<!-- Written by \`npm run load -- --report docs/benchmarks/load.md\`. -->

# How it answers under load

${missed === 0 ? 'Every route keeps to its limit' : `${figures.length - missed} of ${figures.length} rows keep to their limits`}, with ${connections} connections that each ask again as soon as they are answered, while
another source is indexed from nothing again and again (${jobs} times in this run).

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}. What sends the requests runs on the same processors.
- The tree: ${tree.files} text files, ${Math.round(tree.bytes / 1e6)} MB, ${chunks} chunks; the other source is added to that.
- ${Math.round(seconds / 60)} minutes: ${memory.server.length} rounds through all routes, each with default settings and over HTTP.
- 99 of 100 answers of the browse routes (tagged so in the API: ls, cat, head, tail, export) are to take less than 100 ms, and
  those of searches less than 500 ms. The others are to answer without an error: grep reads all ${tree.files} files each time, and nobody
  asks for the rest in a loop.
- Indexing gives way: while callers wait it goes on for a quarter of the time, and while they queue for a tenth, which is why it is seldom done with the other source.
- All answers count, also the first of each try: all connections begin at the same moment then, with what nobody has asked for
  minutes. Searches are asked longest, since they give the fewest answers in a second. Before the first try, what sends the requests asks
  for \`/healthz\` for three seconds: a program that has sent nothing yet is slow itself.
- An error is a broken connection, a timeout, or a status that the request should not have: a source that is being synced
  refuses another sync with 409, and that is as it should be.

${markdownTable(tableRows(results))}

## Memory

The resident memory of the server, median of each round of ${round} minutes: ${inMegabytes(memory.server)}.
${grown === null ? '' : `The last one is ${grown.toFixed(2)} × the second; more than ${growth} × would be a leak.`}

Apart from it, ${builderText(memory)}. Both together took ${inMegabytes([memory.most])} at most.

\`npm run load\` measures it again; \`-- --seconds 60 --files 2000\` is a quick look, \`-- --only search\` one part of it.
`;
}
