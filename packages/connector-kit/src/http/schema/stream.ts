import type { JsonSchema } from '@trove/core';

import {
  duration,
  errorRules,
  functionPlaces,
  listOf,
  mapOf,
  objectOf,
  paging,
  path,
  requestMembers,
  requestPart,
  text,
  timeFormat,
  value,
} from './parts.js';

const names = listOf({ type: 'string', minLength: 1 });
const key: JsonSchema = { anyOf: [path, listOf(path), mapOf(path)] };
const values = mapOf(value);

const record = objectOf({
  title: value,
  text: value,
  at: value,
  author: value,
  url: value,
  version: value,
  thread: value,
  threadFields: values,
  fields: { anyOf: [values, names] },
  attachments: value,
});
functionPlaces.add(record);

const incremental: JsonSchema = {
  anyOf: [
    objectOf({ by: { const: 'since' }, send: requestPart, format: timeFormat, overlap: duration }, [
      'by',
      'send',
      'overlap',
    ]),
    objectOf({ by: { const: 'newest-first' }, time: value, overlap: duration, send: requestPart }, [
      'by',
      'time',
      'overlap',
    ]),
    objectOf(
      {
        by: { const: 'window' },
        last: duration,
        send: requestPart,
        format: timeFormat,
        order: { type: 'string', enum: ['newest-first', 'oldest-first', 'none'] },
      },
      ['by', 'last', 'send', 'order'],
    ),
    objectOf(
      { by: { const: 'export' }, send: requestPart, format: timeFormat, overlap: duration },
      ['by', 'send', 'overlap'],
    ),
    objectOf(
      {
        by: { const: 'feed' },
        start: objectOf({ ...requestMembers, token: path }, ['token']),
        changes: objectOf(requestMembers),
        page: paging,
        items: value,
        next: path,
        id: value,
        item: value,
        isGone: value,
        isFolder: value,
        errors: errorRules,
      },
      ['by', 'start', 'changes', 'items', 'next', 'id'],
    ),
  ],
};

const tree = objectOf(
  {
    folders: { type: 'string' },
    id: value,
    name: value,
    parent: value,
    createdAt: value,
    root: text,
    top: objectOf({ ...requestMembers, id: path }, ['id']),
    orphans: { type: 'string', minLength: 1 },
  },
  ['folders', 'id', 'name', 'parent'],
);

const document = objectOf(
  {
    path: text,
    identity: value,
    title: value,
    url: value,
    author: value,
    size: value,
    modifiedAt: value,
    fingerprint: value,
    mediaType: value,
    fields: { anyOf: [values, value] },
    skip: value,
    tree,
  },
  ['path'],
);

const read = objectOf({
  ...requestMembers,
  text: value,
  inItem: { type: 'boolean' },
  mediaType: value,
  exports: mapOf(
    objectOf({
      ...requestMembers,
      mediaType: { type: 'string' },
      extension: { type: 'string' },
      skip: { type: 'string' },
    }),
  ),
  ranges: { type: 'boolean' },
  hosts: names,
});

export const stream = objectOf({
  ...requestMembers,
  page: paging,
  maxPages: { type: 'integer', minimum: 1 },
  items: value,
  itemsRequired: { type: 'boolean' },
  where: value,
  errors: errorRules,
  for: { type: 'string' },
  when: value,
  embedded: objectOf({ items: value, isComplete: value }, ['items', 'isComplete']),
  count: value,
  moved: value,
  nested: objectOf({ when: value, send: requestPart }, ['when', 'send']),
  keep: names,
  in: { type: 'string', minLength: 1 },
  key,
  sameAs: { type: 'string' },
  record,
  one: objectOf({ ...requestMembers, item: value, page: paging }),
  ofThread: objectOf({ ...requestMembers, items: value }),
  grep: objectOf({ ...requestMembers, items: value }),
  keysOnly: requestPart,
  incremental,
  isGone: value,
  endsThread: value,
  gone: objectOf({ ...requestMembers, page: paging, items: value, key, time: value }),
  complete: objectOf({ thread: value, outlivesParent: { type: 'boolean' } }, ['thread']),
  document,
  read,
});

export const object = objectOf(
  {
    for: { type: 'string' },
    path: text,
    kind: { type: 'string', enum: ['record_collection', 'message_stream', 'table_rows'] },
    title: value,
    url: value,
    author: value,
    identity: value,
    modifiedAt: value,
    fields: values,
    skip: value,
    countEvery: duration,
  },
  ['path'],
);
