import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { figuresOf, judge } from '../src/evaluation/figures.js';

const test = suite('the figures of an evaluation');

test('count the first wanted hit, and each wanted place once', () => {
  assert.equal(judge([], 1), { rank: null, ndcg: 0 });
  assert.equal(judge([[0]], 1), { rank: 1, ndcg: 1 });
  assert.equal(judge([[], [0], [0]], 1), { rank: 2, ndcg: 1 / Math.log2(3) });
  const both = judge([[1], [1], [0]], 2);
  assert.is(both.rank, 1);
  assert.is(both.ndcg, (1 + 1 / 2) / (1 + 1 / Math.log2(3)));
  assert.equal(judge([[0, 1]], 2), { rank: 1, ndcg: 1 }, 'one hit with both places');
});

test('nDCG ignores hits after the tenth, and places beyond ten', () => {
  const late = [...Array.from({ length: 10 }, () => []), [0]];
  assert.equal(judge(late, 1), { rank: 11, ndcg: 0 });
  const all = Array.from({ length: 10 }, (_, at) => [at]);
  assert.equal(judge(all, 12), { rank: 1, ndcg: 1 });
});

test('are means over all questions', () => {
  const judged = [1, 3, 10, 11, null].map((rank) => ({ rank, ndcg: rank === 1 ? 1 : 0 }));
  assert.equal(figuresOf(judged), {
    questions: 5,
    first: 0.2,
    top3: 0.4,
    top10: 0.6,
    mrr: (1 + 1 / 3 + 1 / 10 + 1 / 11) / 5,
    ndcg10: 0.2,
  });
});

test.run();
