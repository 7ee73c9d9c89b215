import { isDeepStrictEqual } from 'node:util';
import type { Connector } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { stateInMemory } from './context.js';
import { neverAborted, collect, renewedCredentials, withConnector } from './open.js';

const maxStateChars = 1_000_000;

/** Requirements on what a connector does with its state and its credentials. */
export const contextCases = [
  connectorCase(
    'state-can-be-stored',
    'remembers what JSON can hold, in at most a million characters',
    [],
    async (_, subject) => {
      const remembered: unknown[] = [];
      const state = stateInMemory((value) => void remembered.push(value));
      await withConnector(subject, pathsOf, { state });
      for (const value of remembered) {
        const json = JSON.stringify(value) ?? 'nothing';
        expect(json.length <= maxStateChars, `state.set: has ${json.length} characters`);
        expect(isDeepStrictEqual(JSON.parse(json), value), 'state.set: is no JSON value');
      }
    },
  ),
  connectorCase(
    'state-changes-no-listing',
    'lists the same with what it remembers of an earlier listing as without',
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
    'goes on with a credential that was replaced, without being opened again',
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
    'renews its access with `credentials.refresh`, so that others go on with the new token',
    ['expireAccess'],
    async (connector, subject) => {
      const before = await pathsOf(connector);
      for (const what of ['once', 'twice']) {
        await subject.expireAccess?.();
        const paths = await withConnector(subject, pathsOf);
        expectEqual(paths, before, `paths after the access was ended ${what}`);
      }
    },
  ),
];

/** All paths, sorted. */
async function pathsOf(connector: Connector): Promise<string[]> {
  const entries = await collect(connector.list({ signal: neverAborted() }));
  return entries.map(({ path }) => path).sort();
}
