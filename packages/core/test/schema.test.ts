import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { Infer, JsonSchema } from '../src/index.js';

const test = suite('schema');

/** True only for identical types. The compiler checks the assertions below. */
type Same<A, B> = Asked<A> extends Asked<B> ? (Asked<B> extends Asked<A> ? true : false) : false;
/** Distinguishes mutually assignable types, such as `any` and others. */
type Asked<A> = <T>(value: T) => T extends A ? 1 : 2;

function same<A, B>(isSame: Same<A, B>): void {
  assert.ok(isSame);
}

const config = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    depth: { type: 'integer', default: 3 },
    token: { type: ['string', 'null'], writeOnly: true },
    mode: { enum: ['fast', 'full'] },
    kind: { const: 'wiki' },
    tags: { type: 'array', items: { type: 'string' } },
    match: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    labels: { type: 'object', additionalProperties: { type: 'boolean' } },
    any: {},
    nested: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
  },
  required: ['url', 'kind'],
  additionalProperties: false,
} as const satisfies JsonSchema;

test('the type of a configuration follows its schema', () => {
  same<
    Infer<typeof config>,
    {
      readonly url: string;
      readonly depth: number;
      readonly kind: 'wiki';
      readonly token?: string | null;
      readonly mode?: 'fast' | 'full';
      readonly tags?: string[];
      readonly match?: string | number;
      readonly labels?: Record<string, boolean>;
      readonly any?: unknown;
      readonly nested?: { readonly on: boolean };
    }
  >(true);
});

test('required and defaulted properties are present, others optional', () => {
  type Config = Infer<typeof config>;
  same<undefined extends Config['depth'] ? true : false, false>(true);
  // @ts-expect-error a required property is missing
  const withoutUrl: Config = { kind: 'wiki', depth: 1 };
  // @ts-expect-error a value of another type
  const wrongType: Config = { url: 'x', kind: 'wiki', depth: '1' };
  assert.ok([withoutUrl, wrongType].length === 2);
});

test('schemas without a type give unknown', () => {
  same<Infer<{ type: 'object' }>, Record<string, unknown>>(true);
  same<Infer<{ type: 'array' }>, unknown[]>(true);
  same<Infer<{ description: 'anything' }>, unknown>(true);
  same<Infer<JsonSchema>, unknown>(true);
});

test.run();
