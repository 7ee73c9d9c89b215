// npm run bench:services [-- --items N --kinds link,next --report FILE]: syncs the pages of a web service of every kind,
// and the fake service of every connector, with a server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from '../lib/build.mjs';
import { startChild } from './child.mjs';
import { machineLine } from './report/machine.mjs';
import { atMost, markdownTable, textTable, verdict } from './report/table.mjs';
import {
  measureFloor,
  measurePaging,
  pagingKinds,
  sourceForms,
} from './services/measure-paging.mjs';
import { services, withServices } from './services/measure-service.mjs';

const memoryBytes = 150 * 2 ** 20;

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '20000' },
    kinds: { type: 'string', default: pagingKinds.join() },
    report: { type: 'string' },
  },
});
const count = Number(values.items);
const work = mkdtempSync(join(tmpdir(), 'trove-bench-services-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  const kinds = values.kinds.split(',').filter(Boolean);
  const paging = await pagingTable(kinds);
  console.log(textTable(paging));
  const connectors = await connectorTable();
  console.log(textTable(connectors));
  if (values.report !== undefined) writeFileSync(values.report, pageOf(paging, connectors));
  return [...paging, ...connectors].some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;
}

async function pagingTable(kinds) {
  const lines = [
    [
      'paging',
      'items',
      'peak memory',
      'target',
      'first',
      'unchanged',
      'one change',
      'twice',
      'verdict',
    ],
  ];
  say('the floor');
  const floor = await measureFloor({ home: join(work, 'floor'), count });
  lines.push([
    'none (floor)',
    'records',
    ...atMost(floor, 'bytes', memoryBytes).slice(0, 2),
    '–',
    '–',
    '–',
    '–',
    '–',
  ]);
  const pages = startChild('services/page-server.mjs');
  try {
    for (const form of sourceForms)
      for (const kind of kinds) {
        say(`${kind}, ${form}`);
        const home = join(work, `${kind}-${form}`);
        lines.push(pagingRow(kind, form, await measurePaging(pages, { home, kind, form, count })));
        rmSync(home, { recursive: true });
      }
  } finally {
    await pages.stop();
  }
  return lines;
}

function pagingRow(kind, form, { bytes, requests, twice, changed }) {
  const [measured, target, memoryVerdict] = atMost(bytes, 'bytes', memoryBytes);
  const passed = memoryVerdict === verdict(true) && twice === 0 && changed === 1;
  return [kind, form, measured, target, ...requests.map(String), String(twice), verdict(passed)];
}

async function connectorTable() {
  const lines = [['connector', 'content', 'first', 'unchanged', 'one change', 'twice', 'verdict']];
  await withServices(join(work, 'services'), async (measure) => {
    for (const [name, content] of Object.entries(services)) {
      say(name);
      const { requests, twice } = await measure(name);
      for (const text of twice) say(`${name} sent twice: ${text}`);
      const isOnce = verdict(twice.length === 0);
      lines.push([name, content, ...requests.map(String), String(twice.length), isOnce]);
    }
  });
  return lines;
}

function say(what) {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${what}`);
}

function pageOf(paging, connectors) {
  return `<!-- Written by \`npm run bench:services\`. -->

# Syncs of web services

A server syncs a web service in another process on the same machine, with the default index, store and embedder, and with the memory settings of
\`trove serve start\`. Each source is synced three times: first, without a change, and after one change. Requests are counted by the service.

- *Twice*: requests that one sync sent more than once, except for checks of the login.
- *Peak memory*: resident memory of the server process and its children (without shared files) during the first sync, above that of the idle server before it.
  It is read from the system four times a second; the peak that the system itself records counts, too.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

## Each kind of paging

A described service (\`@trove/connector-kit/http\`) with ${count.toLocaleString('en')} items of 200 bytes, 100 to a page. They are *records* of one object, or *objects* that are read one by one. The
*floor* has the same records, but generates them in the server, without requests and without the kit.

${markdownTable(paging)}

## Each connector

The fake services of the connectors' tests, which speak the protocols of the vendors.

${markdownTable(connectors)}
`;
}
