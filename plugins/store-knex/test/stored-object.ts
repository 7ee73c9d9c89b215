/** The common values of indexed objects. A test adds the distinguishing ones. */
export const indexedObject = {
  kind: 'text',
  mediaType: null,
  size: 1,
  modifiedAt: 1,
  identity: null,
  contentHash: null,
  title: null,
  searchStatus: 'indexed',
  indexable: true,
  reason: null,
  chunks: 1,
  stated: null,
} as const;
