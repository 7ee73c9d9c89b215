import type { JsonSchema } from '@trove/core';
import { validateOnce } from '../validation.js';
import { propertyNames, visitPlaces, type Place } from './config-places.js';
import { isReference, nothingWithheld, resolveReference, secretOf } from './credentials.js';
import { tracesOf, withoutCredentials } from './redact.js';

/** A plugin's configuration, as given or resolved. */
export type Config = Readonly<Record<string, unknown>>;

/** A configuration ready for `create`. */
export interface ResolvedConfig {
  readonly config: Config;
  /** The forms in which its secrets could appear in messages. */
  readonly secrets: readonly string[];
}

/**
 * Resolves the credential references in a configuration, validates it and fills in defaults. References are strings at
 * the top level, and strings anywhere that the schema marks `writeOnly`; keys unknown to the schema are left for
 * validation to reject. Throws `credential_error` or `config_invalid`, which name `place`.
 */
export async function resolveConfig(
  schema: JsonSchema,
  given: Config | null,
  place = 'config',
  deniedRoots = nothingWithheld,
): Promise<ResolvedConfig> {
  const resolved: Record<string, unknown> = structuredClone({ ...given });
  const held = strict(schema);
  const secrets: string[] = [];
  for (const { path, secret, known, value, replace } of placesOf(schema, held, resolved)) {
    if (known && isReference(value) && (path.length === 1 || secret)) {
      const text = await resolveReference(`${place}.${path.join('.')}`, value, deniedRoots);
      replace(text);
      secrets.push(text);
    } else if (secret && (typeof value === 'string' || typeof value === 'number')) {
      secrets.push(String(value));
    } else if (typeof value === 'string' && withoutCredentials(value) !== value) {
      secrets.push(value);
    }
  }
  applyCredentialRef(schema, resolved);
  const config = validateOnce(held, resolved, place, 'config_invalid');
  return { config, secrets: tracesOf(secrets) };
}

/**
 * One secret of a configuration, or another setting that is given as a reference, resolved now; undefined if there is none.
 * Throws `credential_error`.
 */
export async function resolveSecret(
  schema: JsonSchema,
  given: Config,
  name: string,
  deniedRoots = nothingWithheld,
): Promise<string | undefined> {
  const places = placesOf(schema, strict(schema), { ...given });
  const supplied = suppliedKey(schema) === name;
  const place =
    places.find((each) => mayBeResolved(each) && each.path.join('.') === name) ??
    places.find((each) => supplied && isCredentialRef(each));
  const value = place?.value;
  if (typeof value !== 'string' || value === '') return undefined;
  return secretOf(`config.${name}`, value, deniedRoots);
}

/** Whether the value is a secret or a reference in a top-level setting. Such a reference is meant to be resolved. */
function mayBeResolved({ path, secret, known, value }: Place): boolean {
  return secret || (known && path.length === 1 && isReference(value));
}

/** A configuration that is safe to show: secrets and anything unknown to the schema become `***`; references stay. */
export function redactConfig(schema: JsonSchema, config: Config | null): Config | null {
  if (config === null) return null;
  const shown: Record<string, unknown> = structuredClone({ ...config });
  visitPlaces(schema, shown, (place) => {
    const { value } = place;
    if (isSecret(place) || !place.known) {
      if (!isReference(value) && value !== null) place.replace('***');
    } else if (typeof value === 'string') place.replace(withoutCredentials(value));
  });
  return shown;
}

/** Paths of settings with a secret as plain text: `token`, `login.password`, an address with a password. */
export function literalSecrets(schema: JsonSchema, config: Config | null): string[] {
  return placesOf(schema, schema, { ...config })
    .filter((place) => typeof place.value === 'string' && !isReference(place.value))
    .filter((place) => isSecret(place) || withoutCredentials(String(place.value)) !== place.value)
    .map(({ path }) => path.join('.'));
}

/** Every place as `schema` describes it; `credential_ref` is known to schemas that have a secret for it. */
function placesOf(
  plugin: JsonSchema,
  schema: JsonSchema,
  config: Record<string, unknown>,
): Place[] {
  const places: Place[] = [];
  visitPlaces(schema, config, (place) => {
    const supplies = isCredentialRef(place) && suppliedKey(plugin) !== null;
    places.push(supplies ? { ...place, known: true, secret: true } : place);
  });
  return places;
}

/** The schema that configurations must match: an object, without unknown keys unless the schema allows them. */
function strict(schema: JsonSchema): { readonly type: 'object' } {
  const named = Object.fromEntries(propertyNames(schema).map((name) => [name, {}]));
  const held: JsonSchema & { readonly type: 'object' } = {
    ...schema,
    type: 'object',
    properties: { ...named, ...schema.properties },
    additionalProperties: schema.additionalProperties ?? false,
  };
  return held;
}

/** `credential_ref` supplies the plugin's one secret when the configuration does not name it. */
function applyCredentialRef(schema: JsonSchema, config: Record<string, unknown>): void {
  const value = config['credential_ref'];
  const key = suppliedKey(schema);
  if (value === undefined || key === null) return;
  delete config['credential_ref'];
  config[key] ??= value;
}

/**
 * The secret supplied by `credential_ref`; null if there is not exactly one, or if the plugin has its own key of that
 * name.
 */
export function suppliedKey(schema: JsonSchema): string | null {
  if (schema.properties?.['credential_ref'] !== undefined) return null;
  const [key, ...others] = Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.writeOnly === true)
    .map(([name]) => name);
  return key === undefined || others.length > 0 ? null : key;
}

function isCredentialRef({ path: [key, ...deeper] }: Place): boolean {
  return key === 'credential_ref' && deeper.length === 0;
}

function isSecret(place: Place): boolean {
  return place.secret || isCredentialRef(place);
}
