export { entityId, passageId, relationId } from './identity/ids.js';
export { normalizeName } from './identity/names.js';
export { titleOf } from './identity/title.js';
export type * from './retrieval/types.js';
