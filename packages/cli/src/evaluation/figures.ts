/** How well one question was answered. */
export interface Judgement {
  /** Rank of the first wanted hit, from 1. Null if there is none. */
  readonly rank: number | null;
  /** nDCG of the first ten hits. */
  readonly ndcg: number;
}

/** The figures of several questions. All but `questions` are shares or means from 0 to 1. */
export interface Figures {
  readonly questions: number;
  /** Share of the questions whose first hit is wanted. */
  readonly first: number;
  /** The same for the first three and ten hits. */
  readonly top3: number;
  readonly top10: number;
  /** Mean of 1/rank of the first wanted hit. */
  readonly mrr: number;
  readonly ndcg10: number;
}

const cutoff = 10;

/**
 * Judges a ranking. `matches` contains for each hit the indices of the wanted places that it is. A place counts once, at
 * its first hit. Places that first occur in the same hit count as one.
 */
export function judge(matches: readonly (readonly number[])[], wantedPlaces: number): Judgement {
  const first = matches.findIndex((places) => places.length > 0);
  const seen = new Set<number>();
  const gains = matches.slice(0, cutoff).map((places) => {
    const isNew = places.some((place) => !seen.has(place));
    for (const place of places) seen.add(place);
    return isNew ? 1 : 0;
  });
  const gained = gains.filter((gain) => gain > 0);
  const missing = Array.from({ length: wantedPlaces - seen.size }, () => 1);
  const ideal = [...gained, ...missing].slice(0, cutoff);
  return { rank: first === -1 ? null : first + 1, ndcg: gainOf(gains) / gainOf(ideal) };
}

function gainOf(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

/** Returns the figures of judged questions, at least one. */
export function figuresOf(judgements: readonly Judgement[]): Figures {
  const mean = (valueOf: (judgement: Judgement) => number): number =>
    judgements.reduce((sum, judgement) => sum + valueOf(judgement), 0) / judgements.length;
  const within = (last: number): number =>
    mean(({ rank }) => (rank !== null && rank <= last ? 1 : 0));
  return {
    questions: judgements.length,
    first: within(1),
    top3: within(3),
    top10: within(10),
    mrr: mean(({ rank }) => (rank === null ? 0 : 1 / rank)),
    ndcg10: mean(({ ndcg }) => ndcg),
  };
}
