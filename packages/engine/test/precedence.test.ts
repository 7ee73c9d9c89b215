import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { Callers } from '../src/precedence/callers.js';
import { YieldingLane } from '../src/precedence/yielding-lane.js';

const test = suite('callers before what is indexed');
/** So much of it at once keeps what does it busy. */
const AT_ONCE = 4;
/** How long each piece of work takes here. */
const WORK_MS = 10;
const SECOND = 1000;

/** Time that passes only when the test says so. */
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
  readonly callers: Callers;
  readonly lane: YieldingLane;
  /** When each piece of work began. */
  readonly begun: number[];
  /** Hands so many pieces of work to the lane. */
  readonly queue: (pieces: number, signal?: AbortSignal) => Promise<unknown>;
}

/** `enough`: so many callers keep the processors busy. */
function setting(enough = 1): Setting {
  const clock = new TestClock();
  const callers = new Callers(clock, enough);
  const lane = new YieldingLane(callers, AT_ONCE, clock);
  const begun: number[] = [];
  const piece = async (): Promise<void> => {
    begun.push(clock.now());
    await clock.wait(WORK_MS);
  };
  const queue = (pieces: number, signal?: AbortSignal): Promise<unknown> =>
    Promise.all(Array.from({ length: pieces }, () => lane.run(piece, { signal })));
  return { clock, callers, lane, begun, queue };
}

test('while nobody waits, as much begins as can go on at once, and more whenever some has ended', async () => {
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

test('of much that waits while nobody does, little goes on once callers come', async () => {
  const { clock, callers, begun, queue } = setting();
  const done = queue(100);
  await turn();
  const asked = callers.during(() => clock.wait(SECOND));
  await clock.pass(SECOND);
  // Those that had begun, and one in 40 ms from the end of the last of them on.
  assert.ok(begun.length <= AT_ONCE + SECOND / (4 * WORK_MS), String(begun));
  await asked;
  await clock.pass(SECOND);
  await done;
});

test('while a caller waits, work goes on one at a time and for a quarter of the time', async () => {
  const { clock, callers, begun, queue } = setting();
  const asked = callers.during(() => clock.wait(SECOND));
  const done = queue(5);
  await clock.pass(SECOND / 2);
  assert.equal(begun, [0, 40, 80, 120, 160]);
  await done;
  await clock.pass(SECOND / 2);
  await asked;
});

test('while callers queue, work goes on for a tenth of the time', async () => {
  const { clock, callers, begun, queue } = setting(2);
  const asked = Array.from({ length: 16 }, (_, at) =>
    callers.during(() => clock.wait(at === 0 ? SECOND / 2 : SECOND)),
  );
  const done = queue(8);
  await clock.pass(SECOND);
  // Once there are fewer, the share is a quarter again.
  assert.equal(begun, [0, 100, 200, 300, 400, 500, 540, 580]);
  await done;
  await Promise.all(asked);
});

test('short pieces of work get the same share', async () => {
  const { clock, callers, lane } = setting();
  void callers.during(() => clock.wait(SECOND));
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

test('soon after the last answer, all that is left begins', async () => {
  const { clock, callers, begun, queue } = setting();
  void callers.during(() => clock.wait(100));
  const done = queue(20);
  await clock.pass(100);
  assert.equal(begun, [0, 40, 80]);
  await clock.pass(100);
  assert.is(begun.length, 20);
  await clock.pass(100);
  await done;
});

test('between the calls of a client that asks again at once, work does not begin', async () => {
  const { clock, callers, begun, queue } = setting();
  for (let call = 0; call < 10; call++) {
    void callers.during(() => clock.wait(20));
    if (call === 0) void queue(20);
    await clock.pass(22);
  }
  assert.ok(begun.length <= 7, String(begun));
  await clock.pass(SECOND);
  assert.is(begun.length, 20);
});

test('fewer callers than keep the processors busy hold up nothing', async () => {
  const { clock, callers, begun, queue } = setting(2);
  void callers.during(() => clock.wait(SECOND));
  void queue(3);
  await turn();
  assert.equal(begun, [0, 0, 0]);
  void callers.during(() => clock.wait(SECOND));
  void queue(3);
  await clock.pass(WORK_MS);
  assert.equal(begun, [0, 0, 0]);
  await clock.pass(2 * SECOND);
  assert.is(begun.length, 6);
});

test('a call that takes long waits for something else, and holds up nothing any more', async () => {
  const { clock, callers, begun, queue } = setting();
  void callers.during(() => clock.wait(60 * SECOND));
  await clock.pass(6 * SECOND);
  void queue(3);
  await turn();
  assert.is(begun.length, 3);
  await clock.pass(60 * SECOND);
});

test('a long piece of work is not followed by a rest of minutes', async () => {
  const { clock, callers, lane, begun, queue } = setting();
  void callers.during(async () => {
    for (let at = 0; at < 100; at++) {
      void callers.during(() => clock.wait(SECOND));
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

test('what is to end begins at once, and holds up the rest no longer than it takes', async () => {
  const { clock, callers, begun, queue } = setting();
  const controller = new AbortController();
  void callers.during(() => clock.wait(SECOND));
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

test('pieces of several names take turns', async () => {
  const { clock, lane } = setting();
  const begun: string[] = [];
  const piece = (name: string) => async (): Promise<void> => {
    begun.push(name);
    await clock.wait(WORK_MS);
  };
  const run = (name: string, pieces: number): Promise<unknown> =>
    Promise.all(Array.from({ length: pieces }, () => lane.run(piece(name), { of: name })));
  const done = Promise.all([run('large', AT_ONCE + 6), run('small', 2), run('other', 1)]);
  await clock.pass(SECOND);
  await done;
  const turns = ['large', 'small', 'other', 'large', 'small', 'large', 'large', 'large', 'large'];
  assert.equal(begun.slice(AT_ONCE), turns);
});

test('what is urgent begins before what waits, and does not rest', async () => {
  const { clock, callers, lane, begun, queue } = setting();
  void callers.during(() => clock.wait(SECOND));
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

test('work that fails rests like any other', async () => {
  const { clock, callers, lane, begun, queue } = setting();
  void callers.during(() => clock.wait(SECOND));
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
