import type { JsonSchema } from '@trove/core';
import { validateConfig } from '../validation.js';
import { propertyNames, visitValues, type ConfigValue } from './config-values.js';
import { isReference, noDeniedSecrets, resolveReference, readSecret } from './credentials.js';
import { variantsOf, redactUrl } from './redact.js';

/** The configuration of a plugin, before or after its references are resolved. */
export type PluginConfig = Readonly<Record<string, unknown>>;

/** A configuration ready for `create`. */
export interface ResolvedConfig {
  readonly config: PluginConfig;
  /** The variants of its secrets that could appear in messages. */
  readonly secrets: readonly string[];
}

/**
 * Resolves the credential references in a configuration, validates it and fills in defaults. References are
 * strings at the top level, and `writeOnly` strings at any level. Throws `credential_error` or
 * `config_invalid`, which name `place`.
 */
export async function resolveConfig(
  schema: JsonSchema,
  given: PluginConfig | null,
  place = 'config',
  denied = noDeniedSecrets,
): Promise<ResolvedConfig> {
  const resolved: Record<string, unknown> = structuredClone({ ...given });
  const closed = closeSchema(schema);
  const secrets: string[] = [];
  for (const { path, secret, known, value, replace } of valuesOf(schema, closed, resolved)) {
    if (known && isReference(value) && (path.length === 1 || secret)) {
      const text = await resolveReference(`${place}.${path.join('.')}`, value, denied);
      replace(text);
      secrets.push(text);
    } else if (secret && (typeof value === 'string' || typeof value === 'number')) {
      secrets.push(String(value));
    } else if (typeof value === 'string' && redactUrl(value) !== value) {
      secrets.push(value);
    }
  }
  applyCredentialRef(schema, resolved);
  const config = validateConfig(closed, resolved, place);
  return { config, secrets: variantsOf(secrets) };
}

/**
 * Resolves one secret, or another setting that is given as a reference. Returns undefined if it is not set.
 * Throws `credential_error`.
 */
export async function resolveSecret(
  schema: JsonSchema,
  given: PluginConfig,
  name: string,
  denied = noDeniedSecrets,
): Promise<string | undefined> {
  const places = valuesOf(schema, closeSchema(schema), { ...given });
  const isOnlySecret = findOnlySecretKey(schema) === name;
  const place =
    places.find((each) => canResolve(each) && each.path.join('.') === name) ??
    places.find((each) => isOnlySecret && isCredentialRef(each));
  const value = place?.value;
  if (typeof value !== 'string' || value === '') return undefined;
  return readSecret(`config.${name}`, value, denied);
}

/** Whether the value is a secret, or a reference in a top-level setting. */
function canResolve({ path, secret, known, value }: ConfigValue): boolean {
  return secret || (known && path.length === 1 && isReference(value));
}

/** Replaces secrets and unknown values by `***`. References stay. */
export function redactConfig(schema: JsonSchema, config: PluginConfig | null): PluginConfig | null {
  if (config === null) return null;
  const shown: Record<string, unknown> = structuredClone({ ...config });
  visitValues(schema, shown, (place) => {
    const { value } = place;
    if (isSecret(place) || !place.known) {
      if (!isReference(value) && value !== null) place.replace('***');
    } else if (typeof value === 'string') place.replace(redactUrl(value));
  });
  return shown;
}

/** Returns the paths of secrets in plain text, such as `token`, `login.password` or a URL with a password. */
export function findLiteralSecrets(schema: JsonSchema, config: PluginConfig | null): string[] {
  return valuesOf(schema, schema, { ...config })
    .filter((place) => typeof place.value === 'string' && !isReference(place.value))
    .filter((place) => isSecret(place) || redactUrl(String(place.value)) !== place.value)
    .map(({ path }) => path.join('.'));
}

/**
 * Returns the secrets that are set and all references at the top level, as written and with their paths, sorted by path.
 * `credential_ref` counts as the secret that it sets.
 */
export function findSecretValues(
  schema: JsonSchema,
  given: PluginConfig,
): (readonly [path: string, value: string | number])[] {
  const config = structuredClone({ ...given });
  applyCredentialRef(schema, config);
  return valuesOf(schema, closeSchema(schema), config)
    .flatMap(({ path, secret, value }) => {
      if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return [];
      const isNamed = path.length === 1 && isReference(value);
      const holdsPassword = typeof value === 'string' && redactUrl(value) !== value;
      return secret || isNamed || holdsPassword ? [[path.join('.'), value] as const] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Lists all values. `credential_ref` counts as known if the plugin has exactly one secret. */
function valuesOf(
  plugin: JsonSchema,
  schema: JsonSchema,
  config: Record<string, unknown>,
): ConfigValue[] {
  const places: ConfigValue[] = [];
  visitValues(schema, config, (place) => {
    const isSecretRef = isCredentialRef(place) && findOnlySecretKey(plugin) !== null;
    places.push(isSecretRef ? { ...place, known: true, secret: true } : place);
  });
  return places;
}

type ClosedSchema = { readonly type: 'object' };

/** Closed schemas by the schema of a plugin. */
const closedSchemas = new WeakMap<JsonSchema, ClosedSchema>();

/** Returns the schema with `type: object`, and without additional properties unless it allows them. */
function closeSchema(schema: JsonSchema): ClosedSchema {
  const known = closedSchemas.get(schema);
  if (known !== undefined) return known;
  const named = Object.fromEntries(propertyNames(schema).map((name) => [name, {}]));
  const closed: JsonSchema & ClosedSchema = {
    ...schema,
    type: 'object',
    properties: { ...named, ...schema.properties },
    additionalProperties: schema.additionalProperties ?? false,
  };
  closedSchemas.set(schema, closed);
  return closed;
}

/** Applies `credential_ref` to the only secret of the plugin, unless the configuration sets that secret. */
function applyCredentialRef(schema: JsonSchema, config: Record<string, unknown>): void {
  const value = config['credential_ref'];
  const key = findOnlySecretKey(schema);
  if (value === undefined || key === null) return;
  delete config['credential_ref'];
  config[key] ??= value;
}

/**
 * Returns the key of the plugin's only secret, which `credential_ref` sets. Returns null if the plugin has no
 * secret, several secrets, or a key named `credential_ref`.
 */
export function findOnlySecretKey(schema: JsonSchema): string | null {
  if (schema.properties?.['credential_ref'] !== undefined) return null;
  const [key, ...others] = Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.writeOnly === true)
    .map(([name]) => name);
  return key === undefined || others.length > 0 ? null : key;
}

function isCredentialRef({ path: [key, ...deeper] }: ConfigValue): boolean {
  return key === 'credential_ref' && deeper.length === 0;
}

function isSecret(place: ConfigValue): boolean {
  return place.secret || isCredentialRef(place);
}
