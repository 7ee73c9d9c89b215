import { parameters } from '@trove/client/parameters';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { optionsOf } from '../src/commands/parameters.js';

const test = suite('options from parameters');

const given = (values: Readonly<Record<string, string | boolean | readonly string[]>>) => ({
  text: (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  },
  texts: (name: string) => {
    const value = values[name];
    return typeof value === 'object' ? value : [];
  },
  optionalFlag: (name: string) => {
    const value = values[name];
    return typeof value === 'boolean' ? value : undefined;
  },
  integer: (name: string) => (values[name] === undefined ? undefined : Number(values[name])),
  oneOf: (name: string, choices: readonly string[]) =>
    choices.find((choice) => choice === values[name]),
});

test('describes each optional parameter with its choices and limits', () => {
  const { args } = optionsOf('search', { omit: ['path'], change: { top_k: { alias: 'k' } } });
  assert.equal(args['top-k'], {
    type: 'string',
    description: 'Maximum number of hits (default 10, at most 1,000)',
    alias: 'k',
    valueHint: 'N',
  });
  const { mode } = args;
  assert.is(mode.type === 'string' ? mode.valueHint : '', 'hybrid|semantic|keyword');
  assert.equal(args.demote, {
    type: 'boolean',
    description: parameters.search.demote.description.slice(0, -1),
    default: true,
  });
  assert.not.ok('q' in args || 'path' in args);
});

test('creates the request from the options', () => {
  const { request } = optionsOf('search', {
    omit: [
      'path',
      'glob',
      'type',
      'kind',
      'filter',
      'offset',
      'since',
      'until',
      'sort',
      'snippet',
      'max_bytes',
      'explain',
    ],
  });
  const values = { 'top-k': '3', mode: 'keyword', demote: false };
  assert.equal(request(given(values)), {
    mode: 'keyword',
    top_k: 3,
    collapse: undefined,
    demote: false,
  });
  assert.is(request(given({})).demote, undefined);
});

test('creates options from body properties, and repeated ones from lists', () => {
  const { args, request } = optionsOf('addDocuments', {
    omit: ['graph_name'],
    change: { extract_triplets: { name: 'extract' } },
  });
  assert.equal(Object.keys(args), ['ids', 'extract']);
  assert.ok(args.ids.type === 'string' && args.ids.repeats);
  assert.is(args.extract.parameter, 'extract_triplets');
  assert.equal(request(given({ ids: ['a', 'b'], extract: false })), {
    ids: ['a', 'b'],
    extract_triplets: false,
  });
  assert.is(request(given({})).ids, undefined);
});

test.run();
