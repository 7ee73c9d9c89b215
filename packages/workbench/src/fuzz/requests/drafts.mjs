import * as fc from 'fast-check';

import { hostileDrafts } from './hostile.mjs';
import { nearlyValidDrafts } from './nearly-valid.mjs';
import { validDrafts } from './valid.mjs';

/** Operations that affect other requests. */
const changing = new Set(['addSource', 'scheduleConnector', 'removeConnector', 'cancelJob']);

/** Generates requests to any route. `quiet`: only requests that change nothing. */
export function anyDraft({ operations }, { quiet }) {
  const chosen = operations.filter(({ id }) => !quiet || !changing.has(id));
  if (chosen.length === 0) throw new Error('the document has no operation');
  return fc.oneof(...chosen.map(draftsOf));
}

function draftsOf(operation) {
  return fc.oneof(
    { weight: 3, arbitrary: validDrafts(operation) },
    { weight: 3, arbitrary: nearlyValidDrafts(operation) },
    { weight: 4, arbitrary: hostileDrafts(operation) },
  );
}
