import * as fc from 'fast-check';

import { validDrafts } from './valid.mjs';

const unprocessable = [422];

/** Generates requests of an operation with exactly one fault, and the statuses that may report it. */
export function nearlyValidDrafts(operation) {
  const faults = [...queryFaults(operation), ...bodyFaults(operation), ...generalFaults(operation)];
  return fc
    .tuple(validDrafts(operation), fc.constantFrom(...faults), fc.nat(1000))
    .map(([draft, { label, spoil, expected = unprocessable }, at]) => ({
      ...spoil(draft, at),
      intent: 'nearly',
      label,
      expected,
    }));
}

function queryFaults({ parameters }) {
  return parameters
    .filter(({ in: place }) => place === 'query')
    .flatMap((parameter) => faultsOfParameter(parameter));
}

function faultsOfParameter({ name, required, schema }) {
  const wrong = wrongTexts(schema).map(([label, text]) => ({
    label: `${name}: ${label}`,
    spoil: (draft) => withQuery(draft, name, text),
  }));
  const repeated = {
    label: `${name}: repeated`,
    spoil: (draft) => {
      const value = draft.query.find(([key]) => key === name)?.[1] ?? rightText(schema);
      const once = draft.query.filter(([key]) => key !== name);
      return { ...draft, query: [...once, [name, value], [name, value]] };
    },
  };
  const missing = {
    label: `${name}: missing`,
    spoil: (draft) => ({ ...draft, query: draft.query.filter(([key]) => key !== name) }),
  };
  return [...wrong, repeated, ...(required ? [missing] : [])];
}

function rightText(schema) {
  if (schema.enum !== undefined) return String(schema.enum[0]);
  if (schema.type === 'boolean') return 'true';
  return schema.type === 'integer' ? String(schema.minimum ?? 0) : 'x';
}

/** Returns texts that a schema does not accept, each with its fault. */
function wrongTexts(schema) {
  if (schema.enum !== undefined)
    return [
      ['no such value', 'nosuch'],
      ['empty', ''],
    ];
  if (schema.type === 'boolean')
    return ['maybe', 'TRUTH', '2', '', 'null'].map((text) => ['no boolean', text]);
  if (schema.type === 'integer') return wrongIntegers(schema);
  const isEmptyFine = schema.default === '' || new RegExp(schema.pattern ?? '\\S').test('');
  const texts = isEmptyFine ? [] : [['empty', '']];
  if (schema.pattern === '\\S') texts.push(['blank', ' \t\n'], ['blank', '\u00a0\u2003']);
  if (schema.maxLength !== undefined) texts.push(['too long', 'x'.repeat(schema.maxLength + 1)]);
  return texts;
}

function wrongIntegers({ minimum, maximum }) {
  const texts = ['abc', '1.5', '1e2', '', '0x10', ' 5', '5 ', 'Infinity', 'NaN', '٣'];
  const wrong = texts.map((text) => ['no integer', text]);
  if (minimum !== undefined)
    wrong.push(['too small', String(minimum - 1)], ['too small', '-999999999999999999999']);
  if (maximum !== undefined)
    wrong.push(['too large', String(maximum + 1)], ['too large', '999999999999999999999']);
  return wrong;
}

function withQuery(draft, name, text) {
  return { ...draft, query: [...draft.query.filter(([key]) => key !== name), [name, text]] };
}

function bodyFaults({ body, stream }) {
  if (stream !== null) return streamFaults();
  if (body === null) return [];
  const wholes = [null, [], 'text', 7, true, {}].map((value) => ({
    label: 'body: of another type, or empty',
    spoil: (draft) => ({ ...draft, body: value }),
  }));
  const raws = [
    '',
    '{',
    '{"target":',
    '{"target":"x"}}',
    'target=x',
    "{'target':'x'}",
    '\ufeff',
    'NaN',
  ].map((raw) => ({ label: 'body: not JSON', spoil: (draft) => ({ ...draft, raw }) }));
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
  ].map((type) => ({
    label: 'body: another content type',
    expected: [415],
    spoil: (draft) => ({ ...draft, headers: { 'content-type': type } }),
  }));
  return [...wholes, ...raws, ...types, ...membersFaults(body)];
}

function streamFaults() {
  return [
    { label: 'body: empty', spoil: (draft) => ({ ...draft, raw: '' }) },
    {
      label: 'body: another content type',
      expected: [415],
      spoil: (draft) => ({ ...draft, headers: { 'content-type': 'application/json' } }),
    },
  ];
}

function membersFaults({ properties, required = [] }) {
  return Object.entries(properties).flatMap(([name, schema]) =>
    memberFaults(name, schema, required.includes(name)),
  );
}

function memberFaults(name, schema, isRequired) {
  // A null for an optional member counts as absent.
  const types = [schema.type, isRequired ? [] : 'null'].flat();
  const values = [7.5, 'text', '', true, null, [], [1], {}, -1];
  return values
    .filter((value) => !types.includes(typeOf(value)) || (value === '' && schema.minLength > 0))
    .map((value) => ({
      label: `body.${name}: of another type, or empty`,
      spoil: (draft) => ({ ...draft, body: { ...draft.body, [name]: value } }),
    }));
}

function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function generalFaults({ body, open }) {
  const unknown = ['nosuch', 'Q', 'path ', '__proto__', 'constructor', ''].map((name) => ({
    label: 'an unknown parameter',
    spoil: (draft) => ({ ...draft, query: [...(draft.query ?? []), [name, 'x']] }),
  }));
  const tokens = ['none', 'wrong'].map((token) => ({
    label: `token: ${token}`,
    expected: [401],
    spoil: (draft) => ({ ...draft, token }),
  }));
  const member = {
    label: 'body: an unknown member',
    spoil: (draft) => ({ ...draft, body: { ...draft.body, nosuch: 1 } }),
  };
  const method = {
    label: 'another method',
    expected: [405],
    spoil: (draft) => ({ ...draft, method: 'PATCH' }),
  };
  return [...unknown, ...(open ? [] : tokens), ...(body === null ? [] : [member]), method];
}
