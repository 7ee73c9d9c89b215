// npm run bench:agent [-- --report FILE]: answers questions about this repository with the tools of agents, and with
// ripgrep and reading beside them. Needs ripgrep.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from '../lib/build.mjs';
import { startServer } from '../lib/server.mjs';
import { root } from '../lib/workspaces.mjs';
import { questions } from './agent/questions.mjs';
import { askWithRipgrep, askWithTools, maxCalls } from './agent/sessions.mjs';
import { connect } from './client.mjs';
import { add, jobEnded } from './measure/indexing.mjs';
import { machineLine } from './report/machine.mjs';
import { markdownTable, textTable, verdict } from './report/table.mjs';
import { median } from './statistics.mjs';

const limits = { calls: maxCalls, bytes: 10_000, medianCalls: 2, medianBytes: 5000, found: 18 };
/** The answers must not come from the questions. */
const excluded = ['packages/workbench/src/bench/agent', 'docs/benchmarks'];

const { values } = parseArgs({ options: { report: { type: 'string' } } });
const work = mkdtempSync(join(tmpdir(), 'trove-bench-agent-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  const folder = checkOut();
  const tools = await withServer(folder, async (callTool) => {
    const results = [];
    for (const question of questions) results.push(await askWithTools(callTool, question));
    return results;
  });
  const ripgrep = questions.map((question) => askWithRipgrep(folder, question));
  const summary = summaryTable(tools, ripgrep);
  const each = questionTable(tools, ripgrep);
  console.log(textTable(each));
  console.log(textTable(summary));
  if (values.report !== undefined) writeFileSync(values.report, pageOf(summary, each));
  return summary.some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;
}

/** Copies the tracked files without those that contain the questions. */
function checkOut() {
  const folder = join(work, 'repository');
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  for (const path of excluded) rmSync(join(folder, path), { recursive: true, force: true });
  return folder;
}

async function withServer(folder, use) {
  const home = join(work, 'home');
  mkdirSync(home);
  const server = await startServer(home);
  try {
    const token = readFileSync(join(home, 'server.token'), 'utf8').trim();
    const client = connect(server.endpoint, token);
    await jobEnded(client, await add(client, folder));
    client.close();
    return await use((name, args) => postCall(server.endpoint, token, name, args));
  } finally {
    await server.stop();
  }
}

async function postCall(endpoint, token, name, args) {
  const response = await fetch(`${endpoint}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });
  const text = await response.text();
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  if (result === undefined || result.isError)
    throw new Error(error?.message ?? result.content[0].text);
  return { text: result.content[0].text, data: result.structuredContent };
}

function summaryTable(tools, ripgrep) {
  const row = (name, of, limit, isMet) => [
    name,
    String(of(tools)),
    String(of(ripgrep)),
    limit,
    verdict(isMet(of(tools))),
  ];
  const calls = (results) => results.map((result) => result.calls);
  const bytes = (results) => results.map((result) => result.bytes);
  return [
    ['figure', 'tools', 'ripgrep', 'target of the tools', 'verdict'],
    row(
      'questions whose evidence was read',
      (all) => all.filter(({ isFound }) => isFound).length,
      `at least ${limits.found} of ${questions.length}`,
      (value) => value >= limits.found,
    ),
    row(
      'median calls',
      (all) => median(calls(all)),
      `at most ${limits.medianCalls}`,
      (value) => value <= limits.medianCalls,
    ),
    row(
      'most calls',
      (all) => Math.max(...calls(all)),
      `at most ${limits.calls}`,
      (value) => value <= limits.calls,
    ),
    row(
      'median bytes',
      (all) => Math.round(median(bytes(all))),
      `at most ${limits.medianBytes}`,
      (value) => value <= limits.medianBytes,
    ),
    row(
      'most bytes',
      (all) => Math.max(...bytes(all)),
      `at most ${limits.bytes}`,
      (value) => value <= limits.bytes,
    ),
  ];
}

function questionTable(tools, ripgrep) {
  const cells = ({ calls, bytes, isFound }) => [
    String(calls),
    String(bytes),
    isFound ? 'yes' : 'no',
  ];
  return [
    ['question', 'calls', 'bytes', 'found', 'ripgrep: calls', 'bytes', 'found'],
    ...questions.map(([question], at) => [question, ...cells(tools[at]), ...cells(ripgrep[at])]),
  ];
}

function pageOf(summary, each) {
  return `<!-- Written by \`npm run bench:agent\`. -->

# A session of an agent

A script answers ${questions.length} questions about this repository through the [tools of agents](../how-to/connect-an-agent.md). It searches for the question and reads around
the first two hits. If it has not read the text that proves the answer, it does the same with a second query.

Beside it, another script uses ripgrep: it looks for the rarest word of both queries, then reads up to 120 lines of the three files with the most of their words.

- ${machineLine()}

${markdownTable(summary)}

## Each question

${markdownTable(each)}
`;
}
