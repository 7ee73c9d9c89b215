import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PartialAnswer } from '../src/query/ask/partial-answer.js';

const test = suite('partial answers');

const statements = [
  { text: 'A "quote" \\ and }]', citations: [{ passage: 1, quote: '{"[\\\\' }] },
  { text: 'Ünïcode 😀', citations: [] },
  {
    text: '',
    citations: [
      { passage: 2, quote: 'x' },
      { passage: 3, quote: '\n' },
    ],
  },
];
const answer = { found: true, statements };

/** Returns the results of the pieces that complete a statement. */
function results(pieces: readonly string[]): unknown[] {
  const partial = new PartialAnswer();
  return pieces.map((piece) => partial.push(piece)).filter((result) => result !== null);
}

test('returns the statements so far when one is complete, for any split', () => {
  for (const text of [JSON.stringify(answer), JSON.stringify(answer, null, 2)]) {
    assert.equal(
      results(text.split('')),
      [1, 2, 3].map((count) => ({ found: true, statements: statements.slice(0, count) })),
    );
    for (let size = 2; size < 40; size++) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      assert.equal(results(pieces).at(-1), answer, `in pieces of ${size}`);
    }
    assert.equal(results([text]), [answer]);
  }
});

test('returns nothing for other JSON and for no JSON', () => {
  for (const text of [
    '{"a": {"b": [{}]}}',
    '[{"a": 1}]',
    '{"a": 1}',
    '}]{[{}',
    'no "JSON',
    '{x [{}',
  ])
    assert.equal(results(text.split('')), [], text);
});

test('reads at most 20 statements', () => {
  const many = JSON.stringify({ statements: Array.from({ length: 50 }, () => ({})) });
  assert.is(results(many.split('')).length, 20);
  assert.is(Object(results([many]).at(-1)).statements.length, 20);
});

test.run();
