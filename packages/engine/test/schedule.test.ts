import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import {
  parseSchedule,
  type Schedule,
  type ScheduleKeys,
} from '../src/sources/schedules/schedule.js';

// A zone whose clock changes: on 29 March 2026 from 2:00 to 3:00, on 25 October from 3:00 to 2:00.
process.env['TZ'] = 'Europe/Berlin';

const test = suite('schedules');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse('2026-11-30T00:00:00+01:00');
const sources = Array.from({ length: 200 }, (_, at) => `source-${at}`);

function scheduled(keys: ScheduleKeys): Schedule {
  const schedule = parseSchedule(keys);
  if (schedule === null) throw new Error('no schedule');
  return schedule;
}

/** The times of a source from `from` until `until`. */
function times(schedule: Schedule, id: string, from: number, until: number): number[] {
  const found: number[] = [];
  for (let at = schedule.next(id, from); at < until; at = schedule.next(id, at)) found.push(at);
  return found;
}

const minuteOfDay = (time: number): number =>
  new Date(time).getHours() * 60 + new Date(time).getMinutes();

test('repeats after exactly the interval, at different times for different sources', () => {
  const schedule = scheduled({ every: '1h' });
  const perMinute = new Map<number, number>();
  for (const id of sources) {
    const found = times(schedule, id, start, start + day);
    assert.is(found.length, 24);
    assert.ok(found.every((at, n) => n === 0 || at - (found[n - 1] ?? 0) === hour));
    const begins = Math.floor(((found[0] ?? 0) - start) / minute);
    perMinute.set(begins, (perMinute.get(begins) ?? 0) + 1);
  }
  assert.ok(perMinute.size > 50, `${perMinute.size} different minutes`);
  assert.ok(Math.max(...perMinute.values()) < 15);
});

test('leaves half an interval between the registration and the first time', () => {
  const schedule = scheduled({ every: '1d' });
  for (const id of sources) {
    const wait = schedule.first(id, start) - start;
    assert.ok(wait > day / 2 && wait <= 1.5 * day, `${wait / hour} hours`);
  }
});

test('follows a cron expression in the zone of the server', () => {
  const schedule = scheduled({ cron: '30 6 * * 1-5' });
  const from = Date.parse('2026-03-26T00:00:00+01:00');
  for (const id of sources) {
    const found = times(schedule, id, from, from + 7 * day);
    // Thursday, Friday, and Monday to Wednesday in summer time.
    assert.equal(
      found.map((at) => new Date(at).getDay()),
      [4, 5, 1, 2, 3],
    );
    assert.ok(found.every((at) => minuteOfDay(at) >= 390 && minuteOfDay(at) < 395));
  }
  const begins = new Set(sources.map((id) => schedule.next(id, from)));
  assert.ok(begins.size > 150, `${begins.size} different times`);
});

test('spreads a frequent cron expression over a tenth of its interval', () => {
  const schedule = scheduled({ cron: '*/20 * * * *' });
  for (const id of sources.slice(0, 20)) {
    const found = times(schedule, id, start, start + day);
    assert.is(found.length, 72);
    assert.ok(found.every((at) => at % (20 * minute) < 2 * minute));
  }
});

test('keeps to the hours of the day', () => {
  for (const every of ['15m', '1h', '7h', '12h', '1d']) {
    const schedule = scheduled({ every, hours: '22:00-06:00' });
    for (const id of sources.slice(0, 50)) {
      const found = times(schedule, id, start, start + 14 * day);
      const isInside = found.every((at) => minuteOfDay(at) >= 22 * 60 || minuteOfDay(at) < 6 * 60);
      assert.ok(isInside, `${every} of ${id}`);
      const count = { '15m': 14 * 32, '1h': 14 * 8 }[every];
      if (count === undefined) assert.ok(found.length >= 13 && found.length <= 28, every);
      else assert.is(found.length, count);
    }
  }
});

test('divides long intervals among the days', () => {
  const schedule = scheduled({ every: '7d', hours: '01:00-05:00' });
  const days = new Map<number, number>();
  for (const id of sources) {
    const found = times(schedule, id, start, start + 70 * day);
    assert.is(found.length, 10);
    const weekday = new Date(found[0] ?? 0).getDay();
    days.set(weekday, (days.get(weekday) ?? 0) + 1);
  }
  assert.is(days.size, 7);
});

test('keeps times of a cron expression within the hours', () => {
  const schedule = scheduled({ cron: '59 * * * *', hours: '09:00-17:00' });
  for (const id of sources.slice(0, 20)) {
    const found = times(schedule, id, start, start + day);
    assert.is(found.length, 8);
    const isInside = found.every((at) => minuteOfDay(at) >= 599 && minuteOfDay(at) < 17 * 60);
    assert.ok(isInside, found.map((at) => new Date(at).toString()).join());
  }
});

test('has one time a day when the clock changes', () => {
  const from = Date.parse('2026-03-27T12:00:00+01:00');
  for (const keys of [{ cron: '30 2 * * *' }, { every: '1d', hours: '02:00-02:59' }]) {
    for (const id of sources.slice(0, 50)) {
      const found = times(scheduled(keys), id, from, from + 4 * day);
      assert.ok(found.length >= 3 && found.length <= 4, `${JSON.stringify(keys)}: ${found.length}`);
    }
  }
});

test('is no schedule without its keys', () => {
  assert.is(parseSchedule({}), null);
});

const invalid: readonly [ScheduleKeys, string][] = [
  [{ every: '14m' }, 'config.every: must be a time from 15m to 30d'],
  [{ every: '31d' }, 'config.every: must be a time from 15m to 30d'],
  [{ every: '1 hour' }, 'config.every: must be a time from 15m to 30d'],
  [{ every: 60 }, 'config.every: must be a time from 15m to 30d'],
  [{ every: '1h', cron: '0 * * * *' }, 'config.cron: cannot be combined with `every`'],
  [{ cron: '0 0 * * * *' }, 'config.cron: must have five fields'],
  [{ cron: '@daily' }, 'config.cron: must have five fields'],
  [{ cron: '0 0 30 2 *' }, 'config.cron: has no time'],
  [{ cron: '0 12 * * *', hours: '22:00-06:00' }, 'config.cron: has no time within `hours`'],
  [{ hours: '22:00-06:00' }, 'config.hours: requires `every` or `cron`'],
  [{ every: '1h', hours: '22-6' }, 'config.hours: must be two times of day'],
  [{ every: '1h', hours: '24:00-06:00' }, 'config.hours: must be two times of day'],
  [{ every: '1h', hours: '06:00-06:00' }, 'config.hours: must be two times of day'],
  [{ every: '1h', hours: '06:00-24:30' }, 'config.hours: must be two times of day'],
];

for (const [keys, detail] of invalid) {
  test(`rejects ${JSON.stringify(keys)}`, async () => {
    const error = await rejection(async () => parseSchedule(keys));
    assert.is(error.code, 'config_invalid');
    assert.is(error.detail, detail);
  });
}

test('names the wrong field of a cron expression', async () => {
  const { detail } = await rejection(async () => parseSchedule({ cron: '61 * * * *' }));
  assert.match(detail, /^config\.cron: .*(61|minute)/);
});

test.run();
