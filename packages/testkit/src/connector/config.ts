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
 * The configuration that a plugin is created with: what people wrote, with the schema's defaults filled in. Throws
 * `config_invalid`, which names each place that the schema refuses.
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

/** Why a schema refuses a value, of which it fills in the defaults; none if it takes it. */
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
