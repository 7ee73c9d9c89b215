export { databaseConnector } from './connector.js';
export { unlessAborted } from './abort.js';
export { codeOf, unhealthy, type Fault } from './failures.js';
export { missingNames } from './health.js';
export { changeTimeAmong, isIdentifier, isShortened, mayBeKey, shortened } from './keys.js';
export { bytesAtOnce, bytesShown, charsShown } from './limits.js';
export { recordOf } from './record.js';
export { readPassword, type ServerUrl, type ServerUrlFormat } from './server-url.js';
export {
  placeOfServer,
  tlsModeOf,
  type NamedServer,
  type PlaceConfig,
  type ServerAddress,
  type ServerPlace,
  type ServerTarget,
  type TlsMode,
} from './server-place.js';
export { nameList, serverSettings } from './server-settings.js';
export { serverFaultOf, serverFaults, unhealthyServer, type FaultTable } from './server-faults.js';
export { Spool } from './spool.js';
export { Turns } from './turns.js';
export type {
  DatabaseSource,
  Description,
  Reader,
  Relation,
  RelationChanges,
  SomeRecords,
} from './source.js';
