import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startServer } from '../lib/server.mjs';
import { findCollections, readCollection, writeDocuments } from './collections.mjs';
import { judge, mean } from './metrics.mjs';

const MODES = ['hybrid', 'semantic', 'keyword'];
const DEPTH = 10;
const JOB_POLL_MS = 100;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { index: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(
    'usage: npm run eval -- DIR [--index URI]   (DIR holds corpus.jsonl, queries.jsonl and qrels.tsv, or folders that do)',
  );
  process.exit(2);
}

const collections = await findCollections(resolve(folder));
if (collections.length === 0) {
  console.error(`no collection in ${folder}: it needs corpus.jsonl, queries.jsonl and qrels.tsv`);
  process.exit(1);
}
console.log(row(['collection', 'mode', 'nDCG@10', 'recall@10', 'MRR@10', 'questions']));
for (const collection of collections) await evaluate(collection);

/** Indexes a collection on a server of its own and asks all its questions in each mode. */
async function evaluate(collection) {
  const work = await mkdtemp(join(tmpdir(), 'trove-eval-'));
  await configure(join(work, 'home'));
  const server = await startServer(join(work, 'home'));
  try {
    const token = (await readFile(join(work, 'home', 'server.token'), 'utf8')).trim();
    const call = caller(server.endpoint, token);
    const { documents, questions, grades } = await readCollection(collection);
    const ids = await writeDocuments(documents, join(work, 'documents'));
    await index(call, join(work, 'documents'));
    for (const mode of MODES) {
      const figures = [];
      for (const { id, text } of questions) {
        const query = new URLSearchParams({
          q: text,
          mode,
          top_k: String(DEPTH),
          collapse: 'true',
        });
        const { results } = await call('GET', `/v1/search?${query}`);
        // Documents of the same text are one hit.
        const sources = results.flatMap(({ source, metadata }) => [source, ...metadata.also]);
        const ranking = sources
          .slice(0, DEPTH)
          .map((source) => ids.get(decodeURIComponent(basename(source))) ?? '');
        figures.push(judge(ranking, grades.get(String(id))));
      }
      const { ndcg, recall, mrr } = mean(figures);
      console.log(
        row([
          basename(collection),
          mode,
          ndcg.toFixed(4),
          recall.toFixed(4),
          mrr.toFixed(4),
          String(figures.length),
        ]),
      );
    }
  } finally {
    await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}

/** An index that stays, such as a database, is shared by runs: each has a namespace of its own. */
async function configure(home) {
  if (values.index === undefined) return;
  await mkdir(home);
  const namespace = `eval-${randomUUID()}`;
  const settings = [
    `namespace = "${namespace}"`,
    '[index]',
    `uri = ${JSON.stringify(values.index)}`,
  ];
  await writeFile(join(home, 'server.toml'), settings.join('\n'));
}

async function index(call, target) {
  const { job_id: id } = await call('POST', '/v1/add', { target, process: false });
  for (;;) {
    const job = await call('GET', `/v1/jobs/${id}`);
    if (job.status === 'succeeded') return;
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new Error(
        `indexing ended as ${job.status}: ${JSON.stringify(job.failures.slice(0, 3))}`,
      );
    }
    await sleep(JOB_POLL_MS);
  }
}

function caller(endpoint, token) {
  return async (method, path, body) => {
    const response = await fetch(endpoint + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

function row(cells) {
  return cells.map((cell, column) => (column < 2 ? cell.padEnd(16) : cell.padStart(10))).join(' ');
}
