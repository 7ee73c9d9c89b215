// Opens and closes a store in a process of its own: BACKEND CONFIG(JSON). Prints `ok`, or the error as JSON.
import { isTroveError } from '@trove/core';

import { openStore } from './support.js';

const [backend = '', config = '{}'] = process.argv.slice(2);
try {
  const store = await openStore({ backend, config: JSON.parse(config) });
  await store.sources.register({
    id: 'c1',
    rootUri: 'file://local/a',
    type: 'file',
    config: null,
  });
  await store.close();
  console.log('ok');
} catch (error) {
  if (!isTroveError(error)) throw error;
  const { code, detail, suggestions } = error;
  console.log(JSON.stringify({ code, detail, suggestions }));
}
