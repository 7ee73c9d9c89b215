/** For plugins over a database: how messages name it, what its failures mean, and how it stores any text. */
export { DatabaseCalls } from './database-calls.js';
export { storageError, type DatabaseDescription } from './failures.js';
export { describePostgres } from './postgres-description.js';
export { decodeText, encodeText, mayNeedEncoding } from './stored-text.js';
