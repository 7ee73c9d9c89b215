import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { TroveError, type JsonSchema } from '@trove/core';
import { validate } from '../validation.js';

type Config = Readonly<Record<string, unknown>>;

/** A configuration that is ready for `create`, with the secrets in it, so that they can be kept out of messages. */
export interface ResolvedConfig {
  readonly config: Config;
  readonly secrets: readonly string[];
}

/**
 * Resolves the credential references of a configuration, validates it and fills in defaults. Throws
 * `credential_error` or `config_invalid`.
 */
export async function resolveConfig(
  schema: JsonSchema,
  given: Config | null,
): Promise<ResolvedConfig> {
  const secrets: string[] = [];
  const resolved: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given ?? {})) {
    const reference = typeof value === 'string' && isReference(value);
    const plain = reference ? await resolveReference(key, value) : value;
    if (typeof plain === 'string' && (reference || isSecret(schema, key))) secrets.push(plain);
    resolved[key] = plain;
  }
  applyCredentialRef(schema, resolved);
  const config = validate(strict(schema), resolved, 'config', 'config_invalid');
  return { config, secrets: secrets.filter((secret) => secret.length >= 4) };
}

const strictSchemas = new WeakMap<JsonSchema, StrictSchema>();

type StrictSchema = JsonSchema & {
  readonly type: 'object';
  readonly additionalProperties: JsonSchema | boolean;
};

/** The schema as configurations are held to: an object, without unknown keys unless it asks for them. */
function strict(schema: JsonSchema): { readonly type: 'object' } {
  let made = strictSchemas.get(schema);
  if (made === undefined) {
    made = {
      ...schema,
      type: 'object',
      additionalProperties: schema.additionalProperties ?? false,
    };
    strictSchemas.set(schema, made);
  }
  return made;
}

/** A configuration as it may be shown: secrets are `***`, references stand as they are. */
export function redactConfig(schema: JsonSchema, config: Config | null): Config | null {
  if (config === null) return null;
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const hide = isSecret(schema, key) && !(typeof value === 'string' && isReference(value));
      return [key, hide ? '***' : value];
    }),
  );
}

/** The keys that hold a secret as plain text. */
export function literalSecrets(schema: JsonSchema, config: Config | null): string[] {
  return Object.entries(config ?? {})
    .filter(
      ([key, value]) => isSecret(schema, key) && typeof value === 'string' && !isReference(value),
    )
    .map(([key]) => key);
}

/** `credential_ref` supplies the plugin's one secret when the configuration does not name it. */
function applyCredentialRef(schema: JsonSchema, config: Record<string, unknown>): void {
  const value = config['credential_ref'];
  if (value === undefined || schema.properties?.['credential_ref'] !== undefined) return;
  const [key, ...others] = secretKeys(schema);
  if (key === undefined || others.length > 0) return;
  delete config['credential_ref'];
  config[key] ??= value;
}

function isSecret(schema: JsonSchema, key: string): boolean {
  return key === 'credential_ref' || schema.properties?.[key]?.writeOnly === true;
}

function secretKeys(schema: JsonSchema): string[] {
  return Object.keys(schema.properties ?? {}).filter((key) => isSecret(schema, key));
}

function isReference(value: string): boolean {
  return value.startsWith('env:') || value.startsWith('file:');
}

async function resolveReference(key: string, reference: string): Promise<string> {
  if (reference.startsWith('env:')) {
    const name = reference.slice('env:'.length);
    const value = process.env[name];
    if (value === undefined || value === '') {
      throw new TroveError(
        'credential_error',
        `config.${key}: the environment variable ${name} is not set`,
      );
    }
    return value;
  }
  const path = reference.slice('file:'.length);
  if (!isAbsolute(path) || path.startsWith('//')) {
    throw new TroveError('credential_error', `config.${key}: \`file:\` needs an absolute path`);
  }
  try {
    return (await readFile(path, 'utf8')).trimEnd();
  } catch (cause) {
    throw new TroveError('credential_error', `config.${key}: ${path} cannot be read`, { cause });
  }
}
