/** For database plugins: names in messages, failures, and storage of any text. */
export { DatabaseCalls } from './database-calls.js';
export { storageError, type DatabaseDescription } from './failures.js';
export { describePostgres } from './postgres-description.js';
export { decodeText, encodeText, mayNeedEncoding } from './stored-text.js';
