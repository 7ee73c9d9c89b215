import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, TroveError, isTroveError, type ErrorCode } from '@trove/core';

const maxAttempts = 12;
const firstPauseMs = 10;
const maxPauseMs = 1000;

/** Waits before another attempt, longer each time, with jitter so that processes do not retry in step. */
export async function pause(attempt: number): Promise<void> {
  const longest = Math.min(maxPauseMs, firstPauseMs * 2 ** attempt);
  await delay(longest * (0.5 + Math.random() / 2));
}

/** Retries up to 12 times while `isRetryable` accepts the error. Default: conflicts with commits of other processes. */
export async function retryWhile<T>(
  action: () => Promise<T>,
  isRetryable: (error: unknown) => boolean = isConflict,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (attempt === maxAttempts - 1 || !isRetryable(error)) throw error;
      await pause(attempt);
    }
  }
}

/**
 * Runs a call to the store. Converts its errors to `storage_unavailable` or `disk_full`. `what` completes "The index could
 * not …".
 */
export async function translateErrors<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw isTroveError(error) || isAbort(error) ? error : toTroveError(what, error);
  }
}

function toTroveError(what: string, error: unknown): TroveError {
  const text = messageOf(error);
  const known = causes.find(({ pattern }) => pattern.test(text));
  // The store's message goes only to the log, because it mentions SQL, paths and native code.
  const reason = known === undefined ? '' : `: ${known.reason}`;
  return new TroveError(
    known?.code ?? 'storage_unavailable',
    `The index could not ${what}${reason}`,
    {
      cause: error,
      retryable: known?.retryable ?? false,
      ...(known?.suggestion === undefined ? {} : { suggestions: [known.suggestion] }),
    },
  );
}

/** Lance's messages about a file with different content than was written. */
const damagePattern =
  /corrupt|magic|unexpected eof|end of file|fill whole buffer|invalid range|sufficient data|file size is/i;

export function isDamaged(error: unknown): boolean {
  return damagePattern.test(messageOf(error));
}

/** Whether files of a table are missing or damaged. False for a missing column or table. */
export function hasLostFiles(error: unknown): boolean {
  const text = messageOf(isTroveError(error) ? error.cause : error);
  return damagePattern.test(text) || /(?:not found|no such file)[^,]*\.lance\//i.test(text);
}

interface FailureCause {
  /** Default `storage_unavailable`. */
  readonly code?: ErrorCode;
  readonly pattern: RegExp;
  readonly reason: string;
  readonly suggestion?: string;
  readonly retryable?: boolean;
}

const causes: readonly FailureCause[] = [
  {
    code: 'disk_full',
    pattern: /no space left|disk quota|os error 28/i,
    reason: 'the disk is full',
    suggestion: 'Free some space on the disk that holds the index, then try again.',
    retryable: true,
  },
  {
    pattern: /NoSuchBucket|ContainerNotFound|The specified bucket does not exist/,
    reason: 'the bucket does not exist',
    suggestion: 'Create the bucket in `[index].uri`, or use another one.',
  },
  {
    pattern:
      /SignatureDoesNotMatch|InvalidAccessKeyId|AccessDenied|ExpiredToken|status: 40[13]\b|AuthenticationFailed/,
    reason: 'the object store refused the credentials',
    suggestion:
      'Check the access key, its secret and its rights to the bucket, in the environment of the server (AWS_ACCESS_KEY_ID …) or in `[plugin_config.vector-index.s3]`.',
  },
  {
    pattern: /permission denied|os error 13|read-only file system|os error 30/i,
    reason: 'its folder is not writable',
    suggestion: 'Make the index folder readable and writable for the user that runs the server.',
  },
  {
    pattern: /too many open files|os error 24/i,
    reason: 'the process has too many open files',
    suggestion: 'Raise the limit of open files (`ulimit -n`).',
    retryable: true,
  },
  {
    pattern: /generic (s3|gcs|microsoftazure) error|store: "(s3|gcs|microsoftazure)"/i,
    reason: 'the object store cannot be reached',
    suggestion:
      'Check the bucket, the network, and the endpoint and region in the environment of the server.',
    retryable: true,
  },
  {
    pattern: /conflict|concurrent/i,
    reason: 'other processes kept writing to it',
    retryable: true,
  },
  {
    pattern: new RegExp(`not found|no such file|${damagePattern.source}`, 'i'),
    reason: 'its files are damaged or incomplete',
    suggestion:
      'Restart the server. It starts a local index from empty and indexes the sources again. For another index, remove the tables first.',
  },
];

/*
 * LanceDB's errors have neither codes nor classes. Only this file recognizes its messages. A test compares each with
 * LanceDB.
 */

/** The table already exists. Another process may just have created it. */
export function tableExists(error: unknown): boolean {
  return /already exists/i.test(messageOf(error));
}

/** A table or one of its files no longer exists. */
export function isTableMissing(error: unknown): boolean {
  return /not found/i.test(messageOf(error));
}

/** A merge found a key twice because another process has just written it. */
export function isDuplicate(error: unknown): boolean {
  return /ambiguous merge/i.test(messageOf(error));
}

/** Lance's wording for a concurrent commit that came first. */
export function isConflict(error: unknown): boolean {
  return /conflict|concurrent/i.test(messageOf(error));
}

/** A table that another process is just creating has a folder but no version yet. */
export function isBeingCreated(error: unknown): boolean {
  return isConflict(error) || /_versions\b/.test(messageOf(error));
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
