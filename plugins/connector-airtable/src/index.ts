import { defineHttpConnector } from '@trove/connector-kit/http';

import { checkPath, describeAccess, isOfSource, tableItems } from './bases.js';
import { commentItems, commentPath, oneComment, toComment } from './comments.js';
import { configSchema } from './config.js';
import { commentErrors, errors } from './errors.js';
import { fieldsByTable } from './fields.js';
import { nameOfRecord, oneRecord, recordItems, toRecord, type AirtableRecord } from './records.js';
import { setup } from './setup.js';

const page = { by: 'cursor', from: 'offset', send: 'query.offset' } as const;
const recordsQuery = { pageSize: 100, 'recordMetadata[]': 'commentCount' };
/** A record that was created without values has no time of a modification. */
const changedRecords =
  "OR(IS_AFTER(LAST_MODIFIED_TIME(),DATETIME_PARSE('{since}')),IS_AFTER(CREATED_TIME(),DATETIME_PARSE('{since}')))";

/** Connector for Airtable (`airtable://app…`, or `airtable://all`): the records of each table with their comments. */
export default defineHttpConnector({
  keys: ['airtable'],
  configSchema,
  setup,
  base: '{config.base_url}',
  auth: { bearer: 'token' },
  errors,
  limits: {
    // The service states no time. It refuses all requests for 30 s.
    wait: '30s',
    budgets: [{ requests: 5, per: '1s' }],
  },
  check: { get: checkPath, say: describeAccess },
  lookups: {
    // The names of fields may change at any time.
    fields: { get: '/v0/meta/bases/{id}/tables', value: fieldsByTable, fresh: true },
    /** The names of linked records, up to a page of one table at once. */
    names: {
      get: '/v0/{given.base}/{given.table}',
      query: {
        pageSize: 100,
        'fields[]': '{given.field}',
        filterByFormula: "FIND(RECORD_ID(),'{ids}')",
      },
      batch: 100,
      items: 'records',
      key: 'id',
      value: nameOfRecord,
      // A table that the token may not read.
      errors: [{ when: { status: 403 }, do: 'absent' }],
    },
  },
  objects: {
    tables: {
      for: 'tables',
      path: '{+folder}{name}',
      identity: 'id',
      title: 'name',
      url: 'https://airtable.com/{bases.id}/{id}',
      fields: { base: '{bases.name}' },
      // The service does not report deletions, and a comment does not change its record.
      countEvery: '1d',
    },
  },
  streams: {
    bases: {
      get: '/v0/meta/bases',
      page,
      items: 'bases',
      itemsRequired: true,
      where: isOfSource,
      keep: ['id', 'name'],
    },
    tables: {
      for: 'bases',
      get: '/v0/meta/bases/{bases.id}/tables',
      items: tableItems,
      itemsRequired: true,
      keep: ['id', 'name', 'folder', 'primaryFieldId'],
    },
    records: {
      for: 'tables',
      get: '/v0/{bases.id}/{tables.id}',
      query: recordsQuery,
      page,
      items: recordItems,
      itemsRequired: true,
      keep: ['id'],
      in: 'tables',
      key: 'id',
      record: toRecord,
      // The answer for a single record would have no number of comments.
      one: {
        get: '/v0/{bases.id}/{tables.id}',
        query: { ...recordsQuery, filterByFormula: "RECORD_ID()='{key.id}'" },
        item: oneRecord,
      },
      ofThread: { query: { filterByFormula: "RECORD_ID()='{thread}'" } },
      keysOnly: { query: { 'fields[]': '{tables.primaryFieldId}' } },
      incremental: {
        by: 'since',
        send: { query: { filterByFormula: changedRecords } },
        overlap: '10m',
      },
    },
    comments: {
      for: 'records',
      when: ({ commentCount = 0 }: AirtableRecord, { config }) =>
        config.comments && commentCount > 0,
      count: 'commentCount',
      get: '/v0/{bases.id}/{tables.id}/{records.id}/comments',
      query: { pageSize: 100 },
      page,
      items: commentItems,
      itemsRequired: true,
      errors: commentErrors,
      in: 'tables',
      key: { id: 'key' },
      record: toComment,
      one: { get: commentPath, query: { pageSize: 100 }, page, item: oneComment },
      ofThread: { get: '/v0/{bases.id}/{tables.id}/{thread}/comments' },
      // The list has all comments of a record.
      complete: { thread: 'id' },
    },
  },
});
