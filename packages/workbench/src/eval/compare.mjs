import { chanceOf, meanOf } from './significance.mjs';

/**
 * Returns the changes of a figure between two runs by question set and mode, with a row for each common collection and
 * one for all. Only questions of both runs count.
 */
export function compare(before, now, figure = 'ndcg') {
  const rows = [];
  for (const set of new Set(now.map((row) => row.set))) {
    for (const mode of new Set(now.map((row) => row.mode))) {
      const pairs = now
        .filter((row) => row.set === set && row.mode === mode)
        .flatMap((row) => {
          const other = before.find((each) => keyOf(each) === keyOf(row));
          return other === undefined ? [] : [paired(other, row, figure)];
        })
        .filter(({ differences }) => differences.length > 0);
      if (pairs.length === 0) continue;
      rows.push(...pairs.map((pair) => changeOf(set, mode, [pair])));
      if (pairs.length > 1) rows.push(changeOf(set, mode, pairs));
    }
  }
  return rows;
}

function paired(before, now, figure) {
  const known = new Map(before.figures.map((each) => [each.id, each[figure]]));
  const both = now.figures.filter(({ id }) => known.has(id));
  return {
    collection: now.collection,
    was: both.map(({ id }) => known.get(id)),
    is: both.map((each) => each[figure]),
    differences: both.map((each) => each[figure] - known.get(each.id)),
  };
}

function changeOf(set, mode, pairs) {
  const [only] = pairs;
  return {
    collection: pairs.length === 1 ? only.collection : 'all',
    set,
    mode,
    was: meanOf(pairs.map(({ was }) => meanOf(was))),
    is: meanOf(pairs.map(({ is }) => meanOf(is))),
    chance: chanceOf(pairs.map(({ differences }) => differences)),
  };
}

function keyOf({ collection, set, mode }) {
  return JSON.stringify([collection, set, mode]);
}
