import { isDeepStrictEqual } from 'node:util';
import type { Connector } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { stateInMemory } from './context.js';
import { neverAborted, collect, renewedCredentials, withConnector } from './open.js';

const maxStateChars = 1_000_000;

/** Requirements on the use of state and credentials. */
export const contextCases = [
  connectorCase(
    'state-can-be-stored',
    'stores only JSON values of at most a million characters as state',
    [],
    async (_, subject) => {
      const remembered: unknown[] = [];
      const state = stateInMemory((value) => void remembered.push(value));
      await withConnector(subject, pathsOf, { state });
      for (const value of remembered) {
        const json = JSON.stringify(value) ?? 'nothing';
        expect(json.length <= maxStateChars, `state.set: has ${json.length} characters`);
        expect(isDeepStrictEqual(JSON.parse(json), value), 'state.set: is not a JSON value');
      }
    },
  ),
  connectorCase(
    'state-changes-no-listing',
    'lists the same objects with and without state of an earlier listing',
    [],
    async (connector, subject) => {
      const state = stateInMemory();
      const before = await pathsOf(connector);
      for (const what of ['without a state', 'with that of an earlier listing'])
        expectEqual(await withConnector(subject, pathsOf, { state }), before, `paths ${what}`);
    },
  ),
  connectorCase(
    'follows-its-credentials',
    'continues with a replaced credential without reopening',
    ['replaceCredential'],
    async (connector, subject) => {
      const before = await pathsOf(connector);
      const replaced = (await subject.replaceCredential?.()) ?? {};
      for (const [name, value] of Object.entries(replaced))
        renewedCredentials(subject).set(name, value);
      expectEqual(await pathsOf(connector), before, 'paths with the new credential');
    },
  ),
  connectorCase(
    'keeps-renewed-tokens',
    'renews access with `credentials.refresh`, so that others get the new token',
    ['expireAccess'],
    async (connector, subject) => {
      const before = await pathsOf(connector);
      for (const what of ['once', 'twice']) {
        await subject.expireAccess?.();
        const paths = await withConnector(subject, pathsOf);
        expectEqual(paths, before, `paths after access ended ${what}`);
      }
    },
  ),
];

/** Returns all paths, sorted. */
async function pathsOf(connector: Connector): Promise<string[]> {
  const entries = await collect(connector.list({ signal: neverAborted() }));
  return entries.map(({ path }) => path).sort();
}
