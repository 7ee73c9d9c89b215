import { TroveError } from '@trove/core';

import type { AzureConfig } from './config.js';

export type AzureEnvironment = Readonly<Record<string, string | undefined>>;

/** The address of a storage account, and the login for it. */
export interface BlobAccess {
  /** Without a final slash. */
  readonly endpoint: string;
  readonly account: string;
  /** Null without one. */
  readonly key: Buffer | null;
  /** Parameters of a shared access signature; null without one. */
  readonly sas: URLSearchParams | null;
}

type Secrets = Pick<AzureConfig, 'account_key' | 'sas_token' | 'connection_string'>;

/**
 * Finds address and login in the settings, else in the environment as the Azure tools do. Throws `config_invalid` for several
 * logins, and `credential_error` without one.
 */
export function accessOf(
  account: string,
  config: AzureConfig,
  env: AzureEnvironment = process.env,
): BlobAccess {
  const configured = [config.account_key, config.sas_token, config.connection_string];
  const count = configured.filter((secret) => secret !== undefined).length;
  if (count > 1 || (count === 1 && config.anonymous)) {
    throw new TroveError('config_invalid', 'More than one login is set for the storage account.', {
      suggestions: ['Set one of `account_key`, `sas_token`, `connection_string` and `anonymous`.'],
    });
  }
  const secrets = count === 0 && !config.anonymous ? environmentSecrets(account, env) : config;
  const parts = parseConnectionString(secrets.connection_string ?? '');
  const sas = secrets.sas_token ?? parts.get('sharedaccesssignature');
  const key = secrets.account_key ?? parts.get('accountkey');
  if (sas === undefined && key === undefined && !config.anonymous) throw missingLogin(account);
  const own = parts.get('accountname');
  if (own !== undefined && own !== account) {
    throw new TroveError('config_invalid', `The connection string is for the account "${own}".`, {
      suggestions: [
        `Write azure://${own}/CONTAINER, or set the connection string of "${account}".`,
      ],
    });
  }
  const endpoint = config.endpoint ?? endpointOf(account, parts);
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    account,
    key: key === undefined || sas !== undefined ? null : parseKey(key),
    sas: sas === undefined ? null : new URLSearchParams(sas.replace(/^\?/, '')),
  };
}

/** The login in the environment, if it is for this account. */
function environmentSecrets(account: string, env: AzureEnvironment): Secrets {
  const connection = env['AZURE_STORAGE_CONNECTION_STRING'] || undefined;
  const isOwn = parseConnectionString(connection ?? '').get('accountname') === account;
  if (connection !== undefined && isOwn) return { connection_string: connection };
  if (env['AZURE_STORAGE_ACCOUNT'] !== account) return {};
  const sas = env['AZURE_STORAGE_SAS_TOKEN'] || undefined;
  if (sas !== undefined) return { sas_token: sas };
  const key = env['AZURE_STORAGE_KEY'] || undefined;
  return key === undefined ? {} : { account_key: key };
}

/** Parses `AccountName=…;AccountKey=…` with names in lower case. */
function parseConnectionString(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(';').map((pair) => /^\s*(\w+)=(.*)$/.exec(pair.trim()));
  return new Map(
    pairs.flatMap((pair) =>
      pair === null ? [] : [[pair[1]?.toLowerCase() ?? '', pair[2] ?? ''] as const],
    ),
  );
}

function endpointOf(account: string, parts: ReadonlyMap<string, string>): string {
  const stated = parts.get('blobendpoint');
  if (stated !== undefined) return stated;
  const protocol = parts.get('defaultendpointsprotocol') ?? 'https';
  return `${protocol}://${account}.blob.${parts.get('endpointsuffix') ?? 'core.windows.net'}`;
}

function parseKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length > 0 && /^[A-Za-z0-9+/]+=*$/.test(text.trim())) return key;
  throw new TroveError('credential_error', 'The account key is not valid: it is not base64.', {
    suggestions: ['Copy the key from "Access keys" of the storage account.'],
  });
}

function missingLogin(account: string): TroveError {
  return new TroveError(
    'credential_error',
    `There is no login for the storage account "${account}".`,
    {
      suggestions: [
        'Set `sas_token`, `account_key` or `connection_string` (as env:NAME), or `anonymous = true` for a public container.',
      ],
    },
  );
}
