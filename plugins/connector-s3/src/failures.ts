import { TroveError, type ErrorCode } from '@trove/core';

/** An answer that is no success. */
export interface S3Refusal {
  readonly status: number;
  /** S3's own name for it, such as `NoSuchKey`; '' when there is none. */
  readonly code: string;
  /** In the store's words. */
  readonly message: string;
  /** Milliseconds that the store asks to wait. */
  readonly retryAfterMs: number | undefined;
}

/** Who was asked for what. */
export interface RefusedRequest {
  readonly bucket: string;
  /** Null: the bucket was asked for its objects. */
  readonly key: string | null;
  /** Host of the address, for people. */
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
  suggestion: 'Give new temporary credentials, with their `session_token`.',
};
const clockSkew: ErrorText = {
  detail: "The clock of this machine differs from the store's by more than is allowed.",
  suggestion: 'Set the clock of the machine that Trove runs on (timedatectl set-ntp true).',
};

/** By S3's code, whatever was asked for. */
const knownRefusals: Readonly<Record<string, ErrorText>> = {
  InvalidAccessKeyId: {
    detail: 'The store does not know the access key id.',
    suggestion: 'Correct `access_key_id`, and `endpoint` if the key is of another store.',
  },
  SignatureDoesNotMatch: {
    detail: 'The secret access key is wrong.',
    suggestion: 'Correct `secret_access_key`: it belongs to that `access_key_id`.',
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

/** What an answer means, in a sentence that says what to do. */
export function refusalError(refusal: S3Refusal, request: RefusedRequest): TroveError {
  const { status, code, retryAfterMs } = refusal;
  if (status >= 500 || status === 429 || status === 408 || transientCodes.has(code)) {
    const said = code === '' ? `HTTP ${status}` : `HTTP ${status}, ${code}`;
    return new TroveError('connector_unhealthy', `${request.host} could not answer (${said}).`, {
      suggestions: ['Try again later.'],
      retryable: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  const words =
    knownRefusals[code] ?? bucketErrorText(refusal, request) ?? unknownErrorText(refusal, request);
  return new TroveError(words.code ?? 'connector_unhealthy', words.detail, {
    suggestions: [words.suggestion],
  });
}

function bucketErrorText(
  { status, code }: S3Refusal,
  { bucket, key, host, isAnonymous }: RefusedRequest,
): ErrorText | null {
  if (code === 'NoSuchBucket') {
    return {
      detail: `There is no bucket "${bucket}" at ${host}.`,
      suggestion: 'Correct its name in the target, or `endpoint`.',
    };
  }
  if (status === 404 && key !== null) {
    return {
      code: 'not_found',
      detail: `There is nothing at "${key}".`,
      suggestion: 'List what there is with `ls`.',
    };
  }
  if (code === 'InvalidObjectState') {
    return {
      code: 'path_not_allowed',
      detail: `"${key}" is archived, and cannot be read.`,
      suggestion: 'Restore it in the store, or leave it out with `ignore`.',
    };
  }
  if (status !== 403 && status !== 401) return null;
  const who = isAnonymous ? 'Whoever has no access key' : 'The owner of the access key';
  // An object that must not be read says nothing about the others.
  return key === null
    ? {
        detail: `${who} may not list the bucket "${bucket}".`,
        suggestion: isAnonymous
          ? 'Give an access key, or let everybody list it (s3:ListBucket).'
          : 'Allow it to list the bucket and to read its objects (s3:ListBucket, s3:GetObject).',
      }
    : {
        code: 'path_not_allowed',
        detail: `${who} may not read "${key}".`,
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
      : `${host} does not answer as an S3 store does (HTTP ${status}).`,
    suggestion: 'Check `endpoint` and `region` in the settings of the source.',
  };
}
