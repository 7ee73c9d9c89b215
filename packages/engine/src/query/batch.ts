import { errorCatalogue, isErrorCode, isTroveError, type TroveError } from '@trove/core';
import type { BatchFailure } from '../api/schemas.js';

const maxRunning = 4;

type BatchResult<A> = { readonly ok: true; readonly value: A } | BatchFailure;

interface Batch<Q, A> {
  readonly requests: readonly Q[];
  /** Maximum size of the JSON response. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly answer: (request: Q, signal: AbortSignal) => Promise<A>;
}

/**
 * Answers requests in order, at most four at once. Errors of a request become its result. An abort and errors of the
 * engine itself end the whole batch.
 */
export async function answerBatch<Q, A>({
  requests,
  maxBytes,
  signal,
  answer,
}: Batch<Q, A>): Promise<{ results: BatchResult<A>[] }> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const results: BatchResult<A>[] = [];
  const waiting = requests.entries();
  const answerNext = async (): Promise<void> => {
    for (const [index, request] of waiting) {
      either.throwIfAborted();
      results[index] = await answer(request, either).then(
        (value) => ({ ok: true as const, value }),
        (error: unknown) => toFailure(error, either),
      );
    }
  };
  const answerAll = () =>
    answerNext().catch((error: unknown) => {
      failure.abort(error);
    });
  // Waits for all, because the engine closes after its last call has ended.
  await Promise.all(Array.from({ length: maxRunning }, answerAll));
  either.throwIfAborted();
  return { results: limitResults(results, maxBytes) };
}

/** Throws errors that do not concern a single request. */
function toFailure(error: unknown, signal: AbortSignal): BatchFailure {
  signal.throwIfAborted();
  if (!isTroveError(error) || ['engine_closed', 'internal_error'].includes(error.code)) throw error;
  return failureOf(error.publicCode, error.detail, suggestionsOf(error));
}

function suggestionsOf({ code, suggestions }: TroveError): readonly string[] {
  return suggestions.length > 0 || !isErrorCode(code) ? suggestions : [errorCatalogue[code].remedy];
}

function failureOf(code: string, detail: string, suggestions: readonly string[]): BatchFailure {
  return { ok: false, error: { code, detail, suggestions: [...suggestions] } };
}

/** Replaces results that do not fit by errors. Later and smaller results may fit again. */
function limitResults<A>(results: readonly BatchResult<A>[], maxBytes: number): BatchResult<A>[] {
  const choices = results.map((result) => {
    const bytes = bytesOf(result);
    const omitted = failureOf(
      'payload_too_large',
      `The result has ${bytes} bytes and does not fit into \`max_bytes\`.`,
      ['Request it alone, or request a smaller part.'],
    );
    return { result, omitted, extraBytes: bytes - bytesOf(omitted) };
  });
  let freeBytes = maxBytes - bytesOf({ results: choices.map(({ omitted }) => omitted) });
  return choices.map(({ result, omitted, extraBytes }) => {
    if (extraBytes > freeBytes) return omitted;
    freeBytes -= extraBytes;
    return result;
  });
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
