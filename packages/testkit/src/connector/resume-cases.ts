import {
  isCheckpoint,
  locatorKey,
  type Change,
  type Checkpoint,
  type Connector,
} from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { recordObjects } from './contents.js';
import { neverAborted } from './open.js';

/** More checkpoints of one stream are not tried. */
const maxTried = 20;

/** Requirements on checkpoints. A stream without checkpoints meets them. */
export const resumeCases = [
  connectorCase(
    'resumes-a-listing',
    'continues a listing after each of its checkpoints',
    ['checkpoints'],
    (connector) =>
      expectResumable('the listing', (resume) =>
        itemsOf(connector.list({ ...resume, signal: neverAborted() }), ({ path }) => path),
      ),
  ),
  connectorCase(
    'resumes-records',
    'continues the records of an object after each of their checkpoints',
    ['checkpoints', 'records'],
    async (connector, subject) => {
      for (const { path } of recordObjects(subject))
        await expectResumable(`the records of "${path}"`, (resume) =>
          itemsOf(recordsOf(connector, path, resume), ({ key }) => locatorKey(key)),
        );
    },
  ),
  connectorCase(
    'resumes-changes',
    'continues changes after each of their checkpoints and commits a cursor',
    ['checkpoints', 'changes'],
    (connector) =>
      expectResumable('the changes', async (resume) => {
        let hasCommitted = false;
        const items = connector.changes?.({
          ...resume,
          cursor: undefined,
          commit: () => void (hasCommitted = true),
          signal: neverAborted(),
        });
        expect(items !== undefined, 'the connector has no `changes`');
        const found = await itemsOf(items, changeName);
        expect(hasCommitted, 'the continued changes commit a cursor');
        return found;
      }),
  ),
  connectorCase(
    'keeps-checkpoints',
    'never changes a checkpoint that it has yielded',
    ['checkpoints'],
    async (connector, subject) => {
      const request = { signal: neverAborted() };
      await expectConstant('the listing', connector.list(request));
      for (const { path } of recordObjects(subject))
        await expectConstant(`the records of "${path}"`, connector.records?.(path, request));
      await expectConstant(
        'the changes',
        connector.changes?.({ ...request, cursor: undefined, commit: () => undefined }),
      );
    },
  ),
];

type Resume = { readonly resume?: unknown };
type StreamItem = string | Checkpoint;

/** Compares what follows each checkpoint with what the stream yields when it continues there. */
async function expectResumable(
  what: string,
  read: (resume: Resume) => Promise<StreamItem[]>,
): Promise<void> {
  const all = await read({});
  const positions = all.flatMap((item, at) => (isCheckpoint(item) ? [at] : [])).slice(0, maxTried);
  for (const at of positions) {
    const item = all[at];
    if (!isCheckpoint(item)) continue;
    const resume: unknown = JSON.parse(JSON.stringify(item.checkpoint));
    const rest = await read({ resume });
    expectEqual(
      namesIn(rest),
      namesIn(all.slice(at + 1)),
      `what follows the checkpoint ${JSON.stringify(item.checkpoint)} of ${what}`,
    );
  }
}

/** Compares each checkpoint at the end of a stream with a copy of the time when it was yielded. */
async function expectConstant(
  what: string,
  items: AsyncIterable<object> | undefined,
): Promise<void> {
  const yielded: { readonly checkpoint: unknown; readonly copy: unknown }[] = [];
  for await (const item of items ?? [])
    if (isCheckpoint(item))
      yielded.push({ checkpoint: item.checkpoint, copy: structuredClone(item.checkpoint) });
  for (const { checkpoint, copy } of yielded)
    expectEqual(checkpoint, copy, `a checkpoint of ${what}, after the stream has continued`);
}

function namesIn(items: readonly StreamItem[]): string[] {
  return items.filter((item) => typeof item === 'string').sort();
}

async function itemsOf<T>(
  items: AsyncIterable<T>,
  nameOf: (item: Exclude<T, Checkpoint>) => string | null,
): Promise<StreamItem[]> {
  const all: StreamItem[] = [];
  for await (const item of items) {
    const name = isItem(item) ? nameOf(item) : null;
    if (isCheckpoint(item)) all.push(structuredClone(item));
    else if (name !== null) all.push(name);
  }
  return all;
}

function isItem<T>(item: T): item is Exclude<T, Checkpoint> {
  return !isCheckpoint(item);
}

function recordsOf(connector: Connector, path: string, resume: Resume) {
  expect(connector.records !== undefined, 'the connector has no `records`');
  return connector.records(path, { ...resume, signal: neverAborted() });
}

function changeName(change: Exclude<Change, Checkpoint>): string | null {
  if ('entry' in change) return `entry ${change.entry.path}`;
  if ('removed' in change) return `removed ${change.removed}`;
  if ('reset' in change) return null;
  return `records of ${change.path}`;
}
