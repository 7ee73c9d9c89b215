// The same app with its own ranker, which prefers recent files: node recent-first.js FOLDER "QUESTION" [HOME]
import { createTrove } from 'trove';
import { provide, RankerToken } from 'trove/di';

const [folder = '.', question = 'how do I start?', home] = process.argv.slice(2);
const month = 30 * 24 * 60 * 60 * 1000;

/** @type {import('trove/di').Ranker} */
const recentFirst = {
  // Halves the scores of the fifty best hits for each month of the file's age.
  window: 50,
  rank: (hits) =>
    hits.map(({ score, metadata }) => {
      const age = Date.now() - Date.parse(metadata.modified_at ?? '1970-01-01');
      return (score ?? 0) * 0.5 ** (Math.max(0, age) / month);
    }),
};

const trove = await createTrove({
  ...(home === undefined ? {} : { home }),
  override: [provide(RankerToken, { useValue: recentFirst })],
});
try {
  await trove.add({ target: folder, process: true });
  const { results } = await trove.search({ q: question, path: folder, top_k: 5, collapse: true });
  for (const { source, score, metadata } of results) {
    console.log(`${metadata.modified_at?.slice(0, 10)}  ${score?.toFixed(2)}  ${source}`);
  }
} finally {
  await trove.close();
}
