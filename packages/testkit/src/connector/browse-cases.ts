import type { BrowseEntry, Connector } from '@trove/core';

import { expect, expectEqual, expectError } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { first } from './contents.js';
import { neverAborted, collect, listing } from './open.js';

/** Requirements on the tree and single entries. */
export const browseCases = [
  connectorCase(
    'browse-reaches-everything',
    'reaches each listed object level by level',
    ['browse'],
    async (connector) => {
      const reached = (await walk(connector, '')).sort();
      const listed = [...(await listing(connector)).keys()].sort();
      expectEqual(reached, listed, 'paths reached by browsing');
    },
  ),
  connectorCase(
    'browse-shows-an-object',
    'shows only the object when its own path is browsed',
    ['browse'],
    async (connector, subject) => {
      const { path } = first(subject.objects, 'object');
      const shown = await level(connector, path);
      const expected = path === '' ? undefined : path.slice(path.lastIndexOf('/') + 1);
      expectEqual(shown.length, 1, `entries of "${path}"`);
      expectEqual(shown[0]?.type, 'file', `type of "${path}"`);
      expectEqual(shown[0]?.name, expected ?? shown[0]?.name, `name of "${path}"`);
    },
  ),
  connectorCase(
    'browse-missing-not-found',
    'throws `not_found` when a missing path is browsed',
    ['browse'],
    async (connector, { absent }) => {
      await expectError(level(connector, absent), 'not_found', 'browsing nothing');
    },
  ),
  connectorCase(
    'stat-equals-listing',
    'returns the same entry as the listing, or no time',
    ['stat'],
    async (connector) => {
      for (const [path, entry] of await listing(connector)) {
        const single = await connector.stat?.(path, { signal: neverAborted() });
        const expected = single?.modifiedAt === null ? { ...entry, modifiedAt: null } : entry;
        expectEqual(single, expected, `entry of "${path}"`);
      }
    },
  ),
  connectorCase(
    'stat-missing-is-null',
    'returns null for a missing path',
    ['stat'],
    async (connector, { absent }) => {
      const entry = await connector.stat?.(absent, { signal: neverAborted() });
      expectEqual(entry, null, 'entry of a missing path');
    },
  ),
];

async function walk(connector: Connector, path: string): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, type, skip } of await level(connector, path)) {
    expect(name !== '' && !name.includes('/'), `"${name}" in "${path}": is not a name`);
    if (skip !== undefined) continue;
    const below = path === '' ? name : `${path}/${name}`;
    if (type === 'dir') paths.push(...(await walk(connector, below)));
    else paths.push(below);
  }
  return paths;
}

async function level(connector: Connector, path: string): Promise<BrowseEntry[]> {
  expect(connector.browse !== undefined, 'the connector has no `browse`');
  return collect(connector.browse(path, { signal: neverAborted() }));
}
