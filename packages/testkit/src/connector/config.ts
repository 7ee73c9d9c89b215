import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import { configFormats } from '@trove/core/provider';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const options = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  formats: configFormats,
};
const checks = new WeakMap<JsonSchema, ValidateFunction>();

/**
 * Returns the configuration of a plugin with the schema's defaults. Throws `config_invalid` with each invalid place.
 */
export function configFor<const S extends JsonSchema>(
  { configSchema }: { readonly configSchema: S },
  written: unknown = {},
): Infer<S> {
  const config: unknown = structuredClone(written);
  const reasons = refusals(configSchema, config);
  if (reasons.length > 0) throw new TroveError('config_invalid', reasons.join('; '));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema that the type is of accepted it
  return config as Infer<S>;
}

/** Fills in a schema's defaults and returns the violations of a value. */
export function refusals(schema: JsonSchema, value: unknown): string[] {
  const check = checks.get(schema) ?? addFormats.default(new Ajv(options)).compile(schema);
  checks.set(schema, check);
  if (check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const key: unknown = params['additionalProperty'];
    const steps = ['config', ...instancePath.split('/').slice(1)];
    if (typeof key === 'string') steps.push(key);
    return `${steps.join('.')}: ${message ?? 'is not valid'}`;
  });
}
