import { TroveError } from '@trove/core';

/** The bytes are not what such a document consists of. `what` completes "The document …". */
export function damaged(what: string, cause?: unknown): TroveError {
  return new TroveError('document_damaged', `The document ${what}.`, { cause });
}

/** There is nothing to find in it. `why` is a whole sentence. */
export function empty(why: string): TroveError {
  return new TroveError('document_empty', why);
}

/** It would take more time or memory than one document may. `what` completes "The document …". */
export function tooComplex(what: string): TroveError {
  return new TroveError('document_too_complex', `The document ${what}.`);
}
