// npm run load [-- --seconds N --rounds N --files N --only NAME --report FILE]: measures each route under 32
// connections while a source is indexed repeatedly. Without --report, prints the results.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { indexCold, stopServers } from '../bench/measure/indexing.mjs';
import { watchMemory } from '../bench/measure/memory.mjs';
import { textTable } from '../bench/report/table.mjs';
import { writeTree } from '../bench/tree/tree.mjs';
import { build } from '../lib/build.mjs';
import { judge, tableRows } from './figures.mjs';
import { fire } from './fire.mjs';
import { keepIndexing } from './keep-indexing.mjs';
import { reportText } from './report.mjs';
import { get } from './request.mjs';
import { scenariosFor } from './scenarios.mjs';

const connectionCount = 32;
const otherFiles = 3000;
const randomSeed = 1;
/** On a busy machine, the slowest routes take longer for one response. */
const minSeconds = 2;
/** A program that has sent nothing yet is slow itself, which would count as the server's time. */
const warmSeconds = 3;

const options = parseOptions();
const work = mkdtempSync(join(tmpdir(), 'trove-load-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
try {
  process.exitCode = await main();
} finally {
  await stopServers();
}

function parseOptions() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { seconds: text, rounds: text, files: text, only: text, report: text },
  });
  const { seconds = '600', rounds = '3', files = '8000', only, report } = values;
  return { seconds: Number(seconds), rounds: Number(rounds), files: Number(files), only, report };
}

async function main() {
  const code = await build({ quiet: true });
  if (code !== 0) return code;
  const folder = join(work, 'tree');
  const other = join(work, 'other');
  say(`indexing ${options.files} files`);
  const tree = writeTree(folder, { files: options.files, seed: randomSeed });
  writeTree(other, { files: Math.min(otherFiles, options.files), seed: randomSeed + 1 });
  const server = await indexCold(folder, join(work, 'home'));
  const tries = await scenariosFor(server, { folder, work });
  const chosen = tries.filter(
    ({ name }) => options.only === undefined || name.includes(options.only),
  );
  const indexing = keepIndexing(server.client, other);
  const memory = watchMemory(server.pid);
  const rounds = await attack(server, chosen);
  const { samples } = memory.stop();
  const jobs = await indexing.stop();
  await server.stop();
  const results = judge({ tries: chosen, rounds, samples, jobs });
  console.log(textTable(tableRows(results)));
  for (const line of results.notes) console.log(line);
  if (options.report !== undefined) {
    const { seconds } = options;
    const facts = { tree, chunks: server.chunks, connections: connectionCount, seconds };
    writeFileSync(options.report, reportText(results, facts));
  }
  return results.passed ? 0 : 1;
}

/** Runs the routes in turn for several rounds, so that memory can be compared between rounds. */
async function attack(server, tries) {
  const secondsOf = timesOf(tries, options.seconds / options.rounds);
  const health = { requests: [get('/healthz', {})] };
  await fire(server, health, { connections: connectionCount, seconds: warmSeconds });
  const started = performance.now();
  const rounds = [];
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds}`);
    const from = performance.now() - started;
    const answers = [];
    for (const each of tries) {
      const seconds = secondsOf(each);
      answers.push(await fire(server, each, { connections: connectionCount, seconds }));
    }
    rounds.push({ from, to: performance.now() - started, answers });
  }
  return rounds;
}

/** Returns the seconds of each scenario per round, by its weight. */
function timesOf(tries, seconds) {
  const sum = tries.reduce((all, { weight = 1 }) => all + weight, 0);
  return ({ weight = 1 }) => Math.max(minSeconds, (seconds * weight) / sum);
}

function say(what) {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${what}`);
}
