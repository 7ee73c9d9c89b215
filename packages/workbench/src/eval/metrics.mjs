/** The number of documents that count for recall and reciprocal rank. */
const cutoff = 10;

/**
 * Returns nDCG@10, recall@10 and MRR@10 of one ranking. `grades` maps judged documents to grades, and a grade above 0
 * is relevant. Gains are linear in the grade, and discounts are logarithmic.
 */
export function judge(ranking, grades) {
  const top = ranking.slice(0, cutoff);
  const relevant = [...grades.values()].filter((grade) => grade > 0);
  const found = top.filter((id) => (grades.get(id) ?? 0) > 0);
  const first = top.findIndex((id) => (grades.get(id) ?? 0) > 0);
  const ideal = gain(relevant.toSorted((a, b) => b - a).slice(0, cutoff));
  return {
    ndcg: ideal === 0 ? 0 : gain(top.map((id) => Math.max(0, grades.get(id) ?? 0))) / ideal,
    recall: relevant.length === 0 ? 0 : found.length / relevant.length,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

function gain(grades) {
  return grades.reduce((sum, grade, rank) => sum + grade / Math.log2(rank + 2), 0);
}

/** Returns the mean of each figure. */
export function mean(figures) {
  const sum = (key) => figures.reduce((total, figure) => total + figure[key], 0);
  const count = Math.max(1, figures.length);
  return { ndcg: sum('ndcg') / count, recall: sum('recall') / count, mrr: sum('mrr') / count };
}
