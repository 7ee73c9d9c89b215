import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

import type { Collection } from '@trove/core/index';
import * as assert from 'uvu/assert';

import { groupOf, neverAborted } from './index-rows.js';

/** The group that all writers replace. */
const sharedGroup = 'shared';
const maxRows = 4;

export interface WriterProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly closed: Promise<unknown[]>;
  /** Rounds it has said to be over, and all it wrote to stderr. */
  readonly output: { rounds: number; errors: string };
}

/** Starts a program that calls `writeRounds`. */
export function startWriter(program: string, args: readonly string[]): WriterProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...args]);
  const output = { rounds: 0, errors: '' };
  child.stdout.on('data', (data: Buffer) => {
    output.rounds += data.toString().split('\n').length - 1;
  });
  child.stderr.on('data', (data: Buffer) => {
    output.errors += data.toString();
  });
  return { child, closed: once(child, 'close'), output };
}

/** Replaces a group of the writer's own and the shared one, over and over; says so after each round. */
export async function writeRounds(
  collection: Collection,
  name: string,
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const size = sizeIn(round);
    const writer = `${name}${round}`;
    await collection.replace(
      [groupOf(ownGroup(name), size, writer), groupOf(sharedGroup, size, writer)],
      neverAborted,
    );
    process.stdout.write(`${round}\n`);
  }
}

/** Waits until writers have ended well, and said nothing on stderr. */
export async function assertEndedWell(writers: readonly WriterProcess[]): Promise<void> {
  const exits = await Promise.all(writers.map(({ closed }) => closed));
  for (const { output } of writers) assert.is(output.errors, '');
  assert.equal(
    exits,
    writers.map(() => [0, null]),
  );
}

/** Each has its own group as its last round wrote it; the shared one is of a single round. */
export async function assertNothingLostOrMixed(
  collection: Collection,
  names: readonly string[],
  rounds: number,
): Promise<void> {
  const last = rounds - 1;
  for (const name of names) {
    const expected = groupOf(ownGroup(name), sizeIn(last), `${name}${last}`);
    assert.equal(
      (await collection.rows(expected.group)).map(({ id }) => id),
      expected.rows.map(({ id }) => id),
    );
  }
  const shared = await collection.rows(sharedGroup);
  const wrote = new Set(shared.map(({ id }) => writerOf(id)));
  assert.is(wrote.size, 1, `rows of ${[...wrote].join()}`);
  assert.is(await collection.count(), sizeIn(last) * names.length + shared.length);
}

/** Ends a writer once it has said so many rounds to be over. */
export async function killAfter(
  { child, closed, output }: WriterProcess,
  rounds: number,
): Promise<void> {
  child.stdout.on('data', () => {
    if (output.rounds >= rounds) child.kill('SIGKILL');
  });
  await closed;
}

/** The groups of a killed writer are each of one round, and can be replaced. */
export async function assertWholeAndHealed(collection: Collection, name: string): Promise<void> {
  for (const group of [ownGroup(name), sharedGroup]) {
    const rows = await collection.rows(group);
    const round = Number(writerOf(rows[0]?.id ?? '').slice(name.length));
    assert.is(new Set(rows.map(({ id }) => writerOf(id))).size, 1, 'rows of one replacement');
    assert.is(rows.length, sizeIn(round), 'all rows of it');
  }
  await collection.replace([groupOf(ownGroup(name), 2, 'replayed')], neverAborted);
  assert.is((await collection.rows(ownGroup(name))).length, 2);
}

const ownGroup = (name: string): string => `own ${name}`;
const sizeIn = (round: number): number => (round % maxRows) + 1;
const writerOf = (id: string): string => id.split(':')[1] ?? '';
