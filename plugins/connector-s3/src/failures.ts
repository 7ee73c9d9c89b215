import { TroveError, type ErrorCode } from '@trove/core';

/** An unsuccessful response. */
export interface S3Refusal {
  readonly status: number;
  /** Error code of S3, such as `NoSuchKey`; '' without one. */
  readonly code: string;
  /** Message of the store. */
  readonly message: string;
  /** Requested pause in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** The refused request. */
export interface RefusedRequest {
  readonly bucket: string;
  /** Null for a request to the bucket itself. */
  readonly key: string | null;
  /** Host of the address, for messages. */
  readonly host: string;
  readonly isAnonymous: boolean;
}

interface ErrorText {
  readonly code?: ErrorCode;
  readonly detail: string;
  readonly suggestion: string;
}

const expiredToken: ErrorText = {
  detail: 'The session token of the access key has expired or is not valid.',
  suggestion: 'Set new temporary credentials with their `session_token`.',
};
const clockSkew: ErrorText = {
  detail: "The clock of this machine differs too much from the store's clock.",
  suggestion: 'Set the clock of the machine that Trove runs on (timedatectl set-ntp true).',
};

/** Messages by error code of S3. */
const knownRefusals: Readonly<Record<string, ErrorText>> = {
  InvalidAccessKeyId: {
    detail: 'The store does not know the access key id.',
    suggestion: 'Correct `access_key_id`, or `endpoint` if the key is for another store.',
  },
  SignatureDoesNotMatch: {
    detail: 'The secret access key is wrong.',
    suggestion: 'Correct `secret_access_key`. It belongs to the `access_key_id`.',
  },
  ExpiredToken: expiredToken,
  InvalidToken: expiredToken,
  TokenRefreshRequired: expiredToken,
  RequestTimeTooSkewed: clockSkew,
  RequestExpired: clockSkew,
};

const transientCodes = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'Throttling',
  'ThrottlingException',
  'TooManyRequests',
  'OperationAborted',
]);

/** Creates an error with a remedy for an unsuccessful response. */
export function refusalError(refusal: S3Refusal, request: RefusedRequest): TroveError {
  const { status, code, retryAfterMs } = refusal;
  if (status >= 500 || status === 429 || status === 408 || transientCodes.has(code)) {
    const reason = code === '' ? `HTTP ${status}` : `HTTP ${status}, ${code}`;
    return new TroveError('connector_unhealthy', `${request.host} could not answer (${reason}).`, {
      suggestions: ['Try again later.'],
      retryable: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  const text =
    knownRefusals[code] ?? bucketErrorText(refusal, request) ?? unknownErrorText(refusal, request);
  return new TroveError(text.code ?? 'connector_unhealthy', text.detail, {
    suggestions: [text.suggestion],
  });
}

function bucketErrorText(
  { status, code }: S3Refusal,
  { bucket, key, host, isAnonymous }: RefusedRequest,
): ErrorText | null {
  if (code === 'NoSuchBucket') {
    return {
      detail: `There is no bucket "${bucket}" at ${host}.`,
      suggestion: 'Correct the name in the target, or `endpoint`.',
    };
  }
  if (status === 404 && key !== null) {
    return {
      code: 'not_found',
      detail: `There is nothing at "${key}".`,
      suggestion: 'List the objects with `ls`.',
    };
  }
  if (code === 'InvalidObjectState') {
    return {
      code: 'path_not_allowed',
      detail: `"${key}" is archived and cannot be read.`,
      suggestion: 'Restore it in the store, or leave it out with `ignore`.',
    };
  }
  if (status !== 403 && status !== 401) return null;
  const user = isAnonymous ? 'A user without an access key' : 'The owner of the access key';
  // A forbidden object is no failure of the bucket.
  return key === null
    ? {
        detail: `${user} may not list the bucket "${bucket}".`,
        suggestion: isAnonymous
          ? 'Set an access key, or allow everyone to list it (s3:ListBucket).'
          : 'Allow it to list the bucket and to read its objects (s3:ListBucket, s3:GetObject).',
      }
    : {
        code: 'path_not_allowed',
        detail: `${user} may not read "${key}".`,
        suggestion: 'Allow it to read the objects of the bucket (s3:GetObject).',
      };
}

function unknownErrorText(
  { status, code, message }: S3Refusal,
  { host }: RefusedRequest,
): ErrorText {
  const isS3 = code !== '';
  return {
    detail: isS3
      ? `${host} refused the request (HTTP ${status}, ${code})${message === '' ? '.' : `: ${message}`}`
      : `${host} does not answer like an S3 store (HTTP ${status}).`,
    suggestion: 'Check `endpoint` and `region` in the settings of the source.',
  };
}
