export { createDatabaseConnector } from './connector.js';
export { rejectOnAbort } from './abort.js';
export { codeOf, toUnhealthyError, type SourceFault } from './failures.js';
export { checkNames } from './health.js';
export { changeTimeOf, isIdentifier, isShortened, mayBeKey, shortenKey } from './keys.js';
export { maxBatchBytes, maxHexBytes, charLimitOf } from './limits.js';
export { recordOf } from './record.js';
export { readPassword, type ServerUrl, type ServerUrlFormat } from './server-url.js';
export {
  locateServer,
  tlsModeOf,
  type ResolvedServer,
  type LocationSettings,
  type ServerAddress,
  type ServerLocation,
  type LocateOptions,
  type TlsMode,
} from './server-location.js';
export { nameListSchema, serverSettings } from './server-settings.js';
export { serverFaultOf, serverFaults, toServerError, type FaultTable } from './server-faults.js';
export { loadCursor, storeCursor } from './cursor-file.js';
export { JsonFileBuffer } from './json-file-buffer.js';
export { Mutex } from './mutex.js';
export { mapInParallel } from './parallel.js';
export type {
  DatabaseSource,
  TableDescription,
  DatabaseReader,
  Table,
  TablePart,
  TableChanges,
  RecordRange,
} from './source.js';
