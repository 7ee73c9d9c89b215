import { retrievalOperations } from '@trove/operations';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { retrievalHandlers } from '../src/handlers/retrieval.js';
import { routesOf, type HandlersOf } from '../src/routes/route.js';

/*
 * Handlers are bound by name and typed by their operation. The type check fails if an expected error does not
 * occur.
 */

const test = suite('handlers of operations');
const { search, searchBatch, ask, grep, symbols } = retrievalHandlers;
type Retrieval = HandlersOf<typeof retrievalOperations>;

test('binds each operation to its handler, with its path below the base', () => {
  const routes = routesOf(
    retrievalOperations,
    { search, searchBatch, ask, grep, symbols },
    '/below',
  );
  assert.equal(
    routes.map(({ name, path }) => `${name} ${path}`),
    [
      'search /below/v1/search',
      'searchBatch /below/v1/search/batch',
      'ask /below/v1/ask',
      'grep /below/v1/grep',
      'symbols /below/v1/symbols',
    ],
  );
});

test('refuses a missing, a superfluous and a wrong handler at compile time', () => {
  // @ts-expect-error grep is missing
  const missing: Retrieval = { search, searchBatch, ask, symbols };
  // @ts-expect-error there is no operation `find`
  const superfluous: Retrieval = { search, searchBatch, ask, grep, symbols, find: search };
  // @ts-expect-error the answer of a search is not a text
  const wrong: Retrieval = { search: () => 'a text', searchBatch, ask, grep, symbols };
  const others = { searchBatch, ask, grep, symbols };
  // @ts-expect-error a search has no parameter `limit`
  const unknown: Retrieval = { search: (it, { query }) => it.search(query.limit), ...others };
  assert.is([missing, superfluous, wrong, unknown].length, 4);
});

test.run();
