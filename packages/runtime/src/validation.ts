import { createRequire } from 'node:module';
import {
  isTroveError,
  messageOf,
  TroveError,
  type Infer,
  type JsonSchema,
  type Violation,
} from '@trove/core';
import { configFormats } from '@trove/core/provider';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type addFormats from 'ajv-formats';
import { closest, distance } from 'fastest-levenshtein';

import { meantErrors } from './alternatives.js';
import { dropNulls } from './absent-nulls.js';
import { findMfsReplacement } from './mfs-settings.js';

/** `verbose` adds the schema to each error. */
const ajvOptions = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
};

/** Loads the libraries on first use, because most threads validate nothing. */
const load = lazy(() => {
  const require = createRequire(import.meta.url);
  const { Ajv: Compiler }: typeof import('ajv') = require('ajv');
  const formats: typeof addFormats = require('ajv-formats');
  return { Compiler, formats };
});

/**
 * Creates a compiler that does not validate schemas, because loading the meta schema would delay every start.
 */
function compiler(): Ajv {
  const { Compiler, formats } = load();
  const own = { ...ajvOptions, formats: configFormats, validateSchema: false, meta: false };
  return formats.default(new Compiler(own));
}

/**
 * Compiles each constant schema of our own once. Foreign schemas must not use it, because it never frees them.
 */
const constantSchemas = lazy(compiler);
/** Compiled schemas of plugins. Each is freed with its schema. */
const pluginSchemas = new WeakMap<JsonSchema, ValidateFunction>();
/** Validates schemas. Does not compile any. */
const metaSchema = lazy(() => new (load().Compiler)(ajvOptions));

function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * Validates a value against a constant schema. Returns a copy with the defaults of the schema, also in place of
 * null for optional properties that do not allow null. Throws `code`, naming each place and reason
 * (`query.top_k: must be <= 1000`), never a value.
 */
export function validate<const S extends JsonSchema>(
  schema: S,
  value: unknown,
  place: string,
  code: 'validation_error' | 'config_invalid' = 'validation_error',
): Infer<S> {
  return runValidator(
    constantSchemas().compile(schema),
    schema,
    copyOf(value, place, code),
    place,
    code,
  );
}

/**
 * Like `validate`, but fills the defaults into the value itself. For plain data without other references to it.
 */
export function validateInPlace<const S extends JsonSchema>(
  schema: S,
  value: unknown,
  place: string,
): Infer<S> {
  return runValidator(constantSchemas().compile(schema), schema, value, place, 'validation_error');
}

/** Like `validate`, for a checked schema that is used once. Caches nothing. */
export function validateOnce<const S extends JsonSchema>(
  schema: S,
  value: unknown,
  place: string,
  code: 'validation_error' | 'config_invalid' = 'validation_error',
): Infer<S> {
  return runValidator(compiler().compile(schema), schema, copyOf(value, place, code), place, code);
}

/** Like `validate`, for the checked schema of a plugin. Compiles each schema object once, because sources share it. */
export function validateConfig<const S extends JsonSchema>(
  schema: S,
  value: unknown,
  place: string,
): Infer<S> {
  const check = pluginSchemas.get(schema) ?? compiler().compile(schema);
  pluginSchemas.set(schema, check);
  const copy = copyOf(value, place, 'config_invalid');
  return runValidator(check, schema, copy, place, 'config_invalid');
}

function runValidator<const S extends JsonSchema>(
  check: ValidateFunction,
  schema: S,
  value: unknown,
  place: string,
  code: 'validation_error' | 'config_invalid',
): Infer<S> {
  dropNulls(schema, value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema that the type is of accepted it
  if (check(value)) return value as Infer<S>;
  const errors = meantErrors(check.errors ?? []);
  const violations = errors.map((error) => violationOf(error, place));
  const reasons = [...new Set(violations.map(describe))];
  const suggestions = suggestNames(errors);
  throw new TroveError(code, reasons.slice(0, 20).join('; '), {
    ...(suggestions.length > 0 ? { suggestions } : {}),
    violations: violations.slice(0, 20),
  });
}

function copyOf(
  value: unknown,
  place: string,
  code: 'validation_error' | 'config_invalid',
): unknown {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw new TroveError(code, `${place}: must be plain data, not nested too deeply`, { cause });
  }
}

/** Throws `plugin_invalid` if the schema of a plugin cannot be compiled. */
export function checkSchema(schema: JsonSchema): void {
  try {
    void metaSchema().validateSchema(schema, true);
    compiler().compile(schema);
  } catch (cause) {
    if (isTroveError(cause)) throw cause;
    throw new TroveError('plugin_invalid', `configSchema: ${messageOf(cause)}`, { cause });
  }
}

function violationOf(error: ErrorObject, place: string): Violation {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => unescapePointer(step).slice(0, 100));
  const { params, keyword } = error;
  if (keyword === 'additionalProperties')
    steps.push(String(params['additionalProperty']).slice(0, 100));
  if (keyword === 'required') steps.push(String(params['missingProperty']));
  const path = [place, ...steps].filter((step) => step !== '');
  return { path, reason: reasonOf(error), rule: keyword };
}

function describe({ path, reason }: Violation): string {
  return `${path.length === 0 ? 'value' : path.join('.')}: ${reason}`;
}

function reasonOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'additionalProperties':
      return 'is not known';
    case 'required':
      return 'is required';
    case 'minLength':
    case 'pattern':
      return error.params['limit'] === 1 || error.params['pattern'] === '\\S'
        ? 'must not be blank'
        : (error.message ?? 'is not valid');
    case 'enum': {
      const allowed: unknown = error.params['allowedValues'];
      return `must be one of ${Array.isArray(allowed) ? allowed.join(', ') : 'the allowed values'}`;
    }
    case 'not': {
      const excluded: JsonSchema = error.parentSchema?.['not'] ?? {};
      return excluded.const === undefined
        ? 'is not allowed'
        : `must not be ${JSON.stringify(excluded.const)}`;
    }
    default:
      return error.message ?? 'is not valid';
  }
}

/** Suggests known names for unknown fields. */
function suggestNames(errors: readonly ErrorObject[]): string[] {
  const suggestions = errors
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .map(({ params, parentSchema }) => {
      const name = String(params['additionalProperty']);
      const near = findNearest(name, Object.keys(parentSchema?.['properties'] ?? {}));
      return findMfsReplacement(name) ?? (near === null ? null : `Did you mean \`${near}\`?`);
    })
    .filter((suggestion) => suggestion !== null);
  return [...new Set(suggestions)].slice(0, 20);
}

/** Returns the known name closest to a mistyped one, or null if none is close. */
export function findNearest(name: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const short = name.slice(0, 60);
  const found = closest(short, known);
  return distance(short, found) <= Math.max(2, short.length / 3) ? found : null;
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
