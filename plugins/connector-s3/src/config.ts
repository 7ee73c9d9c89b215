import type { Infer, JsonSchema } from '@trove/core';

/** Pattern of valid bucket names. */
export const bucketNamePattern = '^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9._-]{1,253}$';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    bucket: {
      type: 'string',
      pattern: bucketNamePattern,
      description:
        'Name of the bucket, if the target is a name of your own (`s3://photos`). Default: the bucket of the target.',
    },
    prefix: {
      type: 'string',
      minLength: 1,
      description:
        'Folder of the bucket, before the path of the target. Default: the whole bucket.',
    },
    endpoint: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      description:
        "Address of a store other than Amazon's: https://ACCOUNT.r2.cloudflarestorage.com, https://storage.googleapis.com, http://minio:9000, https://PROJECT.supabase.co/storage/v1/s3. Default: AWS_ENDPOINT_URL, else Amazon.",
    },
    region: {
      type: 'string',
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description:
        'Region of the bucket. Default: AWS_REGION, else the region of the profile, else us-east-1. Redirects to another region are followed.',
    },
    access_key_id: {
      type: 'string',
      minLength: 1,
      description: 'Id of the access key. Default: the key that the AWS tools use.',
    },
    secret_access_key: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'The secret of that key, preferably as env:NAME or file:/path.',
    },
    session_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Token of temporary credentials, preferably as env:NAME.',
    },
    profile: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'Profile in ~/.aws/credentials and ~/.aws/config with the key and the region. Default: AWS_PROFILE, else default.',
    },
    anonymous: {
      type: 'boolean',
      default: false,
      description: 'Whether requests are sent without a key, for a public bucket.',
    },
    virtual_hosted_style: {
      type: 'boolean',
      description:
        'Whether the bucket name is in the host of the address instead of its path. Default: true at Amazon, false elsewhere.',
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file at the root of the source. They take precedence: "!dist/" includes a folder that a built-in rule leaves out.',
    },
  },
} as const satisfies JsonSchema;

export type S3Config = Infer<typeof configSchema>;
