export { entityId, passageId, relationId } from './identity/ids.js';
export { normalizeName } from './identity/names.js';
export { titleOf } from './identity/title.js';
export { ruleTriplets } from './extraction/rules.js';
export { createRetriever } from './retrieval/index.js';
export type * from './retrieval/types.js';
