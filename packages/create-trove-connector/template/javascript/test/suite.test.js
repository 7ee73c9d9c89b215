import assert from 'node:assert/strict';
import test from 'node:test';
import { connectorContext, selectConnectorCases } from '@trove/testkit';

import plugin from '../index.js';
import { startService } from './service.js';

const target = '__scheme__://mine';

/** Describes a service for the suite: its notes as documents, and how to change them. */
function subjectOf({ config, notes, set }) {
  const idOf = (path) => path.slice(0, -'.md'.length);
  return {
    plugin,
    target,
    config,
    refused: [{}, { ...config, url: 80 }, { ...config, tokn: 'misspelt' }],
    absent: 'nothing.md',
    objects: [...notes.values()].map(({ id, title, text }) => ({
      path: `${id}.md`,
      bytes: Buffer.from(`# ${title}\n\n${text}\n`),
    })),
    change: async (path) => set(idOf(path), 'Something else\nentirely.'),
    remove: async (path) => void notes.delete(idOf(path)),
    unreachable: { config: { ...config, token: 'a-wr0ng-token' } },
    secret: 'a-wr0ng-token',
  };
}

/** Runs a test with its own service. */
async function withService(use) {
  const service = await startService();
  try {
    await use(service);
  } finally {
    await service.close();
  }
}

await withService(async (service) => {
  const { cases, skipped } = await selectConnectorCases(subjectOf(service));
  for (const each of cases) test(each.title, () => withService((own) => each.run(subjectOf(own))));
  for (const { id, reason } of skipped) test(id, { skip: reason }, () => {});
});

test('explains a refused token and names the remedy', () =>
  withService(async ({ config }) => {
    const context = connectorContext({ target, config: { ...config, token: 'another' } });
    const connector = await plugin.create(context);
    const { signal } = context;
    await assert.rejects(connector.read('tea.md', { signal }), /refused the token/);
    const health = await connector.check({ signal });
    assert.deepEqual(health, {
      ok: false,
      detail:
        'The service refused the token. Set `token` in the configuration to a token that may read notes.',
    });
  }));
