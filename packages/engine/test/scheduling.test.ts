import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { LoadMonitor } from '../src/generations/scheduling/load-monitor.js';
import { BackgroundQueue } from '../src/generations/scheduling/background-queue.js';

const test = suite('callers before indexing');
/** The number of items that run concurrently while no callers wait. */
const AT_ONCE = 4;
/** The duration of each item. */
const WORK_MS = 10;
const SECOND = 1000;

/** A clock that only the test advances. */
class TestClock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly ring: () => void }>();

  readonly now = (): number => this.#now;

  readonly wait = (ms: number): Promise<void> =>
    new Promise((ring) => this.#timers.add({ at: this.#now + Math.max(0, ms), ring }));

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await turn();
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.ring();
    }
    this.#now = until;
  }
}

interface Setting {
  readonly clock: TestClock;
  readonly callers: LoadMonitor;
  readonly lane: BackgroundQueue;
  /** The start time of each item. */
  readonly begun: number[];
  /** Queues this number of items. */
  readonly queue: (pieces: number, signal?: AbortSignal) => Promise<unknown>;
}

/** `enough`: the number of callers that use all processors. */
function setting(enough = 1): Setting {
  const clock = new TestClock();
  const callers = new LoadMonitor(clock, enough);
  const lane = new BackgroundQueue(callers, AT_ONCE, clock);
  const begun: number[] = [];
  const piece = async (): Promise<void> => {
    begun.push(clock.now());
    await clock.wait(WORK_MS);
  };
  const queue = (pieces: number, signal?: AbortSignal): Promise<unknown> =>
    Promise.all(Array.from({ length: pieces }, () => lane.run(piece, { signal })));
  return { clock, callers, lane, begun, queue };
}

test('without callers, runs as many pieces at once as allowed', async () => {
  const { clock, begun, queue } = setting();
  const done = queue(2 * AT_ONCE + 1);
  await turn();
  assert.equal(begun, [0, 0, 0, 0]);
  await clock.pass(WORK_MS);
  assert.equal(begun.slice(AT_ONCE), [WORK_MS, WORK_MS, WORK_MS, WORK_MS]);
  await clock.pass(2 * WORK_MS);
  assert.equal(begun.slice(2 * AT_ONCE), [2 * WORK_MS]);
  await done;
});

test('starts few of the waiting pieces once callers come', async () => {
  const { clock, callers, begun, queue } = setting();
  const done = queue(100);
  await turn();
  const asked = callers.track(() => clock.wait(SECOND));
  await clock.pass(SECOND);
  // The running items, then one item per 40 ms after the last of them has ended.
  assert.ok(begun.length <= AT_ONCE + SECOND / (4 * WORK_MS), String(begun));
  await asked;
  await clock.pass(SECOND);
  await done;
});

test('runs one piece at a time, a quarter of the time, while a caller waits', async () => {
  const { clock, callers, begun, queue } = setting();
  const asked = callers.track(() => clock.wait(SECOND));
  const done = queue(5);
  await clock.pass(SECOND / 2);
  assert.equal(begun, [0, 40, 80, 120, 160]);
  await done;
  await clock.pass(SECOND / 2);
  await asked;
});

test('while callers queue, work runs a tenth of the time', async () => {
  const { clock, callers, begun, queue } = setting(2);
  const asked = Array.from({ length: 16 }, (_, at) =>
    callers.track(() => clock.wait(at === 0 ? SECOND / 2 : SECOND)),
  );
  const done = queue(8);
  await clock.pass(SECOND);
  // With fewer callers, the share is a quarter again.
  assert.equal(begun, [0, 100, 200, 300, 400, 500, 540, 580]);
  await done;
  await Promise.all(asked);
});

test('short pieces get the same share', async () => {
  const { clock, callers, lane } = setting();
  void callers.track(() => clock.wait(SECOND));
  let done = 0;
  const piece = async (): Promise<void> => {
    await clock.wait(1);
    done++;
  };
  for (let at = 0; at < 20; at++) void lane.run(piece);
  await clock.pass(40);
  assert.is(done, 10);
  await clock.pass(SECOND);
});

test('starts all remaining pieces soon after the last answer', async () => {
  const { clock, callers, begun, queue } = setting();
  void callers.track(() => clock.wait(100));
  const done = queue(20);
  await clock.pass(100);
  assert.equal(begun, [0, 40, 80]);
  await clock.pass(100);
  assert.is(begun.length, 20);
  await clock.pass(100);
  await done;
});

