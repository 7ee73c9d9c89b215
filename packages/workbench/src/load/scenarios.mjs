import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { oneOf, randomFrom } from '@trove/test-support/random.js';
import { literalFrom, queriesFrom, textFiles } from '../bench/samples.mjs';
import { graphScenarios } from './graph-scenarios.mjs';
import { get, post } from './request.mjs';

const samples = 100;
/** More than one scenario sends, because an index may cache its queries. */
const questionCount = 4000;
const randomSeed = 3;
const senderCount = 8;
const tarType = { 'content-type': 'application/x-tar' };

/** Limits in milliseconds for 99 of 100 responses, of the browse routes and of search. */
const browseMs = 100;
const searchMs = 500;

/** Time weights. With few responses, the first request of each connection would be more than one in a hundred. */
const browseWeight = 2;
const searchWeight = 10;

/**
 * Returns the requests of each route: `{ name, operation, requests, expected, limitMs, weight }`. `expected`: statuses
 * that are not errors (default 200). `limitMs`: the target, if any. `weight`: the share of the time (default 1).
 */
export async function scenariosFor({ client }, { folder, work }) {
  const random = randomFrom(randomSeed);
  const files = textFiles(folder);
  const some = Array.from({ length: samples }, () => oneOf(random, files));
  const queries = await queriesFrom(random, files, questionCount);
  const archives = archivesIn(work);
  const [job] = await client.get('/v1/jobs?status=succeeded');
  return [
    ...browse(folder, some),
    ...retrieval(folder, queries, literalFrom(files[Math.floor(files.length / 2)])),
    ...server(),
    ...jobs(job.id),
    ...connectors(folder, work),
    ...uploads(archives),
    ...(await graphScenarios(client)),
  ];
}

function browse(folder, files) {
  const each = (name, operation, query) => ({
    name,
    operation,
    requests: files.map((path) => get(`/v1/${operation}`, query(path))),
    limitMs: browseMs,
    weight: browseWeight,
  });
  return [
    each('ls of a folder', 'ls', (path) => ({ path: dirname(path) })),
    each('ls of a file', 'ls', (path) => ({ path })),
    each('ls of the root', 'ls', () => ({ path: folder })),
    each('cat', 'cat', (path) => ({ path })),
    each('cat, lines', 'cat', (path) => ({ path, range: '3:9' })),
    each('cat, by locator', 'cat', (path) => ({ path, locator: '{"lines":[2,5]}' })),
    each('cat, outline', 'cat', (path) => ({ path, density: 'peek' })),
    each('cat, metadata', 'cat', (path) => ({ path, meta: true })),
    each('head', 'head', (path) => ({ path })),
    each('tail', 'tail', (path) => ({ path })),
    each('export', 'export', (path) => ({ path })),
  ].map((tried) =>
    // Code has an outline. Plain text has none and gets 400.
    tried.name === 'cat, outline' ? { ...tried, expected: [200, 400] } : tried,
  );
}

function retrieval(folder, queries, literal) {
  const search = (name, extra) => ({
    name: `search, ${name}`,
    operation: 'search',
    requests: queries.map(({ text }) => get('/v1/search', { q: text, top_k: 10, ...extra })),
    limitMs: searchMs,
    weight: searchWeight,
  });
  return [
    search('keyword', { mode: 'keyword' }),
    search('semantic', { mode: 'semantic' }),
    search('hybrid', { mode: 'hybrid' }),
    search('in a folder', { path: join(folder, 'src') }),
    search('one hit per file', { collapse: true }),
    {
      name: 'ask',
      operation: 'ask',
      requests: queries.map(({ text }) => post('/v1/ask', { question: text })),
    },
    {
      name: 'grep',
      operation: 'grep',
      requests: [get('/v1/grep', { pattern: literal, path: folder })],
      weight: browseWeight,
    },
  ];
}

function server() {
  const of = (operation, path) => ({ name: path, operation, requests: [get(path, {})] });
  return [
    of('healthz', '/healthz'),
    of('readyz', '/readyz'),
    of('metrics', '/metrics'),
    of('getServerInfo', '/v1/server/info'),
    of('status', '/v1/status'),
    of('getOpenApi', '/openapi.json'),
  ];
}

function jobs(id) {
  return [
    { name: 'jobs', operation: 'listJobs', requests: [get('/v1/jobs', {})] },
    { name: 'a job', operation: 'getJob', requests: [get(`/v1/jobs/${id}`, {})] },
    {
      name: 'cancel a finished job',
      operation: 'cancelJob',
      requests: [{ method: 'POST', path: `/v1/jobs/${id}/cancel` }],
    },
  ];
}

function connectors(folder, work) {
  const small = join(work, 'small');
  mkdirSync(small);
  writeFileSync(join(small, 'a.md'), '# A small source\n');
  const target = join(folder, 'guides');
  return [
    {
      name: 'probe',
      operation: 'probeConnector',
      requests: [post('/v1/connectors/probe', { target })],
    },
    {
      name: 'estimate',
      operation: 'estimateConnector',
      requests: [post('/v1/connectors/estimate', { target })],
    },
    {
      name: 'inspect',
      operation: 'inspectConnector',
      requests: [get('/v1/connectors/inspect', { target: folder })],
    },
    {
      name: 'add',
      operation: 'addSource',
      requests: [post('/v1/add', { target: small, process: false })],
      expected: [200, 409],
    },
    {
      name: 'remove an unknown source',
      operation: 'removeConnector',
      requests: [{ ...get('/v1/connectors', { target: join(work, 'nowhere') }), method: 'DELETE' }],
      expected: [404],
    },
  ];
}

function uploads({ archive, bundle }) {
  const senders = Array.from({ length: senderCount }, (_, at) => `load${at}`);
  const whose = (client_id) => ({ client_id, root: '/notes' });
  const files = [{ path: 'a.md', size: 4, mtime_ns: 1_700_000_000_000_000_000, inode: 1 }];
  return [
    {
      name: 'upload',
      operation: 'uploadSource',
      requests: senders.map((name) => ({
        ...get('/v1/upload', { name, process: false }),
        method: 'POST',
        headers: tarType,
        body: archive,
      })),
      expected: [200, 409],
    },
    {
      name: 'manifest',
      operation: 'filesManifest',
      requests: senders.map((name) => post('/v1/files/manifest', { ...whose(name), files })),
    },
    {
      name: 'send changed files',
      operation: 'filesUpload',
      requests: senders.map((name) => ({
        ...get('/v1/files/upload', { ...whose(name), process: false }),
        method: 'PUT',
        headers: tarType,
        body: bundle,
      })),
      expected: [200, 409],
    },
  ];
}

/** Returns an archive of a file, and a bundle that reports no changes. */
function archivesIn(work) {
  const folder = join(work, 'sent');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.md'), '# A\n');
  writeFileSync(
    join(folder, '.trove-meta.json'),
    JSON.stringify({ hashes: [], renames: [], deletions: [] }),
  );
  const tar = (name) => {
    const { stdout, status, error } = spawnSync('tar', ['-cf', '-', '-C', folder, name]);
    if (status !== 0) throw error ?? new Error(`tar ended with ${status}`);
    return stdout;
  };
  return { archive: tar('a.md'), bundle: tar('.trove-meta.json') };
}
