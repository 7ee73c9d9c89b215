import type { Connector, RecordsOptions, SourceRecord } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { byteObjects, recordObjects, recordTexts, texts } from './contents.js';
import { placeOf, search } from './grep-requests.js';
import { bytesAt, collect, listing, neverAborted } from './open.js';
import type { ConnectorSubject } from './subject.js';

/** Requirements on calls that name a known object by its path and its identity. */
export const identityCases = [
  connectorCase(
    'reads-with-the-identity',
    'returns the same bytes if the identity is given',
    ['read'],
    async (connector, subject) => {
      const identities = await identitiesOf(connector);
      for (const { path } of byteObjects(subject)) {
        const bytes = await bytesAt(connector, path);
        const again = await bytesAt(connector, path, identities.get(path));
        expectEqual(again, bytes, `${path}, read with its identity`);
      }
    },
  ),
  connectorCase(
    'records-with-the-identity',
    'returns the same records if the identity is given',
    ['records'],
    async (connector, subject) => {
      const identities = await identitiesOf(connector);
      for (const { path } of recordObjects(subject)) {
        const records = await recordsAt(connector, path);
        const again = await recordsAt(connector, path, identities.get(path));
        expectEqual(again, records, `records of "${path}", read with its identity`);
      }
    },
  ),
  connectorCase(
    'stat-with-the-identity',
    'returns the same entry if the identity is given',
    ['stat'],
    async (connector) => {
      const identities = await identitiesOf(connector);
      const signal = neverAborted();
      for (const [path, identity] of identities) {
        const entry = await connector.stat?.(path, { signal });
        const again = await connector.stat?.(path, { ...identity, signal });
        expectEqual(again, entry, `entry of "${path}" by its identity`);
      }
    },
  ),
  connectorCase(
    'grep-with-the-identity',
    'finds the same matches in an object if its identity is given',
    ['grep'],
    async (connector, subject) => {
      const identities = await identitiesOf(connector);
      for (const { path, pattern } of searchable(subject)) {
        const found = await search(connector, { pattern, path });
        const again = await search(connector, { pattern, path, ...identities.get(path) });
        expectEqual(again.map(placeOf), found.map(placeOf), `matches in "${path}"`);
      }
    },
  ),
];

/** Returns the identities of the listed objects as options, by path. */
async function identitiesOf(
  connector: Connector,
): Promise<Map<string, { readonly identity?: string }>> {
  const identities = new Map<string, { readonly identity?: string }>();
  for (const [path, { identity }] of await listing(connector))
    identities.set(path, identity === undefined ? {} : { identity });
  return identities;
}

/** Returns each object that can be searched with a text that it contains. */
function searchable(
  subject: ConnectorSubject,
): { readonly path: string; readonly pattern: string }[] {
  const inTexts = texts(subject).flatMap(({ path, lines }) => {
    const pattern = lines.find((line) => line.trim() !== '');
    return pattern === undefined ? [] : [{ path, pattern }];
  });
  const inRecords = recordTexts(subject).map(({ path, text }) => ({ path, pattern: text }));
  return [...inTexts, ...inRecords];
}

async function recordsAt(
  connector: Connector,
  path: string,
  identity: Pick<RecordsOptions, 'identity'> = {},
): Promise<SourceRecord[]> {
  expect(connector.records !== undefined, 'the connector has no `records`');
  return collect(connector.records(path, { ...identity, signal: neverAborted() }));
}
