import type { Infer, JsonSchema } from '@trove/core';

/** What a bucket may be called. */
export const bucketNamePattern = '^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9._-]{1,253}$';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    bucket: {
      type: 'string',
      pattern: bucketNamePattern,
      description:
        'Name of the bucket, if the target is a name of your own for it (`s3://photos`). Default: what the target names.',
    },
    prefix: {
      type: 'string',
      minLength: 1,
      description:
        'Folder of the bucket to take in, before the path of the target. Default: all of it.',
    },
    endpoint: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      description:
        "Where the store answers, if it is not Amazon's: https://ACCOUNT.r2.cloudflarestorage.com, https://storage.googleapis.com, http://minio:9000, https://PROJECT.supabase.co/storage/v1/s3. Default: what AWS_ENDPOINT_URL says, else Amazon.",
    },
    region: {
      type: 'string',
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description:
        'Region of the bucket. Default: what AWS_REGION or the profile says, else us-east-1; a store that names another one is followed.',
    },
    access_key_id: {
      type: 'string',
      minLength: 1,
      description: 'Id of the access key. Default: what the AWS tools would use.',
    },
    secret_access_key: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'The secret of that key, best given as env:NAME or file:/path.',
    },
    session_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Only for temporary credentials: their token, best given as env:NAME.',
    },
    profile: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'Profile in ~/.aws/credentials and ~/.aws/config to take the key and the region from. Default: AWS_PROFILE, else default.',
    },
    anonymous: {
      type: 'boolean',
      default: false,
      description:
        'Whether requests are sent without a key, to a bucket that is open to everybody.',
    },
    virtual_hosted_style: {
      type: 'boolean',
      description:
        "Whether the name of the bucket is in the host of the address, else in its path. Default: in the host at Amazon's, in the path elsewhere.",
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file at the root of the source. They take precedence: "!dist/" includes what a built-in rule leaves out.',
    },
  },
} as const satisfies JsonSchema;

export type S3Config = Infer<typeof configSchema>;
