import type { Collection, MetadataStore, TransformationCache, VectorIndex } from '@trove/core';
import type { Members } from './guarded.js';

export const metadataStoreMembers: Members<MetadataStore> = {
  registerConnector: 'method',
  connector: 'method',
  connectors: 'method',
  beginRemoval: 'method',
  reportProblem: 'method',
  deleteConnector: 'method',
  connectorStats: 'method',
  objectsByPath: 'method',
  leftOut: 'method',
  objectsByIdentity: 'method',
  objectsAfter: 'method',
  markStale: 'method',
  summariesByPath: 'method',
  summariesAfter: 'method',
  putSummaries: 'method',
  createJob: 'method',
  job: 'method',
  jobs: 'method',
  jobCounts: 'method',
  failures: 'method',
  runningJobs: 'method',
  claimJob: 'method',
  compareListing: 'method',
  addTasks: 'method',
  finishListing: 'method',
  claimTasks: 'method',
  completeTasks: 'method',
  openTasks: 'method',
  renewLeases: 'method',
  releaseWorker: 'method',
  leaseHolders: 'method',
  cancelJob: 'method',
  finishJob: 'method',
  pruneJobs: 'method',
  close: 'method',
};

export const transformationCacheMembers: Members<TransformationCache> = {
  getMany: 'method',
  putMany: 'method',
  prune: 'method',
  close: 'method',
};

export const vectorIndexMembers: Members<VectorIndex> = {
  collection: 'method',
  collections: 'method',
  drop: 'method',
  close: 'method',
};

export const collectionMembers: Members<Collection> = {
  name: 'value',
  replace: 'method',
  search: 'method',
  identify: 'method',
  fetch: 'method',
  rows: 'method',
  removeScope: 'method',
  count: 'method',
  hasField: 'method',
  someFields: 'method',
  groups: 'method',
  optimize: 'method',
};
