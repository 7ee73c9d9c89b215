import { gzipSync } from 'node:zlib';

import * as fc from 'fast-check';

import { hostileFilters } from './filters.mjs';
import { brokenEncodings, oddLocators, oddPaths, oddTexts } from './hostile-texts.mjs';
import { hostileExpressions } from './patterns.mjs';
import { validDrafts } from './valid.mjs';

/** Requests that try to do harm. Any documented response is allowed if it is a rejection or correct. */
export function hostileDrafts(operation) {
  const attacks = [
    ...operation.parameters.map((parameter) => onParameter(operation, parameter)),
    onQuery(operation),
    onHeaders(operation),
    ...(operation.body === null ? [] : onBody(operation)),
  ];
  return fc.oneof(...attacks).map((draft) => ({ ...draft, intent: 'hostile' }));
}

function onParameter(operation, { name, in: place }) {
  const values = fc.oneof(
    { weight: 4, arbitrary: oddValuesOf(operation, name) },
    { weight: 1, arbitrary: brokenEncodings },
  );
  // An empty or dot segment would lead to no route or another one.
  const fitting = place === 'path' ? values.filter((value) => !/^\.{0,2}$/.test(value)) : values;
  return fc.tuple(validDrafts(operation), fitting).map(([draft, value]) => {
    const label = `odd ${name}`;
    if (place === 'path') return { ...draft, label, params: { ...draft.params, [name]: value } };
    const query = [...draft.query.filter(([key]) => key !== name), [name, value]];
    return { ...draft, label, query: name === 'pattern' ? asRegex(query) : query };
  });
}

function oddValuesOf({ method }, name) {
  // Removing a source by accident would affect all other requests.
  if (method === 'DELETE') return oddTexts;
  const known = {
    path: oddPaths,
    target: oddPaths,
    filter: hostileFilters,
    locator: oddLocators,
    pattern: fc.oneof({ weight: 3, arbitrary: hostileExpressions }, oddTexts),
  };
  return known[name] ?? oddTexts;
}

function asRegex(query) {
  return [...query.filter(([key]) => key !== 'regex'), ['regex', 'true']];
}

function onQuery(operation) {
  const pairs = fc.array(fc.tuple(oddTexts, oddTexts), { minLength: 1, maxLength: 20 });
  return fc.tuple(validDrafts(operation), pairs).map(([draft, odd]) => ({
    ...draft,
    label: 'odd parameters',
    query: [...draft.query, ...odd],
  }));
}

const oddHeaders = [
  { range: 'bytes=0-0' },
  { 'if-none-match': '*' },
  { accept: 'image/png' },
  { 'accept-encoding': 'gzip, br, zstd, *;q=0' },
  { host: 'evil.example' },
  { origin: 'https://evil.example' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'x-request-id': 'a'.repeat(5000) },
  { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'evil.example' },
  { 'x-http-method-override': 'DELETE' },
  { cookie: 'a=b; '.repeat(2000) },
  { 'x-long': 'y'.repeat(150_000) },
  { 'x-long': 'y'.repeat(250_000) },
  { upgrade: 'websocket', connection: 'Upgrade' },
  { upgrade: 'h2c', connection: 'Upgrade, HTTP2-Settings', 'http2-settings': 'AAMAAABk' },
  { te: 'trailers' },
];

function onHeaders(operation) {
  return fc
    .tuple(
      validDrafts(operation),
      fc.constantFrom(...oddHeaders),
      fc.constantFrom(undefined, 'HEAD', 'OPTIONS'),
    )
    .map(([draft, headers, method]) => ({
      ...draft,
      label: 'odd headers',
      headers,
      ...(method !== undefined && operation.method === 'GET' ? { method } : {}),
    }));
}

const configs = [
  { ignore: ['**/'.repeat(2000)] },
  { ignore: Array(5000).fill('*a*b*c*d*') },
  { ignore: ['('.repeat(3000)] },
  { ignore: '*' },
  { ignore: ['\0'] },
  { secret: 'env:HOME' },
  { nosuch: 'file:/etc/passwd' },
  { ignore: ['env:PATH'] },
  { objects: [{ match: '**/**/**/**/**/x' }] },
  { objects: [{ match: '{a,b}{c,d}{e,f}'.repeat(60) }] },
  { objects: [{ match: '*'.repeat(500) }] },
  { objects: [{ match: '[' }] },
  { objects: [{ match: '*.md', chunk_max: 1e308 }] },
  { objects: [{ match: '*.md', text_fields: ['a'.repeat(5000)], render: '{{'.repeat(500) }] },
  { objects: Array.from({ length: 2000 }, () => ({ match: '*.md' })) },
  { objects: {} },
  { toString: 1 },
];

const rawBodies = [
  '{"target":"/x","target":"/y"}',
  '{"__proto__":{"target":"/x"}}',
  '{"target":"/x","config":{"__proto__":{"ignore":["*"]}}}',
  '{"target":"/x","config":{"constructor":{"prototype":{"x":1}}}}',
  '{"target":"\\u0000"}',
  '{"target":"\\ud800"}',
  '{"target":1e400}',
  `{"target":"/x","since":"${'9'.repeat(100_000)}"}`,
  '['.repeat(100_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{"target":"/x","config":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
  `{"target":"${'x'.repeat(900_000)}"}`,
  `"${'x'.repeat(1_500_000)}"`,
  `{${Array.from({ length: 40_000 }, (_, at) => `"k${at}":0`).join(',')}}`,
  Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  new Uint8Array(gzipSync('{"target":"/x"}')),
];

const types = [
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json;;;',
  'application/JSON',
  'application/vnd.api+json',
  'json',
  `application/json; a=${'b'.repeat(5000)}`,
  '',
];

function onBody(operation) {
  const drafts = validDrafts(operation);
  const member = fc.constantFrom(...Object.keys(operation.body.properties));
  return [
    fc.tuple(drafts, fc.constantFrom(...configs)).map(([draft, config]) => ({
      ...draft,
      label: 'odd configuration',
      body: { ...draft.body, config },
    })),
    fc.tuple(drafts, oddPaths).map(([draft, target]) => ({
      ...draft,
      label: 'odd target',
      body: { ...draft.body, target },
    })),
    fc.tuple(drafts, member, fc.jsonValue()).map(([draft, name, value]) => ({
      ...draft,
      label: 'odd member',
      body: { ...draft.body, [name]: value },
    })),
    fc.tuple(drafts, oddTexts).map(([draft, since]) => ({
      ...draft,
      label: 'odd since',
      body: { ...draft.body, since },
    })),
    fc.tuple(drafts, fc.constantFrom(...rawBodies)).map(([draft, raw]) => ({
      ...draft,
      label: 'odd bytes',
      raw,
    })),
    fc
      .tuple(drafts, fc.constantFrom(...types), fc.constantFrom('', 'gzip', 'identity', 'nosuch'))
      .map(([draft, type, encoding]) => ({
        ...draft,
        label: 'odd content type',
        headers: {
          'content-type': type,
          ...(encoding === '' ? {} : { 'content-encoding': encoding }),
        },
      })),
  ];
}
