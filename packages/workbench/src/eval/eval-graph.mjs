import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { quantile } from '../bench/statistics.mjs';
import { startServer } from '../lib/server.mjs';
import { argumentsOf, collectionsIn } from './arguments.mjs';
import { findGraphCollections, readGraphCollection } from './graph-collections.mjs';
import { writeGraphReport } from './graph-report.mjs';
import { startPerfectModel } from './perfect-model.mjs';

const cutoffs = [2, 5, 10];
const graphName = 'eval';

const { values, positionals } = argumentsOf(
  { report: { type: 'string' } },
  'usage: npm run eval:graph -- DIR [--report FILE]   (DIR holds passages.jsonl and questions.jsonl, or folders that do)',
);
const files = 'passages.jsonl and questions.jsonl';
const collections = await collectionsIn(positionals.slice(0, 1), findGraphCollections, files);

/** The sources of the graph, and whether a perfect model ranks the results. */
const settings = [
  { name: 'given triplets', triplets: 'given', isRanked: false },
  { name: 'triplets by rules', triplets: 'rules', isRanked: false },
  { name: 'no triplets', triplets: 'none', isRanked: false },
  { name: 'given triplets, perfect ranking', triplets: 'given', isRanked: true },
  { name: 'no triplets, perfect ranking', triplets: 'none', isRanked: true },
];

const rows = [];
for (const path of collections) {
  const collection = await readGraphCollection(path);
  for (const setting of settings) {
    const row = { collection: basename(path), ...(await evaluate(collection, setting)) };
    rows.push(row);
    console.log(lineOf(row));
  }
}
if (values.report !== undefined) writeGraphReport(values.report, rows);

/** Builds the graph on a separate server and asks it all questions. */
async function evaluate({ passages, questions }, { name, triplets, isRanked }) {
  const home = await mkdtemp(join(tmpdir(), 'trove-eval-'));
  const model = isRanked ? await startPerfectModel({ passages, questions }) : null;
  if (model !== null) await writeFile(join(home, 'server.toml'), configOf(model.baseUrl));
  const server = await startServer(home);
  try {
    const token = (await readFile(join(home, 'server.token'), 'utf8')).trim();
    const post = jsonClient(server.endpoint, token);
    const started = performance.now();
    await post(`/add_documents?graph_name=${graphName}`, bodyOf(passages, triplets));
    const buildSeconds = (performance.now() - started) / 1000;
    // Warms up with questions, because code is not compiled yet. Model answers are cached, so a model gets only one.
    for (const question of isRanked ? questions.slice(0, 1) : questions) await ask(post, question);
    const recalls = Object.fromEntries(cutoffs.map((cutoff) => [cutoff, 0]));
    const times = [];
    for (const question of questions) {
      const asked = performance.now();
      const { retrieved_passages: found } = await ask(post, question);
      times.push(performance.now() - asked);
      const ids = found.map(({ id }) => id);
      for (const cutoff of cutoffs) {
        recalls[cutoff] += recall(ids.slice(0, cutoff), question.gold) / questions.length;
      }
    }
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    return {
      name,
      recalls,
      p50,
      p95,
      buildSeconds,
      questions: questions.length,
      passages: passages.length,
    };
  } finally {
    await server.stop();
    await model?.stop();
    await rm(home, { recursive: true, force: true });
  }
}

function ask(post, { question }) {
  return post(`/query?graph_name=${graphName}`, { question, passage_top_k: Math.max(...cutoffs) });
}

function recall(ids, gold) {
  return gold.filter((id) => ids.includes(id)).length / gold.length;
}

function bodyOf(passages, triplets) {
  return {
    documents: passages.map(({ text }) => text),
    ids: passages.map(({ id }) => id),
    metadatas: passages.map(({ title }) => ({ title })),
    extract_triplets: triplets === 'rules',
    ...(triplets === 'given' ? { triplets: passages.map((passage) => passage.triplets) } : {}),
  };
}

function configOf(baseUrl) {
  return [
    '[llm]',
    'provider = "openai"',
    'model = "perfect"',
    `base_url = "${baseUrl}"`,
    'api_key = "none"',
    '',
  ].join('\n');
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

function lineOf({ collection, name, recalls, p50, p95, buildSeconds }) {
  const figures = cutoffs.map((cutoff) => `@${cutoff} ${(100 * recalls[cutoff]).toFixed(1)}`);
  return `${collection}, ${name}: recall ${figures.join(' ')}, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, built in ${buildSeconds.toFixed(1)} s`;
}
