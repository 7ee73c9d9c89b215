import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CitationList, escapeMarks } from '../src/query/ask/citations.js';
import { narrowLocator } from '../src/query/ask/quote-locator.js';
import { findQuote } from '../src/query/ask/quote-matching.js';

const test = suite('quotes of answers');

function quoted(text: string, quote: string): string | null {
  const span = findQuote(text, quote);
  return span === null ? null : text.slice(span.start, span.end);
}

test('a quote matches without regard to case, white space and typography', () => {
  const text = 'The  “Blue\n  Lamp” burns\tall night – İstanbul, 𝒜lpha.';
  assert.is(quoted(text, 'the "blue lamp" burns'), 'The  “Blue\n  Lamp” burns');
  assert.is(quoted(text, '  lamp” BURNS all night - istanbul '), null, 'İ is not i');
  assert.is(quoted(text, 'all night - İSTANBUL'), 'all night – İstanbul');
  assert.is(quoted(text, 'night – İstanbul, 𝒜lpha'), 'night – İstanbul, 𝒜lpha');
});

test('a quote that differs by a word or a number is not found', () => {
  const text = 'Tokens expire after 15 days, or 1.5 years, from 2020-05-01. The tokens expired.';
  for (const quote of [
    'Tokens expire after 16 days',
    'Tokens never expire',
    '5 days, or 1',
    '5 years, from 2020',
    'or 1.5 years, from 2020-05',
    'okens expire after',
    'The tokens expire',
  ])
    assert.is(quoted(text, quote), null, quote);
  assert.is(quoted(text, '15 days, or 1.5 years'), '15 days, or 1.5 years');
  assert.is(quoted(text, 'the tokens expired'), 'The tokens expired');
});

test('a quote of fewer than two content words proves nothing', () => {
  for (const quote of ['', ' ', '.', 'the', 'of the', 'lamp', 'the lamp'])
    assert.is(quoted('the lamp of the house.', quote), null, quote);
  assert.is(quoted('電気ランプは明るい', 'ランプは明るい'), 'ランプは明るい');
});

test('a locator is narrowed to the lines of a quote', () => {
  const content = 'one two\nthree four\nfive six\n';
  const narrowed = (locator: Record<string, unknown> | null, quote: string) => {
    const span = findQuote(content, quote);
    assert.ok(span !== null, quote);
    return narrowLocator(locator, content, span);
  };
  assert.equal(narrowed({ lines: [10, 12] }, 'three four'), { lines: [11, 11] });
  assert.equal(narrowed({ lines: [10, 12] }, 'two three four five'), { lines: [10, 12] });
  assert.equal(narrowed({ lines: [7, 7], chars: [100, 200] }, 'three four'), {
    lines: [7, 7],
    chars: [108, 118],
  });
  assert.equal(narrowed({ id: 5 }, 'three four'), { id: 5 });
  assert.is(narrowed(null, 'three four'), null);
  // A converted passage may have more lines than its locator.
  assert.equal(narrowed({ lines: [10, 11] }, 'five six'), { lines: [10, 11] });
});

test('equal citations share a number, and other bracketed numbers are escaped', () => {
  const list = new CitationList();
  const passage = {
    source: 'file://local/a.md',
    content: 'one two three',
    score: 1,
    locator: { lines: [1, 1] },
    metadata: undefined as never,
  };
  assert.is(list.add(passage, { start: 0, end: 7 }), '[1]');
  assert.is(list.add(passage, { start: 4, end: 13 }), '[2]');
  assert.is(list.add(passage, { start: 0, end: 7 }), '[1]');
  assert.equal(
    list.items.map(({ id, quote }) => `${id} ${quote}`),
    ['1 one two', '2 two three'],
  );
  assert.is(escapeMarks('see [1] and [2, 3], not [a]'), 'see \\[1\\] and \\[2, 3\\], not [a]');
});

test.run();
