import { rightsLevels, type Rights } from '@trove/core/store';

export { rightsLevels, type Rights };

/** The rights that each operation requires. */
export const operationRights = {
  serverInfo: 'read',
  ready: 'read',
  status: 'read',
  add: 'sync',
  upload: 'sync',
  filesManifest: 'sync',
  uploadFiles: 'sync',
  jobs: 'read',
  job: 'read',
  cancel: 'sync',
  waitForJob: 'read',
  probe: 'admin',
  estimate: 'admin',
  explain: 'admin',
  connectorType: 'admin',
  sourceKinds: 'admin',
  inspect: 'read',
  move: 'admin',
  schedule: 'admin',
  exportSources: 'admin',
  applySources: 'admin',
  remove: 'admin',
  search: 'read',
  searchBatch: 'read',
  ask: 'read',
  grep: 'read',
  symbols: 'read',
  ls: 'read',
  cat: 'read',
  readBatch: 'read',
  head: 'read',
  tail: 'read',
  export: 'read',
  exportStream: 'read',
  texts: 'admin',
  tokens: 'admin',
  createToken: 'admin',
  rotateToken: 'admin',
  revokeToken: 'admin',
} as const satisfies Readonly<Record<string, Rights>>;

export type OperationName = keyof typeof operationRights;

/** Whether the rights of a caller include those that an operation requires. */
export function includesRights(held: Rights, required: Rights): boolean {
  return rightsLevels.indexOf(held) >= rightsLevels.indexOf(required);
}
