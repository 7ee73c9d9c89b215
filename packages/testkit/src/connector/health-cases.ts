import { isTroveError, type Connector, type SyncExplanation } from '@trove/core';

import { expect, expectEqual, expectError } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { neverAborted, collect, recordingLogger, withConnector } from './open.js';
import type { ConnectorSubject } from './subject.js';

/** Requirements on health checks of reachable and unreachable sources. */
export const healthCases = [
  connectorCase(
    'check-approves',
    'reports a reachable source in a sentence',
    ['check'],
    async (connector) => {
      const health = await connector.check?.({ signal: neverAborted() });
      expectEqual(health?.ok, true, 'ok');
      expect((health?.detail ?? '').trim() !== '', 'detail: must describe the source');
    },
  ),
  connectorCase(
    'check-disapproves',
    'reports an unreachable source with the reason instead of throwing',
    ['check', 'unreachable'],
    async (_, subject) => {
      const health = await withUnreachable(subject, async (connector) =>
        connector.check?.({ signal: neverAborted() }),
      );
      expectEqual(health?.ok, false, 'ok');
      expect((health?.detail ?? '').trim() !== '', 'detail: must give the reason');
    },
  ),
  connectorCase(
    'explains-offline',
    'explains the requests of a sync without a connection, and shows no credential',
    ['explain', 'unreachable', 'secret'],
    async (_, subject) => {
      const explain = (connector: Connector): Promise<SyncExplanation> | undefined =>
        connector.explain?.({ cursor: undefined, signal: neverAborted() });
      const explanation = await withUnreachable(subject, async (connector) => explain(connector));
      const { incremental, requests = [] } = explanation ?? {};
      expectEqual(incremental, false, 'incremental, without a cursor');
      expect(requests.length > 0, 'requests: must not be empty');
      const texts = requests.every(
        ({ name, request }) => name.trim() !== '' && request.trim() !== '',
      );
      expect(texts, 'requests: each must have a `name` and a `request`');
      const shown = JSON.stringify(explanation);
      expect(!shown.includes(subject.secret ?? ''), 'the credential is shown');
    },
  ),
  connectorCase(
    'unreachable-is-not-empty',
    'fails the listing of an unreachable source with `connector_unhealthy`',
    ['unreachable'],
    async (_, subject) => {
      const list = withUnreachable(subject, (connector) =>
        collect(connector.list({ signal: neverAborted() })),
      );
      await expectError(list, 'connector_unhealthy', 'listing an unreachable source');
    },
  ),
  connectorCase(
    'keeps-secrets',
    'shows no credential in errors, health and log lines',
    ['secret', 'unreachable'],
    async (_, subject) => {
      const logger = recordingLogger();
      const said: string[] = [];
      await withUnreachable(
        subject,
        async (connector) => {
          const list = collect(connector.list({ signal: neverAborted() }));
          const check = Promise.resolve(connector.check?.({ signal: neverAborted() }));
          said.push(
            await list.then(JSON.stringify, textOf),
            await check.then(JSON.stringify, textOf),
          );
        },
        logger,
      );
      said.push(logger.text());
      const told = said.find((text) => text.includes(subject.secret ?? ''));
      expect(told === undefined, 'the credential is shown');
    },
  ),
];

function withUnreachable<T>(
  subject: ConnectorSubject,
  use: Parameters<typeof withConnector<T>>[1],
  logger = recordingLogger(),
): Promise<T> {
  return withConnector(subject, use, { ...subject.unreachable, logger });
}

function textOf(error: unknown): string {
  const suggestions = isTroveError(error) ? error.suggestions.join(' ') : '';
  return `${error instanceof Error ? error.stack : String(error)} ${suggestions}`;
}
