// npm run bench:graph [-- --report FILE]: measures the time of questions over generated graphs and the memory of the
// graphs.
import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { createRetriever } from '@trove/graph';

import { generateGraph } from './graph/passages.mjs';
import { machineLine } from './report/machine.mjs';
import { markdownTable, textTable } from './report/table.mjs';
import { quantile } from './statistics.mjs';

const sizes = [
  { passages: 2000, targetMs: 50 },
  { passages: 100_000, targetMs: 150 },
];
const questionCount = 500;
const randomSeed = 1;
const batch = 500;
const queryOptions = { passageTopK: 5, entityTopK: 20, relationTopK: 20 };
const mb = 1e6;

const expansions = [0, 1, 4];

const { values } = parseArgs({ options: { report: { type: 'string' } } });
const rows = [
  ['passages', 'add one passage', 'memory', 'hops', 'p50', 'p95', 'max', 'p95 limit', 'verdict'],
];
for (const size of sizes) rows.push(...(await measure(size)));
console.log(textTable(rows));
if (values.report !== undefined) writeFileSync(values.report, pageOf(rows));
process.exitCode = rows.some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;

async function measure({ passages: count, targetMs }) {
  const { passages, questions } = generateGraph(count, questionCount, randomSeed);
  const retriever = createRetriever('bench');
  const before = resident();
  const started = process.cpuUsage();
  for (let from = 0; from < count; from += batch) {
    retriever.add(passages.slice(from, from + batch).map(withTriplets));
    await setImmediate();
  }
  const addMs = cpuMs(started) / count;
  const memory = resident() - before;
  await retriever.retrieve(questions[0], { ...queryOptions, expansionDegree: 1 });
  const measured = [];
  for (const expansionDegree of expansions) {
    const times = [];
    for (const question of questions) {
      const asked = process.cpuUsage();
      await retriever.retrieve(question, { ...queryOptions, expansionDegree });
      times.push(cpuMs(asked));
    }
    const p95 = quantile(times, 0.95);
    measured.push([
      String(count),
      `${addMs.toFixed(2)} ms`,
      `${Math.round(memory / mb)} MB`,
      String(expansionDegree),
      ...[quantile(times, 0.5), p95, Math.max(...times)].map((ms) => `${ms.toFixed(1)} ms`),
      `${targetMs} ms`,
      p95 < targetMs ? 'pass' : 'MISS',
    ]);
  }
  return measured;
}

function pageOf(table) {
  return `<!-- Written by \`npm run bench:graph\`. -->

# Speed of graphs

Each passage of the generated graphs is about a different name. It has six sentences that mention other names, and six triplets. ${questionCount} questions need two
passages each. Times are processor milliseconds in the index itself, without HTTP or a language model. *Memory* is the growth of the process.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable(table)}
`;
}

function withTriplets({ id, title, text, triplets }) {
  return {
    id,
    title,
    text,
    triplets: triplets.map(([subject, predicate, object]) => ({ subject, predicate, object })),
  };
}

/** Returns the processor time, independent of other load. */
function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function resident() {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}
