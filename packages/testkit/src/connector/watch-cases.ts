import type { Connector } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase, withTimeout } from './connector-case.js';
import { first } from './contents.js';

/** What may still be told once the signal has aborted. */
const maxEventsAfterEnd = 100;
const endMs = 10_000;

/** Requirements on telling what may have changed. */
export const watchCases = [
  connectorCase(
    'watch-says-that-it-watches',
    'says that it is watching, before anything has changed',
    ['watch'],
    (connector) =>
      watching(connector, async (told) => {
        expectEqual(await told(), '', 'what is told first');
      }),
  ),
  connectorCase(
    'watch-tells-of-changes',
    'tells of an object that was changed, of a folder that it is in, or of anything',
    ['watch', 'change'],
    (connector, subject) =>
      watching(connector, async (told) => {
        const { path } = first(subject.objects, 'object');
        await told();
        await subject.change?.(path);
        for (let each = await told(); !covers(each, path); each = await told())
          expect(each !== null, `"${path}" was changed, and not told of`);
      }),
  ),
  connectorCase(
    'watch-ends',
    'tells of nothing any more once the signal aborts',
    ['watch'],
    async (connector) => {
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
      expect(await withTimeout(ended(), 'watching, aborted', endMs), 'it goes on telling');
    },
  ),
];

/** Passes on what gives the next path that is told; null once nothing more is. */
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
