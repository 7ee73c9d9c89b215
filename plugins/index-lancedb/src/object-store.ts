import type { Infer } from '@trove/core';

export const configSchema = {
  type: 'object',
  properties: {
    token: {
      type: 'string',
      description: 'API key of LanceDB Cloud; needed for a db:// index only.',
      writeOnly: true,
    },
    endpoint: {
      type: 'string',
      pattern: '^https?://',
      description: "Base URL of an S3 store other than Amazon's; by default $AWS_ENDPOINT_URL.",
    },
    region: {
      type: 'string',
      description:
        'Region of an S3 store; by default $AWS_REGION, and us-east-1 where there is an endpoint.',
    },
    access_key_id: {
      type: 'string',
      description: 'For an S3 store; by default what the AWS tools would use.',
    },
    secret_access_key: {
      type: 'string',
      description: 'For an S3 store; by default what the AWS tools would use.',
      writeOnly: true,
    },
    session_token: {
      type: 'string',
      description: 'Of temporary credentials for an S3 store.',
      writeOnly: true,
    },
    virtual_hosted_style: {
      type: 'boolean',
      description:
        'Whether the endpoint of an S3 store has the name of the bucket in its host; else it is added to the path.',
    },
  },
  additionalProperties: false,
} as const;

export type LanceConfig = Infer<typeof configSchema>;

/** LanceDB's names of settings, as it takes them. */
export type StorageOptions = Record<string, string>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where an S3 store is, unless Amazon decides that by itself. */
export function endpointOf(config: LanceConfig, env: Environment = process.env): string | null {
  const { AWS_ENDPOINT_URL_S3: s3, AWS_ENDPOINT_URL: url, AWS_ENDPOINT: plain } = env;
  return (
    config.endpoint ?? [s3, url, plain].find((text) => text !== undefined && text !== '') ?? null
  );
}

/** Which object store a URI is in; null for a folder and LanceDB Cloud. */
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
 * Settings of an S3 store. What is not here LanceDB takes from the environment, from the AWS files and from the machine,
 * as the AWS tools do.
 */
export function s3Options(config: LanceConfig, env: Environment = process.env): StorageOptions {
  const endpoint = endpointOf(config, env);
  const region = config.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  return given({
    aws_endpoint: endpoint,
    // Whoever names an address without TLS means it.
    allow_http: endpoint?.startsWith('http://') === true ? 'true' : null,
    // Without one, the store would ask the machine for its region for seconds, which only Amazon's answer.
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
