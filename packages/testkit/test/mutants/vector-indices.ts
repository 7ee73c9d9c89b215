import type { Filter } from '@trove/core';
import type { Candidate, Collection, IndexHit, IndexRow, RowIdentity } from '@trove/core/index';

import { asking, seeing, without } from './changed-queries.js';
import { bound, mutated, mutatedIndex, type Open } from './mutated-index.js';

const live = { signal: new AbortController().signal };

/** For each case, an index that fails only this case. A row's id is its key in the memory index. */
export const vectorIndexMutants: Readonly<Record<string, () => Open>> = {
  'digest-of-content': mutated((good) => ({
    identify: async (keys) =>
      (await good.identify(keys)).map((each) => each && { ...each, digest: each.id }),
  })),
  'knows-fields': mutated((good) => ({
    hasField: async (name, scope) => (await good.sampleFields(scope)).includes(name),
  })),
  'rows-come-back-whole': mutated((good) => ({
    rows: async (group) => (await good.rows(group)).map((row) => ({ ...row, locator: null })),
  })),
  'rows-by-ordinal': mutated((good) => ({
    rows: async (group) =>
      (await good.rows(group)).sort((a, b) => (`${a.ordinal}` < `${b.ordinal}` ? -1 : 1)),
  })),
  'fetch-whole-hits': mutated((good) => ({
    fetch: async (keys) => (await good.fetch(keys)).map((hit) => hit && { ...hit, title: null }),
  })),
  'fetch-in-order': mutated((good) => ({ fetch: (keys) => good.fetch([...keys].sort()) })),
  'identify-demoted-reason': mutated((good) => ({
    identify: async (keys) =>
      (await good.identify(keys)).map((each) => each && { ...each, demotedReason: null }),
  })),
  'identify-in-order': mutated((good) => {
    const known = new Map<string, RowIdentity>();
    return {
      identify: async (keys) => {
        const identities = await good.identify(keys);
        return keys.map((key, at) => {
          const identity = identities[at] ?? known.get(key) ?? null;
          if (identity !== null) known.set(key, identity);
          return identity;
        });
      },
    };
  }),
  'replace-leaves-nothing': mutated((good) => {
    const everWritten = new Map<string, IndexHit>();
    return {
      replace: async (groups, options) => {
        await good.replace(groups, options);
        const ids = groups.flatMap(({ rows }) => rows.map(({ id }) => id));
        for (const hit of await good.fetch(ids)) if (hit) everWritten.set(hit.id, hit);
      },
      fetch: async (keys) => keys.map((key) => everWritten.get(key) ?? null),
    };
  }),
  'replace-again': mutated((good) => ({
    replace: async (groups, options) => {
      for (const { group, rows } of groups) {
        const old = (await good.rows(group)).map(({ id }) => id).join();
        const isSame = rows.length > 0 && old === rows.map(({ id }) => id).join();
        await good.replace([{ group, rows: isSame ? [...rows, ...rows] : rows }], options);
      }
      if (groups.length === 0) await good.replace(groups, options);
    },
  })),
  'replace-new': mutated((good) => ({
    replace: (groups, options) =>
      good.replace(
        groups.filter(({ isNew }) => isNew !== true),
        options,
      ),
  })),
  'replace-by-nothing': mutated((good) => ({
    replace: async (groups, options) => {
      if (groups.some(({ rows }) => rows.length > 0)) await good.replace(groups, options);
    },
  })),
  'replace-many': mutated((good) => ({
    replace: (groups, options) => good.replace(groups.slice(0, 256), options),
  })),
  'replace-keeps-others': mutated((good) => {
    const known = new Set<string>();
    return {
      replace: async (groups, options) => {
        await good.replace(groups, options);
        const written = groups.map(({ group }) => group);
        const gone = [...known].filter(
          (name) => !written.includes(name) && written.some((group) => name.startsWith(group)),
        );
        await good.replace(
          gone.map((group) => ({ group, rows: [] })),
          live,
        );
        for (const group of written) known.add(group);
      },
    };
  }),
  'odd-names': mutated((good) => ({
    rows: async (group) => (group.includes("'") ? [] : good.rows(group)),
  })),
  'aborted-writes-nothing': mutated((good) => ({
    replace: (groups) => good.replace(groups, live),
  })),
  'empty-answers': mutated((good) => ({
    search: async (query) => {
      if ((await good.count()) === 0) throw new Error('There is no index yet');
      return good.search(query);
    },
  })),
  'dense-by-cosine': mutated((good) => ({
    search: async (query) => {
      const { dense, sparse } = await good.search(query);
      return { dense: dense.map((hit) => ({ ...hit, score: hit.score / 2 })), sparse };
    },
  })),
  'without-vector': mutated((good) => {
    let last: readonly IndexRow[] = [];
    return {
      replace: async (groups, options) => {
        await good.replace(groups, options);
        last = groups.flatMap(({ rows }) => rows).filter(({ vector }) => vector === null);
      },
      search: async (query) => {
        const { dense, sparse } = await good.search(query);
        const more = last.map(({ id }) => ({ key: id, score: 0 }));
        return { dense: [...dense, ...more].slice(0, query.candidates), sparse };
      },
    };
  }),
  'sparse-by-bm25': mutated((good) => ({
    search: async (query) => {
      const { dense, sparse } = await good.search(query);
      const [first, second, ...rest] = sparse;
      const isSwapped = (query.sparse?.terms.length ?? 0) > 1 && first && second && rest.length > 0;
      return { dense, sparse: isSwapped ? [second, first, ...rest] : sparse };
    },
  })),
  'sparse-sums': mutated((good) => ({
    search: async (query) => {
      const { dense, sparse } = await good.search(query);
      const share = 1 / Math.max(1, new Set(query.sparse?.terms).size);
      return { dense, sparse: sparse.map((each) => ({ ...each, score: share * each.score })) };
    },
  })),
  'sparse-repeats': asking((query) => ({
    ...query,
    ...(query.sparse && {
      sparse: { ...query.sparse, terms: [...new Set(query.sparse.terms)] },
    }),
  })),
  'sparse-any-term': asking((query) => ({
    ...query,
    ...(query.sparse && {
      sparse: { ...query.sparse, terms: query.sparse.terms.map((term) => term.toLowerCase()) },
    }),
  })),
  'pairs-add': asking((query) => ({ ...query, pairWeight: 0 })),
  'pairs-find-nothing': mutated((good) => {
    const written: IndexRow[] = [];
    return {
      replace: async (groups, options) => {
        await good.replace(groups, options);
        written.push(...groups.flatMap(({ rows }) => rows));
      },
      search: async (query) => {
        const { dense, sparse } = await good.search(query);
        const isAsked = ({ pairs }: IndexRow) => query.sparse?.pairs.includes(pairs) === true;
        const more = written
          .filter((each) => isAsked(each) && !sparse.some(({ key }) => key === each.id))
          .map(({ id }) => ({ key: id, score: 0 }));
        return { dense, sparse: [...sparse, ...more] };
      },
    };
  }),
  'arms-apart': mutated((good) => ({
    search: async (query) => {
      const { dense, sparse } = await good.search(query);
      return { dense: query.vector === undefined ? sparse : dense, sparse };
    },
  })),
  'one-key': mutated((good) => {
    const plain = (keys: readonly string[]) => keys.map((key) => key.replace(/^dense /, ''));
    return {
      search: async (query) => {
        const { dense, sparse } = await good.search(query);
        return { dense: dense.map((hit) => ({ ...hit, key: `dense ${hit.key}` })), sparse };
      },
      identify: (keys) => good.identify(plain(keys)),
      fetch: (keys) => good.fetch(plain(keys)),
    };
  }),
  'best-candidates': asking((query) => ({ ...query, candidates: query.candidates + 1 })),
  'equal-scores': mutated((good) => ({
    search: async (query) => {
      const all = await good.search({ ...query, candidates: query.candidates + 1 });
      const { dense, sparse } = await good.search(query);
      const [next, last] = [all.sparse[query.candidates], sparse.at(-1)];
      const isTie = next !== undefined && next.score === last?.score;
      return { dense, sparse: isTie ? [...sparse.slice(0, -1), next] : sparse };
    },
  })),
  'within-a-scope': asking((query) => without(query, 'scope')),
  'below-a-source': asking((query) => {
    const { sourcePrefix, within } = query;
    if (sourcePrefix === undefined || within !== undefined) return query;
    const filter: Filter = { op: 'like', field: 'path', pattern: `${sourcePrefix}%` };
    return { ...without(query, 'sourcePrefix'), filter };
  }),
  'within-sources': seeing((uris) => (uris.length < 9 ? uris.slice(0, 1) : uris)),
  'within-many-sources': seeing((uris) => uris.slice(0, 500)),
  'of-kinds': asking((query) => ({
    ...query,
    ...(query.kinds && { kinds: query.kinds.slice(0, 1) }),
  })),
  filters: asking((query) => ({
    ...query,
    ...(query.filter && { filter: withoutAbsent(query.filter) }),
  })),
  'limits-come-first': mutated((good) => ({
    search: async (query) => {
      const passing = await good.search({ ...query, candidates: Infinity });
      const all = await good.search(without(query, 'filter'));
      const isIn = (hits: typeof all.dense) => {
        const keys = new Set(hits.map(({ key }) => key));
        return ({ key }: Candidate) => keys.has(key);
      };
      return {
        dense: all.dense.filter(isIn(passing.dense)),
        sparse: all.sparse.filter(isIn(passing.sparse)),
      };
    },
  })),
  counts: mutated((good) => ({
    count: (scope) => {
      const { filter: _, ...rest } = scope ?? {};
      return good.count(rest);
    },
  })),
  'counts-groups': mutated((good) => ({
    groups: (scope, take) => {
      const met = new Set<string>();
      return good.groups(scope, async (groups) => {
        await take(new Map([...groups].filter(([group]) => !met.has(group))));
        for (const group of groups.keys()) met.add(group);
      });
    },
  })),
  'other-scopes': mutated((good) => ({
    otherScopes: async (known) =>
      (await good.otherScopes(known)).filter((scope) => scope !== 'two'),
  })),
  'removes-a-scope': mutated((good) => ({
    removeScope: async (scope) => {
      await good.removeScope(scope);
      await good.removeScope(scope.charAt(0).toUpperCase() + scope.slice(1));
    },
  })),
  'optimize-changes-nothing': mutated((good) => ({
    optimize: () => good.replace([{ group: 'group 7', rows: [] }], live),
  })),
  'fresh-rows-are-found': mutated((good) => {
    let isOptimized = false;
    const unseen = new Set<string>();
    return {
      optimize: async () => {
        isOptimized = true;
      },
      replace: async (groups, options) => {
        await good.replace(groups, options);
        if (isOptimized) for (const { id } of groups.flatMap(({ rows }) => rows)) unseen.add(id);
      },
      search: async (query) => {
        const { dense, sparse } = await good.search(query);
        const isSeen = ({ key }: Candidate): boolean => !unseen.has(key);
        return { dense: dense.filter(isSeen), sparse: sparse.filter(isSeen) };
      },
    };
  }),
  'writes-visible-everywhere': mutated((good) => {
    const cache = new Map<string, ReturnType<Collection['search']>>();
    return {
      replace: async (groups, options) => {
        await good.replace(groups, options);
        cache.clear();
      },
      removeScope: async (scope) => {
        await good.removeScope(scope);
        cache.clear();
      },
      search: (query) => {
        const key = JSON.stringify(query);
        const found = cache.get(key) ?? good.search(query);
        cache.set(key, found);
        return found;
      },
    };
  }),
  'writers-at-once': mutated((good) => ({
    replace: async (groups, options) => {
      options.signal.throwIfAborted();
      const merged = await Promise.all(
        groups.map(async ({ group, rows }) => {
          const old = new Set((await good.rows(group)).map(({ id }) => id));
          await new Promise((resolve) => setImmediate(resolve));
          const meanwhile = (await good.rows(group)).filter(({ id }) => !old.has(id));
          return { group, rows: [...rows, ...meanwhile] };
        }),
      );
      await good.replace(merged, options);
    },
  })),
  stays: mutatedIndex((good) => {
    const written = new Map<Collection, Set<string>>();
    return {
      collection: async (spec) => {
        const collection = await good.collection(spec);
        const groups = written.get(collection) ?? new Set<string>();
        written.set(collection, groups);
        return {
          ...bound(collection),
          replace: async (given, options) => {
            await collection.replace(given, options);
            for (const { group } of given) groups.add(group);
          },
        };
      },
      close: async () => {
        for (const [collection, groups] of written) {
          await collection.replace(
            [...groups].map((group) => ({ group, rows: [] })),
            live,
          );
        }
      },
    };
  }),
  'refuses-other-vectors': mutatedIndex((good) => ({
    collection: (spec) => good.collection({ ...spec, embedding: 'any' }),
  })),
  'collections-apart': mutatedIndex((good) => ({
    drop: async () => {
      for (const name of await good.collections()) await good.drop(name);
    },
  })),
  'counts-terms': mutated((good) => ({
    frequencies: (terms, { maxCount, within }) =>
      good.frequencies(terms, { maxCount, ...(within && { within }) }),
  })),
  'size-grows': mutatedIndex(() => ({ size: async () => 4096 })),
  'compact-keeps-rows': mutated((good) => ({
    compact: () => good.replace([{ group: 'three', rows: [] }], live),
  })),
  'dropped-by-others': mutatedIndex((good) => {
    const opened = new Map<string, Promise<Collection>>();
    return {
      collection: (spec) => {
        const key = JSON.stringify(spec);
        const collection = opened.get(key) ?? good.collection(spec);
        opened.set(key, collection);
        return collection;
      },
      drop: async (name) => {
        opened.clear();
        await good.drop(name);
      },
    };
  }),
};

/** Evaluates `!=` like SQL, where it is not true for an absent value. */
function withoutAbsent(filter: Filter): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { op: filter.op, filters: filter.filters.map(withoutAbsent) };
    case 'not':
      return { op: 'not', filter: withoutAbsent(filter.filter) };
    case 'compare': {
      if (filter.comparison !== '!=') return filter;
      const isAbsent: Filter = { ...filter, comparison: '=', value: null };
      return { op: 'and', filters: [filter, { op: 'not', filter: isAbsent }] };
    }
    default:
      return filter;
  }
}
