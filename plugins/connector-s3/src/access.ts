import { TroveError } from '@trove/core';

import type { S3Config } from './config.js';
import { loadProfile, type AwsEnvironment, type AwsProfile } from './profile.js';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The address of a store and the credentials for it. */
export interface S3Access {
  /** Null for unsigned requests. */
  readonly credentials: S3Credentials | null;
  readonly region: string;
  /** Null for Amazon. */
  readonly endpoint: string | null;
}

/** Loads the credentials of the role of this machine; null without a role. */
export type LoadRoleCredentials = (
  env: AwsEnvironment,
  region: string,
) => Promise<S3Credentials | null>;

/**
 * Finds address and credentials in the settings, the environment and the profile, in the order of the AWS tools. Credentials
 * may also come from a role. Throws `config_invalid` for half a key, and `credential_error` without a key.
 */
export async function loadAccess(
  config: S3Config,
  env: AwsEnvironment = process.env,
  loadRoleCredentials: LoadRoleCredentials = async () => null,
): Promise<S3Access> {
  const profile = await loadProfile(
    config.profile ?? firstNonEmpty(env['AWS_PROFILE'], env['AWS_DEFAULT_PROFILE']) ?? 'default',
    env,
  );
  const region =
    firstNonEmpty(
      config.region,
      env['AWS_REGION'],
      env['AWS_DEFAULT_REGION'],
      profile.get('region'),
    ) ?? 'us-east-1';
  const endpoint = firstNonEmpty(
    config.endpoint,
    env['AWS_ENDPOINT_URL_S3'],
    env['AWS_ENDPOINT_URL'],
    profile.get('endpoint_url'),
  );
  const key = async (): Promise<S3Credentials> => {
    const configured = findConfiguredKey(config, env, profile);
    const mayUseRole = config.profile === undefined && isAmazon(endpoint);
    return (
      configured ??
      (mayUseRole ? await loadRoleCredentials(env, region) : null) ??
      throwMissingKey(config)
    );
  };
  return {
    credentials: config.anonymous ? null : await key(),
    region,
    endpoint: endpoint?.replace(/\/+$/, '') ?? null,
  };
}

/** Returns whether the store is Amazon's. Other stores have no roles and must not see the tokens. */
function isAmazon(endpoint: string | undefined): boolean {
  if (endpoint === undefined) return true;
  return URL.canParse(endpoint) && /\.amazonaws\.com(?:\.cn)?$/.test(new URL(endpoint).hostname);
}

function findConfiguredKey(
  config: S3Config,
  env: AwsEnvironment,
  profile: AwsProfile,
): S3Credentials | null {
  const { access_key_id: id, secret_access_key: secret, session_token: token } = config;
  if ((id === undefined) !== (secret === undefined)) {
    throw new TroveError(
      'config_invalid',
      'Only one of `access_key_id` and `secret_access_key` is set. A key consists of both.',
      { suggestions: ['Set both, or neither to use the key of the AWS tools.'] },
    );
  }
  // A configured profile takes precedence over the environment.
  const environment = config.profile === undefined ? env : {};
  return (
    credentialsOf(id, secret, token) ??
    credentialsOf(
      environment['AWS_ACCESS_KEY_ID'],
      environment['AWS_SECRET_ACCESS_KEY'],
      environment['AWS_SESSION_TOKEN'],
    ) ??
    credentialsOf(
      profile.get('aws_access_key_id'),
      profile.get('aws_secret_access_key'),
      profile.get('aws_session_token'),
    )
  );
}

function throwMissingKey({ profile }: S3Config): never {
  throw new TroveError(
    'credential_error',
    profile === undefined
      ? 'There is no access key for the bucket in the settings of the source, in the environment of the server or in a profile. The server has no role, either.'
      : `There is no access key in the profile "${profile}".`,
    {
      suggestions: [
        'Set `access_key_id` and `secret_access_key` (as env:NAME), or `anonymous = true` for a public bucket.',
      ],
    },
  );
}

export function credentialsOf(id?: string, secret?: string, token?: string): S3Credentials | null {
  if (!isNonEmpty(id) || !isNonEmpty(secret)) return null;
  const key = { accessKeyId: id, secretAccessKey: secret };
  return isNonEmpty(token) ? { ...key, sessionToken: token } : key;
}

function firstNonEmpty(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find(isNonEmpty);
}

function isNonEmpty(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
