import type { HitExplanation, ResultEnvelope } from '@trove/client';

import { formatScore, plural } from '../terminal/numbers.js';

type Word = HitExplanation['words'][number];

/** Returns the explanation of a hit in lines. Empty if the hit has none. */
export function explanationLines({ score, explanation, metadata }: ResultEnvelope): string[] {
  if (explanation === undefined) return [];
  const { rank, keyword, semantic, words } = explanation;
  return [
    `rank ${rank}${sumOf(explanation)}`,
    ...(keyword === null ? [] : [`by words: ${placeOf(keyword)}${partsOf(keyword, words)}`]),
    ...wordLines(words),
    ...unknownPartsLine(keyword, words),
    ...(semantic === null ? [] : [`by meaning: ${placeOf(semantic)}`]),
    ...demotionLine(explanation, metadata.demoted_reason),
    ...(explanation.moved_back
      ? ['moved back, because the first hits already have two of this object']
      : []),
    ...(explanation.copies > 0
      ? [`one hit for the same text in ${plural(explanation.copies, 'other object')}`]
      : []),
    ...rerankerLine(explanation),
    ...(score === null
      ? []
      : [
          `score ${formatScore(score)} = ${formatScore(explanation.best_score)} of the best hit × ${formatScore(explanation.relative_score)}`,
        ]),
  ];
}

/** Returns ` with 0.82 = 0.65 × 1.00 by words + 0.35 × 0.49 by meaning`. */
function sumOf({
  ranking_score: total,
  keyword,
  semantic,
  demotion_factor,
}: HitExplanation): string {
  if (total === null) return '';
  const terms = [
    { arm: keyword, name: 'by words' },
    { arm: semantic, name: 'by meaning' },
  ].flatMap(({ arm, name }) =>
    arm === null || arm.scaled === null
      ? []
      : [`${arm.weight.toFixed(2)} × ${arm.scaled.toFixed(2)} ${name}`],
  );
  const sum = terms.join(' + ');
  const isDemoted = demotion_factor !== 1;
  const product = isDemoted ? `${demotion_factor} × (${sum})` : sum;
  return ` with ${total.toFixed(2)}${terms.length === 0 ? '' : ` = ${product}`}`;
}

function placeOf({ rank, score }: { readonly rank: number | null; readonly score: number | null }) {
  const place = rank === null ? 'not among the candidates' : `rank ${rank}`;
  return score === null ? place : `${place}, ${score.toFixed(3)}`;
}

/** Returns ` = rotated 4.1 + tokens 3.9 + adjacent words 0.5`. */
function partsOf(
  { names, pairs }: NonNullable<HitExplanation['keyword']>,
  words: readonly Word[],
): string {
  const parts = [
    ...words.map(({ word, score }) => ({ name: word, score })),
    { name: 'names', score: names },
    { name: 'adjacent words', score: pairs },
  ].flatMap(({ name, score }) =>
    score === null || score === 0 ? [] : [`${name} ${score.toFixed(3)}`],
  );
  return parts.length === 0 ? '' : ` = ${parts.join(' + ')}`;
}

function wordLines(words: readonly Word[]): string[] {
  const found = words.filter(({ places }) => places.length > 0);
  const missing = words.filter(({ places }) => places.length === 0);
  return [
    ...(found.length === 0 ? [] : [`has ${found.map(describeWord).join(', ')}`]),
    ...(missing.length === 0 ? [] : [`lacks ${missing.map(describeWord).join(', ')}`]),
  ];
}

/** Names the words whose parts of a known score the server did not compute. */
function unknownPartsLine(keyword: HitExplanation['keyword'], words: readonly Word[]): string[] {
  if (keyword === null || keyword.scaled === null) return [];
  const unknown = words.filter(({ score }) => score === null).map(({ word }) => word);
  return unknown.length === 0 ? [] : [`part of the score not computed: ${unknown.join(', ')}`];
}

/** Returns `rotated (text, title; in 12 chunks; for "rotatd")`. */
function describeWord({ word, places, chunks, corrected_from: typed }: Word): string {
  const facts = [
    ...(places.length === 0 ? [] : [places.join(', ')]),
    ...(chunks === null ? [] : [chunks === 0 ? 'in no chunk' : `in ${plural(chunks, 'chunk')}`]),
    ...(typed === null ? [] : [`for "${typed}"`]),
  ];
  return facts.length === 0 ? word : `${word} (${facts.join('; ')})`;
}

function demotionLine(
  { demotion_factor: factor }: HitExplanation,
  reason: string | null,
): string[] {
  return factor === 1 ? [] : [`demoted by ${factor} (${reason ?? 'unknown'})`];
}

function rerankerLine({ rank, reranker }: HitExplanation): string[] {
  if (reranker === null) return [];
  const { rank: newRank, score } = reranker;
  return [`reranker: rank ${rank} → ${newRank}, with ${score.toFixed(3)}`];
}
