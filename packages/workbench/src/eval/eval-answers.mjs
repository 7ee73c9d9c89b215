import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startServer } from '../lib/server.mjs';
import { writeAnswersReport } from './answers-report.mjs';
import { judge, summarize } from './documentation/score.mjs';
import { readJudgedQuestions, trees } from './documentation/trees.mjs';

const { values } = parseArgs({
  options: { report: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});

const questions = await readJudgedQuestions();
const home = await mkdtemp(join(tmpdir(), 'trove-eval-'));
const server = await startServer(home);
try {
  const token = (await readFile(join(home, 'server.token'), 'utf8')).trim();
  const post = jsonClient(server.endpoint, token);
  const verdicts = [];
  for (const [tree, folder] of Object.entries(trees)) {
    await post('/import', { sources: [folder], graph_name: tree });
    for (const each of questions.filter((question) => question.tree === tree)) {
      const response = await post(`/query?graph_name=${tree}`, { question: each.question });
      const verdict = { ...each, ...judge(each, response) };
      verdicts.push(verdict);
      if (values.verbose && each.half === 'tuning' && !verdict.isQuoted) show(verdict, response);
    }
  }
  const rows = rowsOf(verdicts);
  for (const row of rows) console.log(lineOf(row));
  if (values.report !== undefined) writeAnswersReport(values.report, rows);
} finally {
  await server.stop();
  await rm(home, { recursive: true, force: true });
}

/** Returns the figures of each half, then those of each tree. */
function rowsOf(verdicts) {
  const groups = [
    ...['tuning', 'held'].map((half) => [`${half} half`, (each) => each.half === half]),
    ...Object.keys(trees).map((tree) => [tree, (each) => each.tree === tree]),
  ];
  return groups.map(([name, belongs]) => ({ name, ...summarize(verdicts.filter(belongs)) }));
}

function show({ tree, question, wanted, isRetrieved }, { answer }) {
  console.log(`${tree}: ${question}\n  wanted: ${wanted.join(' / ')}`);
  console.log(`  ${isRetrieved ? 'retrieved' : 'not retrieved'}, answered:`);
  for (const line of answer.split('\n')) console.log(`    ${line.slice(0, 200)}`);
}

function lineOf({ name, questions: count, retrieved, quoted, first, quotes }) {
  const shares = [retrieved, quoted, first].map((share) => share.toFixed(0));
  return `${name}, ${count} questions: retrieved ${shares[0]} %, quoted ${shares[1]} %, quoted first ${shares[2]} %, ${quotes.toFixed(1)} quotes per answer`;
}

function jsonClient(endpoint, token) {
  return async (path, body) => {
    const response = await fetch(endpoint + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}
