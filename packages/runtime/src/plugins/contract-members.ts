import type { Collection, VectorIndex } from '@trove/core/index';
import type { GenerationReader, MetadataStore, TransformationCache } from '@trove/core/store';
import type { ContractMembers } from './guarded-members.js';

export const metadataStoreMembers: ContractMembers<MetadataStore> = {
  sources: {
    register: 'method',
    get: 'method',
    findByRoot: 'method',
    list: 'method',
    beginRemoval: 'method',
    configure: 'method',
    planSync: 'method',
    reportProblem: 'method',
    endMove: 'method',
    delete: 'method',
    stats: 'method',
  },
  jobs: {
    create: 'method',
    get: 'method',
    list: 'method',
    counts: 'method',
    failures: 'method',
    running: 'method',
    claim: 'method',
    pause: 'method',
    cancel: 'method',
    finish: 'method',
    prune: 'method',
  },
  listings: {
    compare: 'method',
    addTasks: 'method',
    checkpoint: 'method',
    finish: 'method',
  },
  tasks: {
    claim: 'method',
    complete: 'method',
    checkpoint: 'method',
    countOpen: 'method',
  },
  leases: {
    renew: 'method',
    release: 'method',
    holders: 'method',
  },
  objects: {
    findByPath: 'method',
    findByIdentity: 'method',
    list: 'method',
    holders: 'method',
    stats: 'method',
    leftOut: 'method',
    warnings: 'method',
    invalidate: 'method',
  },
  records: {
    compare: 'method',
    list: 'method',
    totals: 'method',
    invalidatedThreads: 'method',
    put: 'method',
    invalidate: 'method',
  },
  summaries: {
    findByPath: 'method',
    list: 'method',
    put: 'method',
  },
  graphs: {
    list: 'method',
    get: 'method',
    stage: 'method',
    stagedGeneration: 'method',
    renew: 'method',
    promote: 'method',
    empty: 'method',
    abandon: 'method',
    obsoleteGenerations: 'method',
    deleteGeneration: 'method',
  },
  alerts: {
    incidents: 'method',
    raise: 'method',
    resolve: 'method',
    claim: 'method',
    complete: 'method',
    postpone: 'method',
  },
  training: {
    currentId: 'method',
    get: 'method',
    replace: 'method',
  },
  tokens: {
    create: 'method',
    get: 'method',
    list: 'method',
    rotate: 'method',
    revoke: 'method',
    recordUse: 'method',
  },
  generations: {
    markUsed: 'method',
    listOthers: 'method',
    reader: 'method',
    drop: 'method',
    delete: 'method',
  },
  id: 'method',
  size: 'optional method',
  snapshot: 'optional method',
  compact: 'optional method',
  close: 'method',
};

export const generationReaderMembers: ContractMembers<GenerationReader> = {
  sources: { list: 'method', stats: 'method' },
  objects: { findByPath: 'method', list: 'method', holders: 'method', stats: 'method' },
  summaries: { findByPath: 'method' },
};

export const transformationCacheMembers: ContractMembers<TransformationCache> = {
  getMany: 'method',
  putMany: 'method',
  prune: 'method',
  size: 'optional method',
  compact: 'optional method',
  close: 'method',
};

export const vectorIndexMembers: ContractMembers<VectorIndex> = {
  collection: 'method',
  collections: 'method',
  drop: 'method',
  size: 'optional method',
  snapshot: 'optional method',
  close: 'method',
};

export const collectionMembers: ContractMembers<Collection> = {
  name: 'value',
  replace: 'method',
  search: 'method',
  identify: 'method',
  fetch: 'method',
  rows: 'method',
  removeScope: 'method',
  otherScopes: 'method',
  count: 'method',
  frequencies: 'method',
  hasField: 'method',
  sampleFields: 'method',
  groups: 'method',
  optimize: 'method',
  compact: 'optional method',
};
