// The floor of a search: the index queries that a mode needs, asked of LanceDB directly, ten whole hits each.

import { answerWith } from '../child.mjs';
import { lance, openOnlyTable } from './lance.mjs';

const HITS = 10;
/** With these the ten best are the true ten best, except for one in a few hundred. */
const ALL_PARTITIONS = 0;
const REFINE_FACTOR = 2;
/** What is shown of a row. */
const COLUMNS = ['hit', 'source', 'group'];
const modes = {
  keyword: (table, query) => sparse(table, query),
  semantic: (table, query) => dense(table, query),
  hybrid: (table, query) => Promise.all([sparse(table, query), dense(table, query)]),
};

let opened;

answerWith(async ({ database, mode, queries }) => {
  opened ??= await openOnlyTable(database);
  const times = [];
  for (const query of queries) {
    const started = performance.now();
    await modes[mode](opened, query);
    times.push(performance.now() - started);
  }
  return { times };
});

function sparse(table, { terms }) {
  return table
    .query()
    .fullTextSearch(new lance.MatchQuery(terms.join(' '), 'terms'))
    .select([...COLUMNS, '_score'])
    .limit(HITS)
    .toArray();
}

function dense(table, { vector }) {
  return table
    .query()
    .nearestTo(vector)
    .column('vector')
    .distanceType('dot')
    .maximumNprobes(ALL_PARTITIONS)
    .refineFactor(REFINE_FACTOR)
    .select([...COLUMNS, '_distance'])
    .limit(HITS)
    .toArray();
}
