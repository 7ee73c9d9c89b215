import { isTroveError, TroveError, type Infer, type JsonSchema } from '@trove/core';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const options = { allErrors: true, useDefaults: true, strict: true, allowUnionTypes: true };
const ajv = new Ajv(options);
addFormats.default(ajv);

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/**
 * A copy of the value with the schema's defaults filled in. Throws `code` (`validation_error` unless given), naming
 * each place and reason (`query.top_k: must be <= 1000`), never a value.
 */
export function validate<const S extends JsonSchema>(
  schema: S,
  value: unknown,
  place: string,
  code: 'validation_error' | 'config_invalid' = 'validation_error',
): Infer<S> {
  return run(compile(schema), schema, value, place, code);
}

/** The same for a schema that was checked before and is used this once: nothing of it is kept. */
export function validateOnce<const S extends JsonSchema>(
  schema: S,
  value: unknown,
  place: string,
  code: 'validation_error' | 'config_invalid' = 'validation_error',
): Infer<S> {
  const own = new Ajv({ ...options, validateSchema: false, meta: false });
  addFormats.default(own);
  return run(own.compile(schema), schema, value, place, code);
}

function run<const S extends JsonSchema>(
  check: ValidateFunction,
  schema: S,
  value: unknown,
  place: string,
  code: 'validation_error' | 'config_invalid',
): Infer<S> {
  const copy: unknown = structuredClone(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema that the type is of accepted it
  if (check(copy)) return copy as Infer<S>;
  const errors = check.errors ?? [];
  const reasons = [...new Set(errors.map((error) => describe(error, place)))];
  throw new TroveError(code, reasons.slice(0, 20).join('; '), {
    suggestions: suggestionsOf(errors, schema),
  });
}

function compile(schema: JsonSchema): ValidateFunction {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = ajv.compile(schema);
    compiled.set(schema, check);
  }
  return check;
}

/** Throws when a schema itself cannot be compiled; for schemas that plugins bring. */
export function checkSchema(schema: JsonSchema): void {
  try {
    compile(schema);
  } catch (cause) {
    if (isTroveError(cause)) throw cause;
    throw new TroveError('plugin_invalid', `configSchema: ${messageOf(cause)}`, { cause });
  }
}

function describe(error: ErrorObject, place: string): string {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => unescapePointer(step).slice(0, 100));
  const { params, keyword } = error;
  if (keyword === 'additionalProperties')
    steps.push(String(params['additionalProperty']).slice(0, 100));
  if (keyword === 'required') steps.push(String(params['missingProperty']));
  const where = [place, ...steps].filter((step) => step !== '').join('.');
  return `${where === '' ? 'value' : where}: ${reasonOf(error)}`;
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
    default:
      return error.message ?? 'is not valid';
  }
}

function suggestionsOf(errors: readonly ErrorObject[], schema: JsonSchema): string[] {
  const known = Object.keys(schema.properties ?? {});
  const suggestions = errors
    .filter((error) => error.keyword === 'additionalProperties' && error.instancePath === '')
    .map((error) => nearest(String(error.params['additionalProperty']), known))
    .filter((name) => name !== null)
    .map((name) => `Did you mean \`${name}\`?`);
  return suggestions.length > 0
    ? [...new Set(suggestions)]
    : ['Correct the places that the detail names; /openapi.json describes each request.'];
}

/** The known name that is least different from a mistyped one, null when none is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  const short = name.slice(0, 60);
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(short.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(short, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