test('starts no piece between the calls of a client that calls in a row', async () => {
  const { clock, callers, begun, queue } = setting();
  for (let call = 0; call < 10; call++) {
    void callers.track(() => clock.wait(20));
    if (call === 0) void queue(20);
    await clock.pass(22);
  }
  assert.ok(begun.length <= 7, String(begun));
  await clock.pass(SECOND);
  assert.is(begun.length, 20);
});

test('few callers do not delay work while processors are free', async () => {
  const { clock, callers, begun, queue } = setting(2);
  void callers.track(() => clock.wait(SECOND));
  void queue(3);
  await turn();
  assert.equal(begun, [0, 0, 0]);
  void callers.track(() => clock.wait(SECOND));
  void queue(3);
  await clock.pass(WORK_MS);
  assert.equal(begun, [0, 0, 0]);
  await clock.pass(2 * SECOND);
  assert.is(begun.length, 6);
});

test('a very long call no longer delays work', async () => {
  const { clock, callers, begun, queue } = setting();
  void callers.track(() => clock.wait(60 * SECOND));
  await clock.pass(6 * SECOND);
  void queue(3);
  await turn();
  assert.is(begun.length, 3);
  await clock.pass(60 * SECOND);
});

test('limits the rest after a long piece', async () => {
  const { clock, callers, lane, begun, queue } = setting();
  void callers.track(async () => {
    for (let at = 0; at < 100; at++) {
      void callers.track(() => clock.wait(SECOND));
      await clock.wait(SECOND);
    }
  });
  const long = lane.run(() => clock.wait(60 * SECOND));
  void queue(1);
  await clock.pass(64 * SECOND);
  await long;
  assert.equal(begun, [63 * SECOND]);
  await clock.pass(60 * SECOND);
});

test('starts aborted pieces at once and then continues with the others', async () => {
  const { clock, callers, begun, queue } = setting();
  const controller = new AbortController();
  void callers.track(() => clock.wait(SECOND));
  void queue(1);
  void queue(3, controller.signal);
  void queue(1);
  await turn();
  assert.is(begun.length, 1);
  controller.abort();
  await turn();
  assert.is(begun.length, 4);
  await clock.pass(SECOND / 2);
  assert.is(begun.length, 5);
  void queue(2, controller.signal);
  await turn();
  assert.is(begun.length, 7);
  await clock.pass(SECOND);
});

test('pieces with different names take turns', async () => {
  const { clock, lane } = setting();
  const begun: string[] = [];
  const piece = (name: string) => async (): Promise<void> => {
    begun.push(name);
    await clock.wait(WORK_MS);
  };
  const run = (name: string, pieces: number): Promise<unknown> =>
    Promise.all(Array.from({ length: pieces }, () => lane.run(piece(name), { group: name })));
  const done = Promise.all([run('large', AT_ONCE + 6), run('small', 2), run('other', 1)]);
  await clock.pass(SECOND);
  await done;
  const turns = ['large', 'small', 'other', 'large', 'small', 'large', 'large', 'large', 'large'];
  assert.equal(begun.slice(AT_ONCE), turns);
});

test('starts an urgent piece before waiting ones, without a rest', async () => {
  const { clock, callers, lane, begun, queue } = setting();
  void callers.track(() => clock.wait(SECOND));
  const done = queue(3);
  await clock.pass(WORK_MS + 1);
  const urgent = lane.run(() => clock.wait(WORK_MS), { isUrgent: true });
  await clock.pass(WORK_MS);
  await urgent;
  assert.equal(begun, [0]);
  await clock.pass(SECOND);
  await done;
  assert.equal(begun, [0, 51, 91]);
});

test('a failed piece is followed by the same rest', async () => {
  const { clock, callers, lane, begun, queue } = setting();
  void callers.track(() => clock.wait(SECOND));
  const failing = lane.run(async () => {
    await clock.wait(WORK_MS);
    throw new Error('no');
  });
  failing.catch(() => undefined);
  void queue(1);
  await clock.pass(SECOND / 2);
  assert.equal(begun, [40]);
  assert.is(await failing.catch((error: unknown) => String(error)), 'Error: no');
  await clock.pass(SECOND);
});

test.run();
