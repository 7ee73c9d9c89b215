import type { Infer } from '@trove/core';

export const configSchema = {
  type: 'object',
  properties: {
    token: {
      type: 'string',
      description: 'API key of LanceDB Cloud. Only a db:// index needs it.',
      writeOnly: true,
    },
    endpoint: {
      type: 'string',
      pattern: '^https?://',
      description: "Base URL of an S3 store other than Amazon's. Default: $AWS_ENDPOINT_URL.",
    },
    region: {
      type: 'string',
      description: 'Region of an S3 store. Default: $AWS_REGION, or us-east-1 with an endpoint.',
    },
    access_key_id: {
      type: 'string',
      description: 'Access key of an S3 store. Default: as for the AWS tools.',
    },
    secret_access_key: {
      type: 'string',
      description: 'Secret key of an S3 store. Default: as for the AWS tools.',
      writeOnly: true,
    },
    session_token: {
      type: 'string',
      description: 'Session token of temporary credentials for an S3 store.',
      writeOnly: true,
    },
    virtual_hosted_style: {
      type: 'boolean',
      description:
        'Whether the host of the S3 endpoint contains the bucket name. Otherwise the path contains it.',
    },
  },
  additionalProperties: false,
} as const;

export type LanceConfig = Infer<typeof configSchema>;

/** Settings by their LanceDB names. */
export type StorageOptions = Record<string, string>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the endpoint of an S3 store, or null for Amazon's own. */
export function endpointOf(config: LanceConfig, env: Environment = process.env): string | null {
  const { AWS_ENDPOINT_URL_S3: s3, AWS_ENDPOINT_URL: url, AWS_ENDPOINT: plain } = env;
  return (
    config.endpoint ?? [s3, url, plain].find((text) => text !== undefined && text !== '') ?? null
  );
}

/** Returns the name of the object store in a URI, or null for a folder and LanceDB Cloud. */
export function storeOf(uri: string, config: LanceConfig): string | null {
  const [, scheme = ''] = /^(s3|gs|az):/.exec(uri) ?? [];
  if (scheme === '') return null;
  const endpoint = scheme === 's3' ? endpointOf(config) : null;
  return endpoint === null ? (stores[scheme] ?? null) : new URL(endpoint).origin;
}

const stores: Readonly<Record<string, string>> = {
  s3: 'Amazon S3',
  gs: 'Google Cloud Storage',
  az: 'Azure Blob Storage',
};

/**
 * Returns the settings of an S3 store. LanceDB takes missing ones from the environment, the AWS files and the machine,
 * like the AWS tools.
 */
export function s3Options(config: LanceConfig, env: Environment = process.env): StorageOptions {
  const endpoint = endpointOf(config, env);
  const region = config.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  return given({
    aws_endpoint: endpoint,
    // An explicit address without TLS is intentional.
    allow_http: endpoint?.startsWith('http://') === true ? 'true' : null,
    // Without a region, the store queries the machine for seconds, and only Amazon's machines answer.
    aws_region: region ?? (endpoint === null ? null : 'us-east-1'),
    aws_access_key_id: config.access_key_id,
    aws_secret_access_key: config.secret_access_key,
    aws_session_token: config.session_token,
    aws_virtual_hosted_style_request: config.virtual_hosted_style === true ? 'true' : null,
  });
}

function given(options: Readonly<Record<string, string | null | undefined>>): StorageOptions {
  const known: StorageOptions = {};
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'string' && value !== '') known[name] = value;
  }
  return known;
}
