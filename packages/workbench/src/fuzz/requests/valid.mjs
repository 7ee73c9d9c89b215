import * as fc from 'fast-check';

import { archives, listedFiles } from './archives.mjs';
import { reference } from './draft.mjs';
import { filters } from './filters.mjs';
import { expressions } from './patterns.mjs';

const chunkKinds = ['body', 'row_text', 'thread_aggregate', 'record_aggregate', 'summary'];
const statuses = ['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'];
const schedules = [
  null,
  { every: '6h', cron: null },
  { cron: '30 6 * * 1-5', every: null, hours: '05:00-09:00' },
  { every: null, cron: null, hours: null },
  { paused: true },
];
const hitMembers = ['source', 'content', 'score', 'locator', 'kind', 'title', 'modified_at'];
const formType = 'multipart/form-data';
/** `cat` accepts at most one of these. */
const alternatives = ['range', 'locator', 'meta', 'density'];

const from = (pool) => fc.nat(10_000).map((at) => reference(pool, at));
const words = fc.array(from('word'), { minLength: 1, maxLength: 1 }).map(([word]) => word);
/** Few, so that uploads meet the state of earlier ones. */
const authorities = fc.constantFrom('fuzz-a', 'fuzz-b', 'F.u_z-c');
const definedNames = fc.constantFrom('feed', 'func feed', 'Zoo.feed', 'where is feed defined');
const times = fc.constantFrom('7d', '12h', '2024-02-29', '2024-02-29T12:00:00Z');
const absent = fc.constant(undefined);
const readable = new Set(['cat', 'head', 'tail', 'export']);

/** Generates definitions of sources, or the sources of an import. */
function sourcesOf({ id }) {
  const target = from('target');
  // Two definitions of one source would be refused.
  return id === 'applySources'
    ? fc.array(fc.record({ target }), { minLength: 1, maxLength: 1 })
    : fc.array(target, { minLength: 1, maxLength: 2 });
}

/** Generates a parameter by its name. Others are generated from their schema alone. */
function meaningOf(operation, name) {
  if (name === 'path') return readable.has(operation.id) ? from('file') : from('dir');
  const known = {
    q: words,
    pattern: words,
    job_id: from('job'),
    name: operation.id === 'symbols' ? definedNames : authorities,
    client_id: authorities,
    root: fc.constantFrom('/', '/home/me/x', '/a b/../c'),
    files: listedFiles,
    filter: filters,
    glob: fc.constantFrom('*.md', '!*.txt', 'notes/**', '*.{ts,js}'),
    scheme: fc.constantFrom('file', 'sqlite', 'github', 'nope'),
    type: fc.constantFrom('md', 'ts,js', '!py', 'md,!txt'),
    kind: fc.subarray(chunkKinds, { minLength: 1 }).map((kinds) => kinds.join(',')),
    fields: fc.subarray(hitMembers, { minLength: 1 }).map((members) => members.join(',')),
    ...(operation.id === 'search' ? { since: times, until: times } : {}),
    schedule: fc.constantFrom(...schedules),
    status: fc.constantFrom(...statuses),
    target: operation.method === 'DELETE' ? from('scratch') : from('target'),
    range: fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 50 }), fc.nat(500)).map(([a, n]) => `${a}:${a + n}`),
      fc.constantFrom('1:', ':3', '1:1', '99999:100000'),
    ),
    locator: fc.nat(10_000).map((at) => reference('hitLocator', at)),
    sources: sourcesOf(operation),
    paths: fc.array(from('target'), { minLength: 1, maxLength: 2 }),
    expires_in_s: fc.integer({ min: 1, max: 1000 }),
    // Neither a move nor a backup succeeds, because both would change what other requests meet.
    to: fc.constant('/dev/null/fuzz'),
    reads: fc.array(fc.record({ path: from('file') }), { minLength: 1, maxLength: 3 }),
    queries: fc.array(fc.record({ q: words }), { minLength: 1, maxLength: 3 }),
    documents: fc.array(words, { minLength: 1, maxLength: 3 }),
    // At most half of the smallest chunk.
    chunk_overlap: fc.nat(50),
    // Lists that must have the same length as another list.
    ...Object.fromEntries(['ids', 'metadatas', 'triplets'].map((list) => [list, absent])),
  };
  return known[name];
}

