import { TroveError } from '@trove/core';

/** Returns the error for damaged bytes. `what` completes "The document …". */
export function damaged(what: string, cause?: unknown): TroveError {
  return new TroveError('document_damaged', `The document ${what}.`, { cause });
}

export function encrypted(): TroveError {
  return new TroveError('document_encrypted', 'The document requires a password.');
}

/** Returns the error for a document without content. `why` is a whole sentence. */
export function empty(why: string): TroveError {
  return new TroveError('document_empty', why);
}

/** Returns the error for a document that exceeds a limit. `what` completes "The document …". */
export function tooComplex(what: string): TroveError {
  return new TroveError('document_too_complex', `The document ${what}.`);
}
