// The floor of a search: the index queries of a mode directly in LanceDB, with ten whole hits each.

import { answerWith } from '../child.mjs';
import { lance, openOnlyTable } from './lance.mjs';

const hits = 10;
/** With these, the ten best are the true ten best, except for one in a few hundred. */
const allPartitions = 0;
const refineFactor = 2;
/** The displayed columns of a row. */
const columns = ['hit', 'source', 'group'];
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
    .select([...columns, '_score'])
    .limit(hits)
    .toArray();
}

function dense(table, { vector }) {
  return table
    .query()
    .nearestTo(vector)
    .column('vector')
    .distanceType('dot')
    .maximumNprobes(allPartitions)
    .refineFactor(refineFactor)
    .select([...columns, '_distance'])
    .limit(hits)
    .toArray();
}