/** Generates a value that a schema accepts, as query text. */
function textOf(schema) {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String));
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false', '1', '0');
  if (schema.type === 'integer') {
    const { minimum = -1000, maximum = 1000 } = schema;
    return fc
      .oneof(
        {
          weight: 4,
          arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) }),
        },
        { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
      )
      .map(String);
  }
  // The values below satisfy a pattern that only requires a visible character.
  if (schema.pattern !== undefined && schema.pattern !== '\\S') {
    return fc.stringMatching(new RegExp(schema.pattern));
  }
  return fc
    .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
    .map((text) => `a${text}`);
}

/** Generates valid requests of an operation as drafts. */
export function validDrafts(operation) {
  // A cursor is valid only with the response that it comes from.
  const inQuery = operation.parameters.filter(
    ({ in: place, name }) => place === 'query' && name !== 'cursor',
  );
  const inPath = operation.parameters.filter(({ in: place }) => place === 'path');
  return fc
    .record({
      params: recordOf(operation, inPath),
      query: recordOf(operation, inQuery),
      body: operation.body === null ? fc.constant(undefined) : bodyOf(operation),
      stream: operation.stream === null ? fc.constant({}) : streamOf(operation.stream),
    })
    .map(({ params, query, body, stream }) => ({
      operation,
      intent: 'valid',
      label: 'valid',
      params,
      query: Object.entries(makeConsistent(operation, query)),
      ...(body === undefined ? {} : { body }),
      ...stream,
    }));
}

function recordOf(operation, parameters) {
  const model = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, meaningOf(operation, name) ?? textOf(schema)]),
  );
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

/** Removes mutually exclusive parameters, and keeps a locator with its own object. */
function makeConsistent({ id }, query) {
  if (id === 'grep' && ['true', '1'].includes(query.invert)) delete query.only_matching;
  if (id === 'grep' && ['true', '1'].includes(query.regex)) {
    return { ...query, pattern: fc.sample(expressions, { numRuns: 1, seed: query.pattern.at })[0] };
  }
  // Explained searches accept fewer hits.
  if (id === 'search' && ['true', '1'].includes(query.explain)) delete query.top_k;
  if (id !== 'cat') return query;
  const [kept] = alternatives.filter((name) => query[name] !== undefined);
  const agreed = { path: query.path, ...(kept === undefined ? {} : { [kept]: query[kept] }) };
  if (kept === 'locator') agreed.path = reference('hitSource', query.locator.at);
  return agreed;
}

function streamOf(types) {
  if (types.includes(formType)) return formOf();
  return fc.record({
    raw: fc.oneof(
      { weight: 4, arbitrary: archives },
      fc.uint8Array({ minLength: 1, maxLength: 2000 }),
    ),
    headers: fc.record({ 'content-type': fc.constantFrom(...types) }),
  });
}

/** Generates a form with only one file. */
function formOf() {
  const head = '--fuzz\r\ncontent-disposition: form-data; name="files"; filename="a.md"\r\n\r\n';
  return fc.record({
    raw: fc.string({ minLength: 1 }).map((text) => `${head}# ${text}\r\n--fuzz--\r\n`),
    headers: fc.constant({ 'content-type': `${formType}; boundary=fuzz` }),
  });
}

function bodyOf(operation) {
  const model = Object.fromEntries(
    Object.entries(operation.body.properties).map(([name, schema]) => [
      name,
      bodyMember(operation, name, schema),
    ]),
  );
  // The default overlap of a service may be more than half of a small chunk.
  const together = ['chunk_size', 'chunk_overlap'].filter((name) => name in model);
  const requiredKeys = [...(operation.body.required ?? []), ...together];
  const body = fc.record(model, { requiredKeys, noNullPrototype: true });
  // A token for administrators has no paths.
  return operation.id === 'createToken'
    ? body.map(({ paths, ...rest }) =>
        rest.rights === 'admin' ? rest : { ...rest, paths: paths ?? null },
      )
    : body;
}

function bodyMember(operation, name, schema) {
  const { id } = operation;
  if (name === 'target') return id === 'addSource' ? from('scratch') : from('target');
  if (name === 'config') return fc.constantFrom(null, {}, { ignore: ['*.log'] });
  if (name === 'since') return fc.constant(null);
  // Changes of sources would change what other requests meet.
  if (name === 'prune') return fc.constant(false);
  if (name === 'dry_run') return fc.constant(true);
  if (schema.type === 'boolean') return fc.boolean();
  const meaning = meaningOf(operation, name);
  if (meaning !== undefined) return meaning;
  return schema.type === 'integer' ? textOf(schema).map(Number) : textOf(schema);
}
