import type { Connector } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase, withTimeout } from './connector-case.js';
import { first } from './contents.js';

/** The maximum number of events after an abort. */
const maxEventsAfterEnd = 100;
const endMs = 10_000;

/** Requirements on watching for changes. */
export const watchCases = [
  connectorCase(
    'watch-reports-start',
    'reports the start of watching before any change',
    ['watch'],
    (connector) =>
      watching(connector, async (told) => {
        expectEqual(await told(), '', 'the first event');
      }),
  ),
  connectorCase(
    'watch-reports-changes',
    'reports a changed object, one of its folders, or everything',
    ['watch', 'change'],
    (connector, subject) =>
      watching(connector, async (told) => {
        const { path } = first(subject.objects, 'object');
        await told();
        await subject.change?.(path);
        for (let each = await told(); !covers(each, path); each = await told())
          expect(each !== null, `"${path}" was changed but not reported`);
      }),
  ),
  connectorCase('watch-ends', 'ends after an abort', ['watch'], async (connector) => {
    const aborter = new AbortController();
    const watched = iterator(connector, aborter.signal);
    await watched.next();
    aborter.abort();
    const ended = async (): Promise<boolean> => {
      for (let more = 0; more < maxEventsAfterEnd; more++) {
        const step = await watched.next().catch(() => ({ done: true }));
        if (step.done === true) return true;
      }
      return false;
    };
    expect(await withTimeout(ended(), 'watching, aborted', endMs), 'it continues after the abort');
  }),
];

/** Runs with a function that returns the next reported path, or null after the end. */
async function watching(
  connector: Connector,
  use: (told: () => Promise<string | null>) => Promise<void>,
): Promise<void> {
  const aborter = new AbortController();
  const watched = iterator(connector, aborter.signal);
  try {
    await use(async () => {
      const step = await watched.next();
      return step.done === true ? null : step.value;
    });
  } finally {
    aborter.abort();
    await watched.next().catch(() => undefined);
  }
}

function iterator(connector: Connector, signal: AbortSignal): AsyncIterator<string> {
  expect(connector.watch !== undefined, 'the connector has no `watch`');
  return connector.watch({ signal })[Symbol.asyncIterator]();
}

function covers(told: string | null, path: string): boolean {
  return told !== null && (told === '' || told === path || path.startsWith(`${told}/`));
}
