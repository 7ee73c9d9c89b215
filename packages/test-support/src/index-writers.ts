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
  /** The number of reported rounds, and all output to stderr. */
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

/** Replaces the writer's own group and the shared one repeatedly, and reports each round. */
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

/** Waits until the writers have exited without an error or output to stderr. */
export async function assertEndedWell(writers: readonly WriterProcess[]): Promise<void> {
  const exits = await Promise.all(writers.map(({ closed }) => closed));
  for (const { output } of writers) assert.is(output.errors, '');
  assert.equal(
    exits,
    writers.map(() => [0, null]),
  );
}

/** Checks that each writer's group is from its last round, and that the shared group is from a single round. */
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

/** Kills a writer after it has reported this many rounds. */
export async function killAfter(
  { child, closed, output }: WriterProcess,
  rounds: number,
): Promise<void> {
  child.stdout.on('data', () => {
    if (output.rounds >= rounds) child.kill('SIGKILL');
  });
  await closed;
}

/** Checks that each group of a killed writer is from a single round and can be replaced. */
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
