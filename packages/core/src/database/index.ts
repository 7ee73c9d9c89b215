/** For plugins over a database: how messages name it, what its failures mean, and how it stores any text. */
export { Calls } from './calls.js';
export { storageError, type Place } from './failures.js';
export { placeOf } from './postgres-place.js';
export { decodeText, encodeText, mayBeUnsafe } from './stored-text.js';
