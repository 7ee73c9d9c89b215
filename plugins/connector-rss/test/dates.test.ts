import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { feedDateOf } from '../src/formats/dates.js';

const test = suite('dates of feeds');
const now = Date.UTC(2026, 10, 29, 12);

function dateOf(text: string): string | null {
  const time = feedDateOf(text, now);
  return time === null ? null : new Date(time).toISOString().replace(':00.000Z', 'Z');
}

test('understands the forms of mails and ISO, with their usual errors', () => {
  const dates = [
    ['Thu, 05 Nov 2026 10:20:00 GMT', '2026-11-05T10:20Z'],
    ['Thu, 5 Nov 2026 10:20:00 +0200', '2026-11-05T08:20Z'],
    ['Fri, 05 Nov 2026 10:20 EST', '2026-11-05T15:20Z'],
    ['5 Nov 26 10:20:00 PDT', '2026-11-05T17:20Z'],
    ['05-Nov-2026 10:20', '2026-11-05T10:20Z'],
    ['Thursday, 5 November 2026 10:20:00 Z', '2026-11-05T10:20Z'],
    ['Do, 05 Dez 2024 10:20:00 +0100', '2024-12-05T09:20Z'],
    ['jeu., 05 août 2024 10:20:00 +0200', '2024-08-05T08:20Z'],
    ['Thu, 05 Sept 2024 10:20:00 GMT', '2024-09-05T10:20Z'],
    ['Thu Nov 5 10:20:00 2026', '2026-11-05T10:20Z'],
    ['November 5, 2026 1:20 pm', '2026-11-05T13:20Z'],
    ['2026-11-05T10:20:00Z', '2026-11-05T10:20Z'],
    ['2026-11-05T10:20:00.123456+02:00', '2026-11-05T08:20Z'],
    ['2026-11-05T10:20:00', '2026-11-05T10:20Z'],
    ['2026-11-05 10:20:00 -0500', '2026-11-05T15:20Z'],
    ['20261105T102000Z', '2026-11-05T10:20Z'],
    ['2026-11-05', '2026-11-05T00:00Z'],
    ['2026-11', '2026-11-01T00:00Z'],
    [' \n Thu, 05 Nov 2026 24:00:00 GMT ', '2026-11-06T00:00Z'],
  ] as const;
  for (const [text, expected] of dates) assert.is(dateOf(text), expected, text);
});

test('ignores dates that cannot be right', () => {
  for (const text of [
    '',
    'soon',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '0001-01-01T00:00:00Z',
    '2026-13-05',
    '2031-01-01T00:00:00Z',
    '45 Nov 2026',
  ])
    assert.is(dateOf(text), null, text);
  assert.is(dateOf('2026-11-29T20:00:00Z'), '2026-11-29T12:00Z', 'a clock that is ahead');
});

test.run();
