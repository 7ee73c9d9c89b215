import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { hitOf } from './support/samples.js';
import { runTrove } from './support/trove.js';

const test = suite('trove search --explain');

const arm = { rank: 2, score: 4, scaled: 1, weight: 0.65 };
const word = { word: 'rotated', corrected_from: null, chunks: 3, places: ['text'], score: 2.5 };
const explanation = {
  rank: 4,
  ranking_score: 0.66,
  keyword: { ...arm, names: 0, pairs: 0.5 },
  semantic: { rank: null, score: null, scaled: 0.5, weight: 0.35 },
  words: [
    word,
    { ...word, word: 'tokens', corrected_from: 'tokesn', places: ['text', 'title'], score: 1 },
    { ...word, word: 'moon', chunks: 0, places: [], score: 0 },
  ],
  demotion_factor: 0.8,
  copies: 2,
  moved_back: true,
  best_score: 0.9,
  relative_score: 0.92,
  reranker: { rank: 1, score: 7.25 },
};

const marked = () => {
  const { metadata } = hitOf();
  return hitOf({ metadata: { ...metadata, demoted_reason: 'test' }, explanation });
};

test('prints how the rank and the score came about below the hit', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'GET /v1/search': () => ({ results: [marked(), hitOf()] }) });
  const args = ['search', 'tokens', '--explain', '--endpoint', api.endpoint];
  const { code, stdout } = await runTrove(args, { home: home.path });
  assert.is(code, 0);
  assert.is(api.received[0]?.query['explain'], 'true');
  assert.equal(stdout.split('\n').slice(3, 14), [
    '    rank 4 with 0.66 = 0.8 × (0.65 × 1.00 by words + 0.35 × 0.50 by meaning)',
    '    by words: rank 2, 4.000 = rotated 2.500 + tokens 1.000 + adjacent words 0.500',
    '    has rotated (text; in 3 chunks), tokens (text, title; in 3 chunks; for "tokesn")',
    '    lacks moon (in no chunk)',
    '    by meaning: not among the candidates',
    '    demoted by 0.8 (test)',
    '    moved back, because the first hits already have two of this object',
    '    one hit for the same text in 2 other objects',
    '    reranker: rank 4 → 1, with 7.250',
    '    score 0.83 = 0.90 of the best hit × 0.92',
    '',
  ]);
  assert.is(stdout.split('rank 4 with').length, 2, 'a hit without an explanation has no such line');
});

test('names the words whose parts were not computed', async () => {
  await using home = await temporaryHome();
  const words = [
    word,
    { ...word, word: 'the', score: null },
    { ...word, word: 'and', score: null },
  ];
  const keyword = { ...arm, names: 0, pairs: null };
  const results = [hitOf({ explanation: { ...explanation, keyword, words } })];
  await using api = await startApi({ 'GET /v1/search': () => ({ results }) });
  const args = ['search', 'tokens', '--explain', '--endpoint', api.endpoint];
  const { stdout } = await runTrove(args, { home: home.path });
  assert.match(stdout, '    part of the score not computed: the, and\n');
});

test('prints the explanation as JSON', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'GET /v1/search': () => ({ results: [marked()] }) });
  const args = ['search', 'tokens', '--explain', '--json', '--endpoint', api.endpoint];
  const { stdout } = await runTrove(args, { home: home.path });
  assert.equal(JSON.parse(stdout).explanation, explanation);
});

test('leaves out numbers that the caller may not know', async () => {
  await using home = await temporaryHome();
  const hidden = {
    ...explanation,
    ranking_score: null,
    keyword: { rank: 2, score: null, scaled: null, weight: 1, names: null, pairs: null },
    semantic: null,
    words: [{ ...word, chunks: null, score: null }],
    demotion_factor: 1,
    copies: 0,
    moved_back: false,
    reranker: null,
  };
  const results = [hitOf({ explanation: hidden })];
  await using api = await startApi({ 'GET /v1/search': () => ({ results }) });
  const args = ['search', 'tokens', '--explain', '--endpoint', api.endpoint];
  const { stdout } = await runTrove(args, { home: home.path });
  assert.equal(stdout.trimEnd().split('\n').slice(3), [
    '    rank 4',
    '    by words: rank 2',
    '    has rotated (text)',
    '    score 0.83 = 0.90 of the best hit × 0.92',
  ]);
});

test.run();
