// npm run bench:bucket [-- --keys N --report FILE]: compares the listing of a bucket by its connector with a bare
// one, in Ceph's gateway.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import s3Connector from '@trove/connector-s3';
import { connectorContext } from '@trove/testkit';
import { AwsClient } from 'aws4fetch';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { noObjectStore, startObjectStore } from '@trove/test-support/object-store.js';
import { build } from '../lib/build.mjs';
import { machineLine } from './report/machine.mjs';
import { markdownTable, shown, shownRatio, textTable } from './report/table.mjs';

const roundCount = 5;
const atOnce = 64;
const inFolder = 1000;
const maxOverhead = 1.5;

const { values } = parseArgs({
  options: { keys: { type: 'string', default: '100000' }, report: { type: 'string' } },
});
const keys = Number(values.keys);
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  if (noObjectStore !== null) {
    console.error(noObjectStore);
    return 1;
  }
  const store = await startObjectStore();
  try {
    const client = new AwsClient({ ...store, service: 's3', region: 'here' });
    await fill(client, `${store.endpoint}/${store.bucket}`);
    const bare = () => listBare(client, `${store.endpoint}/${store.bucket}`);
    const own = () => listByConnector(store);
    const [bareMs, ownMs] = await measureInTurns(bare, own);
    const ratio = ownMs / bareMs;
    const lines = [
      ['what', 'measured', 'floor', 'ratio', 'target', 'verdict'],
      [
        'listing',
        shown(ownMs, 'ms'),
        `${shown(bareMs, 'ms')} (bare listing)`,
        shownRatio(ratio),
        `at most ${maxOverhead} ×`,
        ratio <= maxOverhead ? 'pass' : 'MISS',
      ],
    ];
    console.log(textTable(lines));
    if (values.report !== undefined) writeFileSync(values.report, pageOf(lines));
    return ratio <= maxOverhead ? 0 : 1;
  } finally {
    await store.stop();
  }
}

async function fill(client, url) {
  let next = 0;
  const fillSome = async () => {
    while (next < keys) {
      const key = next++;
      const path = `folder-${Math.floor(key / inFolder)}/object-${key}.md`;
      const answer = await client.fetch(`${url}/${path}`, { method: 'PUT', body: `object ${key}` });
      if (!answer.ok) throw new Error(await answer.text());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, fillSome));
}

/** Lists one page after the other and counts the keys. */
async function listBare(client, url) {
  let count = 0;
  for (let token = ''; ;) {
    const query = new URLSearchParams({
      'list-type': '2',
      ...(token === '' ? {} : { 'continuation-token': token }),
    });
    const text = await (await client.fetch(`${url}?${query}`)).text();
    count += text.split('<Key>').length - 1;
    const [, next] = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text) ?? [];
    if (next === undefined) return count;
    token = next;
  }
}

async function listByConnector({ endpoint, bucket, accessKeyId, secretAccessKey }) {
  const { signal } = new AbortController();
  const config = { endpoint, access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  const connector = await s3Connector.create(
    connectorContext({
      target: `s3://${bucket}`,
      config: { anonymous: false, ignore: [], ...config },
      http: connectorHttp(),
    }),
  );
  const paths = new Set();
  for await (const { path } of connector.list({ signal })) paths.add(path);
  return paths.size;
}

/** Returns median times after a warm-up round. Throws if a listing is incomplete. */
async function measureInTurns(...runs) {
  const times = runs.map(() => []);
  for (let round = 0; round <= roundCount; round++) {
    for (const [at, run] of runs.entries()) {
      const started = performance.now();
      const count = await run();
      if (count !== keys) throw new Error(`${count} keys instead of ${keys}`);
      if (round > 0) times[at].push(performance.now() - started);
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[roundCount >> 1]);
}

function pageOf(lines) {
  return `<!-- Written by \`npm run bench:bucket\`. -->

# The listing of a bucket

A bucket of ${keys.toLocaleString('en')} keys in Ceph's gateway, which runs on the same machine and keeps everything in memory. The connector lists it in turns with
a bare client that requests page after page and only counts the keys. Medians of ${roundCount} rounds.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable(lines)}
`;
}
