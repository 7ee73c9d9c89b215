/**
 * Bounds of the work of one search, for any query and any size of the index. A page of ten hits reads 100 candidates by
 * keywords and 100 by vectors. `npm run bench:million` measures the time that this takes.
 */
export const queryCost = {
  candidates: {
    /** Examined at most to find enough distinct hits of late pages. */
    max: 100_000,
    /** Requested for the first pages. Later pages need more steps, each of them larger. */
    firstStep: 100,
    stepGrowth: 4,
    /** Requested per hit at first if only the best chunk of each object counts. */
    perObject: 4,
    /** The same if all chunks count, because some may be copies. */
    perChunk: 2,
  },
  /**
   * Hits read beyond the page, because some may be copies. The second number is used if diversification or demotion may
   * change the page.
   */
  lookaheads: [5, 20],
  /** The same if only the best chunk of each object counts, because other chunks are skipped. */
  lookaheadsPerObject: [15, 50],
  /** Hits searched for other objects to diversify the first ten. Lower hits are not relevant. */
  examinedHits: 100,
  /** Copies of a hit that are checked for existence. */
  liveChecks: 10,
  spelling: {
    /** Words of a query that are corrected. */
    words: 8,
    spellingsPerWord: 2,
    /** Rows with a spelling are counted up to this number. Above it, spellings are equally common. */
    countedRows: 1000,
    /** The most frequent candidate terms of a word, and the texts per term, that are inspected. */
    inspectedTerms: 6,
    inspectedTexts: 20,
  },
  /** Rows with a form of a word are counted up to this number. */
  countedRowsPerForm: 5000,
  explanation: {
    /** Words of a query that are explained. */
    words: 32,
    /** Index searches of one request for the scores of words. A common word may need five, a rare one needs one. */
    searches: 20,
    /** Rows with a word are counted up to this number. */
    countedRows: 10_000,
    /** Candidates of the search for a word. If there are more, the objects of the hits are searched. */
    candidates: 1000,
    sourcesPerSearch: 25,
  },
} as const;
