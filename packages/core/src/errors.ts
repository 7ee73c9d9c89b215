import { errorCatalogue, isErrorCode, type ErrorCode } from './error-catalogue.js';

export * from './error-catalogue.js';

/** One violation of a schema. */
export interface Violation {
  /** The path of the value: `['query', 'top_k']`. */
  readonly path: readonly string[];
  /** The reason, for people: `must be >= 1`. */
  readonly reason: string;
  /** The violated keyword of the schema: `minimum`. */
  readonly rule: string;
}

export interface TroveErrorOptions {
  readonly suggestions?: readonly string[];
  readonly cause?: unknown;
  /**
   * A plugin's own error code, shown instead of the base code: a key of the plugin, a dot, and a word
   * (`slack.missing_scope`).
   */
  readonly pluginCode?: string;
  /** Whether the same call may succeed later. Default false. */
  readonly retryable?: boolean;
  /** The earliest time for a retry, in milliseconds from now, if the source named one. */
  readonly retryAfterMs?: number;
  /** The violations of a failed validation, one by one. */
  readonly violations?: readonly Violation[];
  /** The job that continues although the call has ended. */
  readonly jobId?: string;
}

const brand = Symbol.for('trove.error');

/** The only error class, with a stable `code`, a `detail` for people, and `suggestions` for remedies. */
export class TroveError extends Error {
  readonly [brand] = true;
  override readonly name = 'TroveError';
  /** The code of the catalogue. */
  readonly code: ErrorCode;
  readonly pluginCode: string | undefined;
  readonly suggestions: readonly string[];
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly violations: readonly Violation[];
  readonly jobId: string | undefined;

  constructor(code: ErrorCode, detail: string, options: TroveErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.pluginCode = options.pluginCode;
    // Plain JavaScript may pass a misspelt code, which the engine reports.
    const remedies = isErrorCode(code) ? [errorCatalogue[code].remedy] : [];
    this.suggestions = options.suggestions ?? remedies;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.violations = options.violations ?? [];
    this.jobId = options.jobId;
  }

  /** The code to show and to store: the plugin's own, if it has one. */
  get publicCode(): string {
    return this.pluginCode ?? this.code;
  }

  /** The text for people. Same as `message`. */
  get detail(): string {
    return this.message;
  }
}

/** True for a `TroveError` of any copy of this package. Errors are recognised by their brand, not their class. */
export function isTroveError(value: unknown): value is TroveError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** True for errors of the server's own storage. They do not concern an object or a source. */
export function isStorageError(value: unknown): value is TroveError {
  return (
    isTroveError(value) && (value.code === 'storage_unavailable' || value.code === 'disk_full')
  );
}

/**
 * Returns the cause and remedy of an error as sentences for people, such as in `Health.detail`. Omits the general
 * remedy of the error's code, which adds nothing to a specific message or contradicts it.
 */
export function describeError(thrown: unknown): string {
  if (!isTroveError(thrown)) return toSentence(messageOf(thrown));
  const general = isErrorCode(thrown.code) ? errorCatalogue[thrown.code].remedy : '';
  const own = thrown.suggestions.filter((text) => text !== general);
  return [thrown.detail, ...own].map(toSentence).join(' ');
}

function toSentence(text: string): string {
  return text.trim().replace(/[^.!?…]$/, '$&.');
}

/** Returns the message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
