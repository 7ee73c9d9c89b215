import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { openApiDocument } from '@trove/operations';
import { startHost } from '@trove/server';

import { kinds } from '../../server/test/support/kinds.ts';
import { knownToken, token } from '../../server/test/support/server.ts';
import { stubEngine } from '../../server/test/support/stub-engine.ts';
import { Findings } from '../src/fuzz/findings.mjs';
import { readContract } from '../src/fuzz/requests/contract.mjs';
import { makeExchange } from '../src/fuzz/requests/exchange.mjs';
import { makeRounds } from '../src/fuzz/requests/rounds.mjs';
import { makeSender } from '../src/fuzz/requests/send.mjs';

/* Finds nothing for routes of every kind that match their document, and finds wrong documents. */

const test = suite('fuzzing the kinds of routes');
const folder = mkdtempSync(join(tmpdir(), 'trove-fuzz-test-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the violations at a host that serves the kinds, according to the document of these routes. */
async function foundBelieving(routes) {
  const contract = readContract(JSON.parse(JSON.stringify(openApiDocument(routes, '1'))));
  const findings = new Findings({ folder, say: () => {} });
  const host = await startHost({
    engine: stubEngine(),
    routes: kinds,
    bind: { host: '127.0.0.1', port: 0 },
    auth: knownToken,
  });
  const sender = makeSender({ endpoint: host.url });
  try {
    const exchange = makeExchange({
      contract,
      corpus: { word: ['fox'], dir: ['/a'], file: ['/a/b.md'], scratch: ['/a'], target: ['/a'] },
      token,
      canaries: [],
      sender,
      tally: () => {},
    });
    await makeRounds({ contract, exchange, findings, settle: async () => {} }).round(1, 25);
  } finally {
    sender.close();
    await host.close(0);
  }
  return findings.all.map(({ key }) => key.split(' ').slice(0, 2).join(' '));
}

test('finds nothing for a correct document', async () => {
  assert.equal(await foundBelieving(kinds), []);
});

const shapeOf = (id) => kinds.find(({ name }) => name === id);

const { response: count, errorFormat: envelope } = shapeOf('upload');
const asOk = ({ successes, ...answer }) => ({
  ...answer,
  successes: successes.map((success) => ({ ...success, status: 200 })),
});
const ok = asOk(count);
const lies = {
  'status upload': { response: ok },
  'type page': { response: ok },
  'type bytes': { response: asOk(shapeOf('forget').response) },
  'schema question': { response: ok },
  'error upload': { errorFormat: shapeOf('question').errorFormat },
  'envelope question': { errorFormat: envelope },
};

for (const [law, lie] of Object.entries(lies)) {
  test(`finds a wrong document: ${law}`, async () => {
    const told = kinds.map((route) =>
      law.endsWith(` ${route.name}`) ? { ...route, ...lie } : route,
    );
    const found = await foundBelieving(told);
    assert.ok(found.includes(law), found.join(', '));
  });
}

test.run();
