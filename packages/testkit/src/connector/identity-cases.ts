import type { Connector } from '@trove/core';

import { expectEqual } from '../expect.js';
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
      for (const { path, bytes } of byteObjects(subject)) {
        const read = await bytesAt(connector, path, identities.get(path));
        expectEqual(read, Buffer.from(bytes), `${path}, read with its identity`);
      }
    },
  ),
  connectorCase(
    'records-with-the-identity',
    'returns the same records if the identity is given',
    ['records'],
    async (connector, subject) => {
      const identities = await identitiesOf(connector);
      for (const { path, records } of recordObjects(subject)) {
        const options = { ...identities.get(path), signal: neverAborted() };
        const read = await collect(connector.records?.(path, options) ?? none());
        expectEqual(read, records, `records of "${path}", read with its identity`);
      }
    },
  ),
  connectorCase(
    'stat-with-the-identity',
    'returns the same entry if the identity is given',
    ['stat'],
    async (connector) => {
      const identities = await identitiesOf(connector);
      for (const [path, entry] of await listing(connector)) {
        const options = { ...identities.get(path), signal: neverAborted() };
        const found = await connector.stat?.(path, options);
        expectEqual(found, entry, `entry of "${path}" by its identity`);
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

async function* none(): AsyncGenerator<never> {}
